import { firstFound } from "../first-found.ts";
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import { isGemini3 } from "./content-parts.ts";
import { invalidArgument } from "./google-error.ts";

const wires = ["google-generate"] as const;
const generate = "https://ai.google.dev/api/generate-content";
const functionCalling = "https://ai.google.dev/gemini-api/docs/function-calling";
const thoughtSignatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";

/** Texts that the vendor documents as "do not check", for calls that Gemini did not make. */
const skipped = new Set(["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"]);

/** Refusals of the Gemini API about contents and their order. */
export const generateContentRefusals: readonly Refusal[] = [
  {
    id: "google.contents-missing",
    wires,
    when: "There are no contents.",
    source: generate,
    find: ({ body }) =>
      objectsOf(body["contents"]).length > 0
        ? undefined
        : invalidArgument("* GenerateContentRequest.contents: contents is not specified\n"),
  },
  {
    id: "google.parts-empty",
    wires,
    when: "A content has no parts.",
    source: generate,
    find: ({ body }) =>
      firstFound(objectsOf(body["contents"]), (content, index) =>
        objectsOf(content["parts"]).length > 0
          ? undefined
          : invalidArgument(`* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`),
      ),
  },
  {
    id: "google.role-unknown",
    wires,
    when: "A content has a role other than `user` and `model`.",
    source: generate,
    find: ({ body }) =>
      firstFound(objectsOf(body["contents"]), ({ role }) =>
        role === undefined || role === "user" || role === "model" || role === "function"
          ? undefined
          : invalidArgument("Please use a valid role: user, model."),
      ),
  },
  {
    id: "google.call-out-of-turn",
    wires,
    when: "A content with calls does not come after the user's, or after responses.",
    source: functionCalling,
    find: ({ body }) => {
      const turns = merged(objectsOf(body["contents"]));
      const wrong = turns.some(({ model, parts }, index) => model && parts.some(isCall) && index === 0);
      return wrong
        ? invalidArgument(
            "Please ensure that function call turn comes immediately after a user turn or after a function response turn.",
          )
        : undefined;
    },
  },
  {
    id: "google.response-out-of-turn",
    wires,
    when: "A content with responses does not come directly after one with calls.",
    source: functionCalling,
    find: ({ body }) => {
      const turns = merged(objectsOf(body["contents"]));
      const wrong = turns.some(({ parts }, index) => parts.some(isResponse) && !turns[index - 1]?.parts.some(isCall));
      return wrong
        ? invalidArgument("Please ensure that function response turn comes immediately after a function call turn.")
        : undefined;
    },
  },
  {
    id: "google.response-count",
    wires,
    when: "A content with calls is not followed by as many responses, with the same names.",
    source: functionCalling,
    find: ({ body }) => {
      const turns = merged(objectsOf(body["contents"]));
      return firstFound(turns, ({ parts }, index) => {
        const calls = parts.filter(isCall).map((part) => textOf(objectOf(part["functionCall"])["name"]));
        const responses = (turns[index + 1]?.parts ?? [])
          .filter(isResponse)
          .map((part) => textOf(objectOf(part["functionResponse"])["name"]));
        if (calls.length === 0 || JSON.stringify(calls.toSorted()) === JSON.stringify(responses.toSorted()))
          return undefined;
        return invalidArgument(
          "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.",
        );
      });
    },
  },
  {
    id: "google.final-model-turn",
    wires,
    when: "The last content is the model's.",
    source: generate,
    find: ({ body }) =>
      merged(objectsOf(body["contents"])).at(-1)?.model === true
        ? invalidArgument("Requests ending with a model turn are not supported.")
        : undefined,
  },
  {
    id: "google.thought-signature-missing",
    wires,
    when: "To Gemini 3, the first call of a step of the current turn comes without its thought signature; the documented skip text is accepted.",
    source: thoughtSignatures,
    find: ({ body, request }) => {
      const contents = objectsOf(body["contents"]);
      if (!isGemini3(request.model)) return undefined;
      const begin = contents.findLastIndex(
        (content) => content["role"] !== "model" && objectsOf(content["parts"]).some((part) => !isResponse(part)),
      );
      return firstFound(contents, (content, index) => {
        const first =
          content["role"] === "model" && index > begin ? objectsOf(content["parts"]).find(isCall) : undefined;
        if (first === undefined || textOf(first["thoughtSignature"]) !== "") return undefined;
        const name = textOf(objectOf(first["functionCall"])["name"]);
        return invalidArgument(
          `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to ${thoughtSignatures} for more details.`,
        );
      });
    },
  },
  {
    id: "google.thought-signature-invalid",
    wires,
    when: "A thought signature is not one that the server gave out.",
    source: thoughtSignatures,
    find: ({ body, memory }) => {
      const signatures = objectsOf(body["contents"]).flatMap((content) =>
        objectsOf(content["parts"]).flatMap((part) =>
          typeof part["thoughtSignature"] === "string" ? [part["thoughtSignature"]] : [],
        ),
      );
      const wrong = signatures.some(
        (signature) => signature !== "" && !skipped.has(signature) && !memory.verify("google", signature, undefined),
      );
      return wrong ? invalidArgument("Thought signature is not valid.") : undefined;
    },
  },
];

function isCall(part: JsonObject): boolean {
  return isObject(part["functionCall"]);
}

function isResponse(part: JsonObject): boolean {
  return isObject(part["functionResponse"]);
}

interface Turn {
  readonly model: boolean;
  readonly parts: JsonObject[];
}

/** Contents with neighbours of one role joined, except that other user content does not join responses. */
function merged(contents: readonly JsonObject[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const content of contents) {
    const model = content["role"] === "model";
    const parts = objectsOf(content["parts"]);
    const last = turns.at(-1);
    const joins =
      last !== undefined && last.model === model && (model || last.parts.some(isResponse) === parts.some(isResponse));
    if (joins) last.parts.push(...parts);
    else turns.push({ model, parts: [...parts] });
  }
  return turns;
}
