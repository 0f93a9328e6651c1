import type { Message, ToolMessage, UserMessage } from "../contracts/message.ts";
import type { TokenEstimator } from "./token-estimate.ts";

/** Settings that shorten a long conversation for a request; the conversation itself is never changed. */
export interface CompactedView {
  /** Messages up to this one are left out, the task excepted. */
  readonly uptoMessageId?: string | undefined;
  /** A few words about the messages that were left out. */
  readonly summary?: string | undefined;
  /** Tool results up to this message are shown by their beginning only. */
  readonly elideUptoMessageId?: string | undefined;
}

/** The length of an old tool result that is still shown, in characters. */
const elidedLength = 200;

/** Messages that are kept or cut together: an answer with the results of its calls, or a single message. */
interface Unit {
  readonly end: number;
  readonly tokens: number;
}

/**
 * Applies a view to a conversation. The task (the first message of this run's input) and the latest user message stay.
 *
 * @param messages - The whole conversation.
 * @param view - Messages and results to leave out.
 * @param taskIndex - Index of the run's first input message.
 */
export function applyView(
  messages: readonly Message[],
  view: CompactedView | undefined,
  taskIndex: number,
): readonly Message[] {
  if (view === undefined) return messages;
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

/** The task and the latest user message, where they would be cut off. */
function keptBefore(messages: readonly Message[], start: number, taskIndex: number): readonly number[] {
  const lastUser = messages.findLastIndex(({ role }) => role === "user");
  const first = messages[taskIndex]?.role === "user" && taskIndex < start ? [taskIndex] : [];
  return lastUser >= 0 && lastUser < start && lastUser !== taskIndex ? [...first, lastUser] : first;
}

function summaryMessage(summary: string, upto: string): UserMessage {
  return { id: `summary:${upto}`, role: "user", content: `[Summary of the conversation until here]\n${summary}` };
}

function elide(message: ToolMessage): ToolMessage {
  const text = typeof message.content === "string" ? message.content : textOf(message.content);
  if (typeof message.content === "string" && text.length <= elidedLength) return message;
  return {
    ...message,
    content: `${text.slice(0, elidedLength)}\n[The rest of this old result is not shown any more.]`,
  };
}

/** The text of a message's content, media left out. */
export function textOf(
  content: string | readonly { readonly type: string; readonly text?: string | undefined }[],
): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("\n");
}

/**
 * Finds where to cut so that the rest fits. Never between a call and its result, and never into the last unit: calls
 * that wait for a person are in it.
 *
 * @param messages - The whole conversation.
 * @param from - Index of the first message that is still shown.
 * @param budget - Tokens that may stay.
 * @returns the index of the last message to leave out; undefined when nothing more can be left out.
 */
export function findCut(
  messages: readonly Message[],
  from: number,
  budget: number,
  estimate: TokenEstimator,
): number | undefined {
  const units = unitsOf(messages, from, estimate);
  let tokens = units.reduce((sum, unit) => sum + unit.tokens, 0);
  let cut: number | undefined;
  for (const unit of units.slice(0, -1)) {
    if (tokens <= budget) break;
    tokens -= unit.tokens;
    cut = unit.end;
  }
  return cut;
}

function unitsOf(messages: readonly Message[], from: number, estimate: TokenEstimator): readonly Unit[] {
  const units: Unit[] = [];
  for (let index = from; index < messages.length;) {
    const message = messages[index];
    if (message === undefined) break;
    const open = new Set(message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : []);
    let tokens = estimate.message(message);
    let end = index;
    // All messages between a call and its last result belong to the unit.
    for (let next = index + 1; open.size > 0 && next < messages.length; next += 1) {
      const result = messages[next];
      if (result === undefined || (result.role === "assistant" && result.toolCalls.length > 0)) break;
      if (result.role === "tool") open.delete(result.toolCallId);
      for (let inside = end + 1; inside <= next; inside += 1) {
        const member = messages[inside];
        if (member !== undefined) tokens += estimate.message(member);
      }
      end = next;
    }
    units.push({ end, tokens });
    index = end + 1;
  }
  return units;
}
