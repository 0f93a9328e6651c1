import type { Refusal } from "../refusal.ts";
import { objectsOf, textOf, type JsonObject } from "../json.ts";
import type { WireError } from "../wire-error.ts";
import { invalidRequest } from "../openai/openai-error.ts";
import { firstProblem, lengthProblem, nameProblem } from "../openai/string-limits.ts";
import { inputItems, isModelItem, outputTypes, ownItems } from "./input-items.ts";

const wires = ["openai-responses"] as const;
const functionCalling = "https://developers.openai.com/api/docs/guides/function-calling";
const reasoningGuide = "https://developers.openai.com/api/docs/guides/reasoning";
const create = "https://developers.openai.com/api/reference/resources/responses/methods/create";

const idPrefixes: Readonly<Record<string, string>> = {
  function_call: "fc",
  message: "msg",
  reasoning: "rs",
  custom_tool_call: "ctc",
};

/** Refusals of the Responses API about the items of the input and their order. */
export const responsesItemRefusals: readonly Refusal[] = [
  {
    id: "responses.previous-response-unknown",
    wires,
    when: "`previous_response_id` names an answer that was not stored.",
    source: "https://developers.openai.com/api/docs/guides/conversation-state",
    find: ({ body, memory }) => {
      const id = body["previous_response_id"];
      return typeof id !== "string" || memory.responses.has(id)
        ? undefined
        : invalidRequest(
            `Previous response with id '${id}' not found.`,
            "previous_response_id",
            "previous_response_not_found",
          );
    },
  },
  {
    id: "responses.item-not-stored",
    wires,
    when: "An item is only referred to by its id, or is reasoning without its encrypted content, and was never stored.",
    source: "https://developers.openai.com/api/docs/guides/conversation-state",
    find: ({ body, memory }) => {
      const item = ownItems(body).find(
        (candidate) => isReference(candidate) && memory.items.get(textOf(candidate["id"]))?.stored !== true,
      );
      return item === undefined
        ? undefined
        : notFound(textOf(item["id"]), body["store"] === false || memory.items.has(textOf(item["id"])));
    },
  },
  {
    id: "responses.encrypted-content-invalid",
    wires,
    when: "Encrypted reasoning is not what the server gave out.",
    source: reasoningGuide,
    find: ({ body, memory }) =>
      firstProblem(ownItems(body), ({ type, encrypted_content: encrypted }) =>
        type !== "reasoning" || typeof encrypted !== "string" || memory.verify("openai", encrypted, undefined)
          ? undefined
          : invalidRequest(
              `The encrypted content ${encrypted.slice(0, 4)}...${encrypted.slice(-4)} could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
              null,
              "invalid_encrypted_content",
            ),
      ),
  },
  {
    id: "responses.item-id-invalid",
    wires,
    when: "An item's id does not begin as ids of its type do, or is longer than 64 characters.",
    source: create,
    find: ({ body }) =>
      firstProblem(ownItems(body), (item, index) => {
        const prefix = idPrefixes[textOf(item["type"])];
        const id = item["id"];
        if (prefix === undefined || typeof id !== "string") return undefined;
        if (!id.startsWith(prefix))
          return invalidRequest(
            `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${prefix}'.`,
            `input[${index}].id`,
            "invalid_value",
          );
        return lengthProblem(id, `input[${index}].id`, 64);
      }),
  },
  {
    id: "responses.call-id-too-long",
    wires,
    when: "A `call_id` is longer than 64 characters.",
    source: create,
    find: ({ body }) =>
      firstProblem(ownItems(body), (item, index) =>
        lengthProblem(textOf(item["call_id"]), `input[${index}].call_id`, 64),
      ),
  },
  {
    id: "responses.call-name-invalid",
    wires,
    when: "A call's name is not 1 to 64 letters, digits, `_` or `-`.",
    source: functionCalling,
    find: ({ body }) =>
      firstProblem(ownItems(body), (item, index) =>
        item["type"] === "function_call" ? nameProblem(textOf(item["name"]), `input[${index}].name`) : undefined,
      ),
  },
  {
    id: "responses.namespace-missing",
    wires,
    when: "A call of a tool in a namespace comes back without it.",
    source: "https://github.com/vercel/ai/pull/15193",
    find: ({ body, memory }) => {
      const issued = [...memory.items.values()].map(({ item }) => item);
      return firstProblem(ownItems(body), (item, index) => {
        if (!isCall(item) || typeof item["namespace"] === "string") return undefined;
        const made = issued.find((one) => isCall(one) && one["call_id"] === item["call_id"]);
        if (typeof made?.["namespace"] !== "string" && !isOnlyInNamespace(body, item["name"])) return undefined;
        return invalidRequest(
          `Missing namespace for ${textOf(item["type"])} '${textOf(item["name"])}'. It does not exist in the default namespace. Round-trip the model's ${textOf(item["type"])} item with its namespace field included.`,
          `input[${index}].namespace`,
        );
      });
    },
  },
  {
    id: "responses.item-duplicate",
    wires,
    when: "Two items have the same id.",
    source: create,
    find: ({ body, memory }) => {
      const ids = inputItems(body, memory).flatMap((item) => (typeof item["id"] === "string" ? [item["id"]] : []));
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      return twice === undefined
        ? undefined
        : invalidRequest(
            `Duplicate item found with id ${twice}. Remove duplicate items from your input and try again.`,
            "input",
          );
    },
  },
  {
    id: "responses.call-without-output",
    wires,
    when: "A call has no output after it.",
    source: functionCalling,
    find: ({ body, memory }) => {
      const items = inputItems(body, memory);
      const open = items.find(
        (item, index) => isCall(item) && !items.slice(index + 1).some((later) => answers(later, item)),
      );
      return open === undefined
        ? undefined
        : invalidRequest(
            `No tool output found for ${open["type"] === "custom_tool_call" ? "custom tool call" : "function call"} ${textOf(open["call_id"])}.`,
            "input",
          );
    },
  },
  {
    id: "responses.output-without-call",
    wires,
    when: "An output has no call before it.",
    source: functionCalling,
    find: ({ body, memory }) => {
      const items = inputItems(body, memory);
      const orphan = items.find(
        (item, index) =>
          outputTypes.has(item["type"]) && !items.slice(0, index).some((earlier) => answers(item, earlier)),
      );
      if (orphan === undefined) return undefined;
      const kind = orphan["type"] === "custom_tool_call_output" ? "custom tool call" : "function call";
      return invalidRequest(
        `No tool call found for ${kind} output with call_id ${textOf(orphan["call_id"])}.`,
        "input",
      );
    },
  },
  {
    id: "responses.reasoning-without-item",
    wires,
    when: "A reasoning item is not directly followed by the item it was given out with; with `store: false`, that item may be without its id.",
    source: reasoningGuide,
    find: ({ body, memory }) => {
      const items = inputItems(body, memory);
      return firstProblem(items, (item, index) => {
        if (item["type"] !== "reasoning") return undefined;
        const next = items[index + 1];
        const expected = memory.items.get(textOf(item["id"]))?.followerId;
        // The packages of the AI SDK omit the ids of messages and calls if nothing is stored.
        const unnamed = body["store"] === false && next?.["id"] === undefined;
        const named = expected === undefined || next?.["id"] === expected;
        const follows = next !== undefined && isModelItem(next) && (named || unnamed);
        return follows
          ? undefined
          : invalidRequest(
              `Item '${textOf(item["id"])}' of type 'reasoning' was provided without its required following item.`,
              "input",
            );
      });
    },
  },
  {
    id: "responses.item-without-reasoning",
    wires,
    when: "An item comes back with its id, but without the reasoning item it followed.",
    source: reasoningGuide,
    find: ({ body, memory }) => {
      const items = inputItems(body, memory);
      return firstProblem(items, (item, index) => {
        const needed = memory.items.get(textOf(item["id"]))?.reasoningId;
        if (needed === undefined || items.slice(0, index).some((earlier) => earlier["id"] === needed)) return undefined;
        return invalidRequest(
          `Item '${textOf(item["id"])}' of type '${textOf(item["type"])}' was provided without its required 'reasoning' item: '${needed}'.`,
          "input",
        );
      });
    },
  },
];

function isReference(item: JsonObject): boolean {
  return (
    item["type"] === "item_reference" ||
    (item["type"] === "reasoning" &&
      typeof item["id"] === "string" &&
      typeof item["encrypted_content"] !== "string" &&
      objectsOf(item["content"]).length === 0)
  );
}

function notFound(id: string, unstored: boolean): WireError {
  const why = unstored
    ? " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input."
    : "";
  return {
    status: 404,
    type: "invalid_request_error",
    param: "input",
    code: null,
    message: `Item with id '${id}' not found.${why}`,
  };
}

/** True if a tool of this name is declared in a namespace, and none outside of one. */
function isOnlyInNamespace(body: JsonObject, name: unknown): boolean {
  const tools = objectsOf(body["tools"]);
  const within = tools.flatMap((tool) => (tool["type"] === "namespace" ? objectsOf(tool["tools"]) : []));
  return within.some((tool) => tool["name"] === name) && !tools.some((tool) => tool["name"] === name);
}

function isCall(item: JsonObject): boolean {
  return item["type"] === "function_call" || item["type"] === "custom_tool_call";
}

function answers(output: JsonObject, call: JsonObject): boolean {
  return outputTypes.get(output["type"]) === call["type"] && output["call_id"] === call["call_id"];
}
