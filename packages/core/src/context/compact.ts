import type { Message, UserMessage } from "../contracts/message.ts";
import type { ShortenedMessage } from "../contracts/shortened-message.ts";
import { shownMessage, wayTo } from "./shown-message.ts";

/** Settings that shorten a long conversation for a request; the conversation itself is never changed. */
export interface CompactedView {
  /** Messages up to this one are left out, except for the task, the latest user message and system messages. */
  readonly uptoMessageId?: string | undefined;
  /** A short summary of the messages that were left out. */
  readonly summary?: string | undefined;
  /** Handle of the stored text of the messages that were left out. */
  readonly leftOut?: string | undefined;
  /** Messages of which a part is shown. */
  readonly shortened?: readonly ShortenedMessage[] | undefined;
  /** Number of recalled memories that are shown; all without it. */
  readonly memories?: number | undefined;
}

/**
 * Applies a view to a conversation. The task (the first message of this run's input) and the latest user message stay.
 *
 * @param taskIndex - Index of the run's first input message.
 */
export function applyView(messages: readonly Message[], view: CompactedView, taskIndex: number): readonly Message[] {
  const start = startOf(messages, view);
  const shortened = new Map(view.shortened?.map((one) => [one.messageId, one]));
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const kept: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (index === start) kept.push(...leftOutMessage(view));
    if (index < start && !staysShown(message, index, taskIndex, lastUser)) continue;
    const shown = shownMessage(message, shortened.get(message.id));
    if (shown !== undefined) kept.push(shown);
  }
  if (start >= messages.length) kept.push(...leftOutMessage(view));
  return kept;
}

/** Index of the first message that is not left out. */
export function startOf(messages: readonly Message[], { uptoMessageId }: CompactedView): number {
  return uptoMessageId === undefined ? 0 : messages.findIndex(({ id }) => id === uptoMessageId) + 1;
}

/** True for a message that is shown even if the messages around it are left out. */
export function staysShown({ role }: Message, index: number, taskIndex: number, lastUser: number): boolean {
  return role === "system" || (role === "user" && (index === taskIndex || index === lastUser));
}

/** The message in place of those that are left out: their summary, and the way to their whole text. */
export function leftOutMessage({ summary, leftOut, uptoMessageId = "start" }: CompactedView): readonly UserMessage[] {
  if (summary === undefined && leftOut === undefined) return [];
  const texts = [
    ...(summary === undefined ? [] : [`[Summary of the conversation until here]\n${summary}`]),
    ...(leftOut === undefined ? [] : [`[The earlier messages are left out of this request.${wayTo(leftOut)}]`]),
  ];
  return [{ id: `summary:${uptoMessageId}`, role: "user", content: texts.join("\n") }];
}
