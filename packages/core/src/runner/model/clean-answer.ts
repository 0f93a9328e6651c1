// The part that loads if a run continues from answers that others may have influenced.
import type { AssistantPart } from "../../contracts/content-part.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { AssistantMessage, Provenance } from "../../contracts/message.ts";
import type { ToolCall } from "../../contracts/tool-call.ts";

/** Returns the same text if there is nothing to remove. */
type Clean = (text: string) => Promise<string>;

/**
 * Cleans the texts of an answer and the arguments of its calls. The vendor's data repeat the removed text, so a changed
 * answer counts as one of another model, which does not get them. Data of a hosted tool stay with its vendor.
 *
 * @param unknownModel - Maker of a changed answer.
 * @returns the same message if nothing changed.
 */
export async function cleanAnswer(
  message: AssistantMessage,
  unknownModel: Provenance,
  clean: Clean,
): Promise<AssistantMessage> {
  const content = await Promise.all(message.content.map((part) => cleanPart(part, clean)));
  const toolCalls = await Promise.all(message.toolCalls.map((call) => cleanCall(call, clean)));
  const isChanged =
    toolCalls.some((call, index) => call !== message.toolCalls[index]) ||
    content.some((part, index) => part.type !== "hosted_tool" && part !== message.content[index]);
  if (isChanged) return { ...message, content, toolCalls, provenance: unknownModel };
  return content.every((part, index) => part === message.content[index]) ? message : { ...message, content };
}

async function cleanPart(part: AssistantPart, clean: Clean): Promise<AssistantPart> {
  if (part.type === "text" || part.type === "reasoning" || part.type === "refusal") {
    const text = await clean(part.text);
    return text === part.text ? part : { ...part, text };
  }
  if (part.type !== "hosted_tool") return part;
  const { input, output } = part;
  const given = { ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
  const made = await cleanJson(given, clean);
  return made === given ? part : { ...part, ...(made as typeof given) };
}

async function cleanCall(call: ToolCall, clean: Clean): Promise<ToolCall> {
  const name = await clean(call.name);
  let given: JsonValue;
  try {
    given = JSON.parse(call.arguments) as JsonValue;
  } catch {
    const text = await clean(call.arguments);
    return name === call.name && text === call.arguments ? call : { ...call, name, arguments: text };
  }
  const input = await cleanJson(given, clean);
  if (input !== given) return { ...call, name, arguments: JSON.stringify(input), input };
  return name === call.name ? call : { ...call, name };
}

/** Cleans the strings and keys of a value; returns the same value if nothing changed. */
async function cleanJson(value: JsonValue, clean: Clean): Promise<JsonValue> {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = await Promise.all(value.map((item: JsonValue) => cleanJson(item, clean)));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const entries = Object.entries(value);
  const made = await Promise.all(
    entries.map(async ([key, item]) => [await clean(key), await cleanJson(item, clean)] as const),
  );
  const isSame = made.every(([key, item], index) => key === entries[index]?.[0] && item === entries[index][1]);
  return isSame ? value : Object.fromEntries(made);
}
