import type { Message, ToolMessage, UserMessage } from "../contracts/message.ts";
import { textOfContent } from "../tools/content-text.ts";

/** Settings that shorten a long conversation for a request; the conversation itself is never changed. */
export interface CompactedView {
  /** Messages up to this one are left out, except for the task. */
  readonly uptoMessageId?: string | undefined;
  /** A short summary of the messages that were left out. */
  readonly summary?: string | undefined;
  /** Tool results up to this message are shown only by their beginning. */
  readonly elideUptoMessageId?: string | undefined;
}

/** Maximum length of an old tool result, in characters. */
const elidedLength = 200;

/**
 * Applies a view to a conversation. The task (the first message of this run's input) and the latest user message stay.
 *
 * @param taskIndex - Index of the run's first input message.
 */
export function applyView(messages: readonly Message[], view: CompactedView, taskIndex: number): readonly Message[] {
  const start = view.uptoMessageId === undefined ? 0 : messages.findIndex(({ id }) => id === view.uptoMessageId) + 1;
  const elideEnd =
    view.elideUptoMessageId === undefined ? -1 : messages.findIndex(({ id }) => id === view.elideUptoMessageId);
  const kept: Message[] = [];
  for (const index of keptBefore(messages, start, taskIndex)) {
    const message = messages[index];
    if (message !== undefined) kept.push(message);
  }
  if (view.summary !== undefined) kept.push(summaryMessage(view.summary, view.uptoMessageId ?? "start"));
  for (let index = start; index < messages.length; index += 1) {
    const message = messages[index];
    if (message !== undefined) kept.push(index <= elideEnd && message.role === "tool" ? elide(message) : message);
  }
  return kept;
}

/** The task and the latest user message, if they would be cut off. */
function keptBefore(messages: readonly Message[], start: number, taskIndex: number): readonly number[] {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const first = messages[taskIndex]?.role === "user" && taskIndex < start ? [taskIndex] : [];
  return lastUser >= 0 && lastUser < start && lastUser !== taskIndex ? [...first, lastUser] : first;
}

function summaryMessage(summary: string, upto: string): UserMessage {
  return { id: `summary:${upto}`, role: "user", content: `[Summary of the conversation until here]\n${summary}` };
}

function elide(message: ToolMessage): ToolMessage {
  const text = textOfContent(message.content);
  if (typeof message.content === "string" && text.length <= elidedLength) return message;
  return {
    ...message,
    content: `${text.slice(0, elidedLength)}\n[The rest of this old result is not shown any more.]`,
  };
}
