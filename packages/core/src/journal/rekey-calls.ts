import type { AssistantPart } from "../contracts/content-part.ts";
import type { AssistantMessage } from "../contracts/message.ts";

/**
 * Gives each call of an answer an id that no earlier call of the conversation has. Models repeat ids across turns and
 * within one; the new id depends on turn and place alone, so that a reload makes the same one.
 *
 * @param message - The answer as the model gave it.
 * @param turn - The turn it answers.
 * @param taken - Ids of all earlier calls; the ids of this answer are added.
 * @returns the same object when nothing had to change.
 */
export function rekeyCalls(message: AssistantMessage, turn: number, taken: Set<string>): AssistantMessage {
  if (message.toolCalls.length === 0) return message;
  const toolCalls = message.toolCalls.map((call, index) => {
    const id = freeId(call.id, turn, index, taken);
    taken.add(id);
    return id === call.id ? call : { ...call, id };
  });
  if (toolCalls.every((call, index) => call === message.toolCalls[index])) return message;
  const renamed = new Map<string, string[]>();
  for (const [index, { id: given }] of message.toolCalls.entries()) {
    const ids = renamed.get(given) ?? [];
    renamed.set(given, [...ids, toolCalls[index]?.id ?? given]);
  }
  // The n-th marker of an id stands for the n-th call of that id.
  const content = message.content.map((part): AssistantPart => {
    if (part.type !== "tool_call") return part;
    const id = renamed.get(part.toolCallId)?.shift();
    return id === undefined ? part : { ...part, toolCallId: id };
  });
  return { ...message, content, toolCalls };
}

function freeId(id: string, turn: number, index: number, taken: ReadonlySet<string>): string {
  if (id !== "" && !taken.has(id)) return id;
  const base = id === "" ? `call_t${turn}c${index}` : `${id}_t${turn}c${index}`;
  let candidate = base;
  for (let n = 2; taken.has(candidate); n += 1) candidate = `${base}_${n}`;
  return candidate;
}
