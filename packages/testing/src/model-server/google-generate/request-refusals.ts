import { firstFound } from "../first-found.ts";
import { isObject, objectOf, objectsOf, textOf, type JsonObject } from "../json.ts";
import type { Refusal } from "../refusal.ts";
import type { WireError } from "../wire-error.ts";
import { isGemini3 } from "./content-parts.ts";
import { invalidArgument, unknownField } from "./google-error.ts";
import { referenceProblem, schemaProblem } from "./schema-problem.ts";

const wires = ["google-generate"] as const;
const generate = "https://ai.google.dev/api/generate-content";
const functionCalling = "https://ai.google.dev/gemini-api/docs/function-calling";
const troubleshooting = "https://ai.google.dev/gemini-api/docs/troubleshooting";

const fields = new Set(
  "cachedContent contents generationConfig model safetySettings serviceTier store systemInstruction toolConfig tools".split(
    " ",
  ),
);

/** Refusals of the Gemini API about access, tools, schemas and settings. */
export const generateRequestRefusals: readonly Refusal[] = [
  {
    id: "google.key-missing",
    wires,
    when: "There is no `x-goog-api-key` header, nor a `key` in the query.",
    source: troubleshooting,
    find: ({ key }) =>
      key
        ? undefined
        : {
            status: 403,
            message:
              "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
          },
  },
  {
    id: "google.key-invalid",
    wires,
    when: "The key is not one of the server's `keys`.",
    source: troubleshooting,
    find: ({ key, keys }) =>
      keys === undefined || keys.includes(key ?? "")
        ? undefined
        : invalidArgument("API key not valid. Please pass a valid API key.", [
            {
              "@type": "type.googleapis.com/google.rpc.ErrorInfo",
              reason: "API_KEY_INVALID",
              domain: "googleapis.com",
              metadata: { service: "generativelanguage.googleapis.com" },
            },
          ]),
  },
  {
    id: "google.model-unknown",
    wires,
    when: "The model is not one of the server's `models`.",
    source: troubleshooting,
    find: ({ request, models }) =>
      models === undefined || models.includes(request.model)
        ? undefined
        : {
            status: 404,
            message: `models/${request.model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
          },
  },
  {
    id: "google.field-unknown",
    wires,
    when: "The body has a field that does not exist.",
    source: generate,
    find: ({ body }) => {
      const name = Object.keys(body).find((key) => !fields.has(key));
      return name === undefined ? undefined : unknownField(name);
    },
  },
  {
    id: "google.tool-name-invalid",
    wires,
    when: "A function's name does not begin with a letter or `_`, has other characters than letters, digits, `_`, `.`, `:`, `-`, or more than 64.",
    source: functionCalling,
    find: ({ body }) =>
      eachDeclaration(body, (declaration, field) =>
        /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(textOf(declaration["name"]))
          ? undefined
          : invalidArgument(
              `* GenerateContentRequest.${field}.name: Invalid function name. Must start with a letter or an underscore. Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`,
            ),
      ),
  },
  {
    id: "google.tool-schema-invalid",
    wires,
    when: "`parameters` or `responseSchema` has a keyword that Google's schema does not have, a list of types, an array without items, or an enum of other than texts.",
    source: "https://ai.google.dev/api/caching#Schema",
    find: ({ body }) => {
      const answer = objectOf(body["generationConfig"])["responseSchema"];
      return (
        eachDeclaration(body, (declaration, field) =>
          isObject(declaration["parameters"])
            ? schemaProblem(declaration["parameters"], `${field}.parameters`)
            : undefined,
        ) ?? (isObject(answer) ? schemaProblem(answer, "generation_config.response_schema") : undefined)
      );
    },
  },
  {
    id: "google.tool-schema-reference",
    wires,
    when: "In `parametersJsonSchema`, a reference has other keywords beside it than `description` and `default`.",
    source: "https://github.com/anomalyco/opencode/issues/12295",
    find: ({ body }) =>
      eachDeclaration(body, (declaration) =>
        isObject(declaration["parametersJsonSchema"])
          ? referenceProblem(declaration["parametersJsonSchema"])
          : undefined,
      ),
  },
  {
    id: "google.tool-schema-twice",
    wires,
    when: "A function has both `parameters` and `parametersJsonSchema`, which exclude each other.",
    source: "https://ai.google.dev/api/caching#FunctionDeclaration",
    find: ({ body }) =>
      eachDeclaration(body, (declaration, field) =>
        isObject(declaration["parameters"]) && isObject(declaration["parametersJsonSchema"])
          ? invalidArgument(
              `* GenerateContentRequest.${field}: parameters and parameters_json_schema are mutually exclusive.\n`,
            )
          : undefined,
      ),
  },
  {
    id: "google.json-mode-with-functions",
    wires,
    when: "A JSON answer is asked for together with functions, before Gemini 3.",
    source: "https://ai.google.dev/gemini-api/docs/structured-output",
    find: ({ body, request }) =>
      objectOf(body["generationConfig"])["responseMimeType"] === "application/json" &&
      hasFunctions(body) &&
      !isGemini3(request.model)
        ? invalidArgument("Function calling with a response mime type: 'application/json' is unsupported")
        : undefined,
  },
  {
    id: "google.hosted-tool-with-functions",
    wires,
    when: "A hosted tool is asked for together with functions, before Gemini 3.",
    source: functionCalling,
    find: ({ body, request }) =>
      hasFunctions(body) && request.tools.some((tool) => tool.type !== "function") && !isGemini3(request.model)
        ? invalidArgument("Tool use with function calling is unsupported")
        : undefined,
  },
  {
    id: "google.allowed-functions-without-any",
    wires,
    when: "`allowedFunctionNames` is set in a mode other than `ANY` and `VALIDATED`, or names a function that is not declared.",
    source: functionCalling,
    find: ({ body, request }) => {
      const config = objectOf(objectOf(body["toolConfig"])["functionCallingConfig"]);
      const names = Array.isArray(config["allowedFunctionNames"]) ? config["allowedFunctionNames"] : [];
      if (names.length === 0) return undefined;
      if (config["mode"] !== "ANY" && config["mode"] !== "VALIDATED")
        return invalidArgument(
          "Function calling config is set with allowed_function_names, which is only supported when the mode is ANY or VALIDATED.",
        );
      const unknown = names.find((name) => !request.tools.some((tool) => tool.name === name));
      return unknown === undefined
        ? undefined
        : invalidArgument(
            `Function calling config is set with an allowed function name that is not declared: ${textOf(unknown)}`,
          );
    },
  },
  {
    id: "google.thinking-level-and-budget",
    wires,
    when: "Both `thinkingLevel` and `thinkingBudget` are set, or a level is set before Gemini 3.",
    source: "https://ai.google.dev/gemini-api/docs/thinking",
    find: ({ body, request }) => {
      const config = objectOf(objectOf(body["generationConfig"])["thinkingConfig"]);
      if (config["thinkingLevel"] === undefined) return undefined;
      if (config["thinkingBudget"] !== undefined)
        return invalidArgument("You can only set only one of thinking budget and thinking level.");
      return isGemini3(request.model) ? undefined : invalidArgument("Thinking level is not supported for this model.");
    },
  },
];

function eachDeclaration(
  body: JsonObject,
  check: (declaration: JsonObject, field: string) => WireError | undefined,
): WireError | undefined {
  return firstFound(objectsOf(body["tools"]), (tool, index) =>
    firstFound(objectsOf(tool["functionDeclarations"]), (declaration, at) =>
      check(declaration, `tools[${index}].function_declarations[${at}]`),
    ),
  );
}

function hasFunctions(body: JsonObject): boolean {
  return objectsOf(body["tools"]).some((tool) => objectsOf(tool["functionDeclarations"]).length > 0);
}
