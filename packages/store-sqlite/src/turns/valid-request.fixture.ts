import type { Message } from "@bailiwick/core";

/**
 * Refuses a conversation as vendors do: it begins with a user message, each call is followed at once by one result, each
 * result has a call, and an answer is asked for by a user message or a result.
 *
 * @throws Error with the place.
 */
export function refuseInvalid(messages: readonly Message[]): void {
  const conversation = messages.filter(({ role }) => role !== "system");
  const refuse = (index: number, why: string): never => {
    throw new Error(`400: message ${index} ${why} in ${conversation.map(({ role }) => role).join(", ")}`);
  };
  if (conversation[0]?.role !== "user") refuse(0, "is not of the user");
  if (conversation.at(-1)?.role === "assistant") refuse(conversation.length - 1, "is an answer");
  const seen = new Set<string>();
  let open = new Set<string>();
  for (const [index, message] of conversation.entries()) {
    if (message.role === "tool") {
      if (!open.delete(message.toolCallId)) refuse(index, "is a result without its call");
      continue;
    }
    if (open.size > 0) refuse(index, "follows a call without a result");
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls) if (seen.has(id)) refuse(index, `has the call ${id} once more`);
    open = new Set(message.toolCalls.map(({ id }) => id));
    for (const id of open) seen.add(id);
  }
  if (open.size > 0) refuse(conversation.length, "is missing: a call has no result");
}

/** A message as one line: its role and its texts, calls and results. */
export function lineOf(message: Message): string {
  if (typeof message.content === "string") return `${message.role}: ${message.content}`;
  const parts = message.content.map((part) => ("text" in part ? part.text : part.type));
  return `${message.role}: ${parts.join(" ")}`;
}
