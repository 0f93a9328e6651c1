import type { IssuedMemory } from "../issued-memory.ts";
import { objectsOf, textOf, type JsonObject } from "../json.ts";

/** The input as items: a text is a user message; a stored answer's input and output come first; references are resolved. */
export function inputItems(body: JsonObject, memory: IssuedMemory): readonly JsonObject[] {
  const previous = memory.responses.get(textOf(body["previous_response_id"]))?.input ?? [];
  return [
    ...previous,
    ...ownItems(body).map((item) =>
      item["type"] === "item_reference" ? (memory.items.get(textOf(item["id"]))?.item ?? item) : item,
    ),
  ];
}

/** The items that the request itself contains. */
export function ownItems(body: JsonObject): readonly JsonObject[] {
  const input = body["input"];
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : objectsOf(input);
}

/** Item types that answer a call, with the type of the call. */
export const outputTypes: ReadonlyMap<unknown, string> = new Map([
  ["function_call_output", "function_call"],
  ["custom_tool_call_output", "custom_tool_call"],
]);

/** True if a model made the item, so that it may follow reasoning. */
export function isModelItem(item: JsonObject): boolean {
  const type = item["type"];
  if (type === "message" || type === undefined) return item["role"] === "assistant";
  return (
    typeof type === "string" &&
    !outputTypes.has(type) &&
    !type.endsWith("_output") &&
    type !== "mcp_approval_response" &&
    type !== "item_reference"
  );
}
