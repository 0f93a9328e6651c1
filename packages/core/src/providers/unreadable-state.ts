import type { AssistantMessage, Message } from "../contracts/message.ts";
import type { Warning } from "../contracts/model-response.ts";

/** State that a model's vendor returned and could not read back. */
export interface UnreadableState {
  /**
   * Messages without the removed state; the same array if none was removed.
   *
   * @param messages - A conversation, as compiled.
   * @param warn - Called once if something is left out.
   */
  readable(messages: readonly Message[], warn: (warning: Warning) => void): readonly Message[];
  /**
   * Drops the state of all answers of a conversation. Later answers keep theirs.
   *
   * @param messages - A conversation, as compiled.
   * @returns True if state was removed: only then can the request be repeated.
   */
  giveUp(messages: readonly Message[]): boolean;
}

const leftOut: Warning = {
  code: "reasoning_dropped",
  message:
    "The vendor could not read its reasoning of earlier answers, which belongs to the key, organization or deployment that made it: the request was repeated without it.",
  subject: "reasoning",
};

/**
 * Remembers conversations whose opaque state the vendor refused: one that moved to another key or organization
 * continues without it, instead of failing each time.
 *
 * @param strip - An answer without its state; `undefined` if it has none.
 */
export function unreadableState(strip: (message: AssistantMessage) => AssistantMessage | undefined): UnreadableState {
  const stripped = new WeakMap<Message, Message>();
  let any = false;
  return {
    readable(messages, warn) {
      if (!any || !messages.some((message) => stripped.has(message))) return messages;
      warn(leftOut);
      return messages.map((message) => stripped.get(message) ?? message);
    },
    giveUp(messages) {
      let found = false;
      for (const message of messages) {
        if (message.role !== "assistant" || stripped.has(message)) continue;
        const rest = strip(message);
        if (rest === undefined) continue;
        stripped.set(message, rest);
        found = true;
      }
      any ||= found;
      return found;
    },
  };
}

/**
 * An answer without its reasoning; `undefined` if it has none.
 *
 * @param message - The answer.
 */
export function withoutReasoning(message: AssistantMessage): AssistantMessage | undefined {
  const content = message.content.filter(({ type }) => type !== "reasoning");
  return content.length === message.content.length ? undefined : { ...message, content };
}
