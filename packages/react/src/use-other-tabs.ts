import type { UseChatHelpers } from "@ai-sdk/react";
import { isToolUIPart, type UIMessage } from "ai";
import { useEffect, useRef } from "react";
import type { AgentTransport } from "./use-agent-transport.ts";

/** Time between two looks at a chat that waits for a person, in milliseconds. */
const lookEveryMs = 3_000;

/** The parts of a browser that the hook uses; programs without the types of a browser compile this file too. */
interface Page {
  readonly document?: { readonly visibilityState: string };
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

type ChatParts<Message extends UIMessage> = Pick<
  UseChatHelpers<Message>,
  "messages" | "status" | "setMessages" | "resumeStream"
>;

/**
 * Shows what other tabs and people did to a chat: when its tab comes into view, and every three seconds while a call waits
 * for a decision. A run that another tab started is followed over its stream. A page that has a message on its way, or
 * an error, is left as it is.
 *
 * @param chatId - The chat's id.
 * @param chat - The helpers of `useChat`.
 * @param transport - The transport of that chat.
 */
export function useOtherTabs<Message extends UIMessage>(
  chatId: string,
  chat: ChatParts<Message>,
  transport: AgentTransport<Message>,
): void {
  const latest = useRef(chat);
  latest.current = chat;
  const isWaiting = chat.status === "ready" && waits(chat.messages);
  useEffect(() => {
    const page = globalThis as Page;
    let isGone = false;
    let isLooking = false;
    const look = async (): Promise<void> => {
      const before = latest.current;
      if (page.document?.visibilityState === "hidden" || before.status !== "ready") return;
      const loaded = await transport.client.chat<Message>(chatId);
      const { messages, status, setMessages, resumeStream } = latest.current;
      if (isGone || status !== "ready" || messages !== before.messages) return;
      if (stateOf(loaded.messages) === stateOf(messages)) return;
      const from = messages.findIndex(({ id }) => id === loaded.messages[0]?.id);
      setMessages([...messages.slice(0, Math.max(0, from)), ...loaded.messages]);
      if (loaded.activeStreamId !== null) await resumeStream();
    };
    // A slow answer must not make the page ask more and more often.
    const safely = (): void => {
      if (isLooking) return;
      isLooking = true;
      void look()
        .catch(() => undefined)
        .finally(() => (isLooking = false));
    };
    page.addEventListener?.("focus", safely);
    page.addEventListener?.("visibilitychange", safely);
    const timer = isWaiting ? setInterval(safely, lookEveryMs) : undefined;
    return () => {
      isGone = true;
      clearInterval(timer);
      page.removeEventListener?.("focus", safely);
      page.removeEventListener?.("visibilitychange", safely);
    };
  }, [chatId, transport, isWaiting]);
}

/** True if a call of a message waits for a decision. */
function waits(messages: readonly UIMessage[]): boolean {
  return messages.some(({ parts }) => parts.some((part) => isToolUIPart(part) && part.state === "approval-requested"));
}

/** The newest message, and whether a call waits: what decides if the page is out of date. */
function stateOf(messages: readonly UIMessage[]): string {
  return `${messages.at(-1)?.id ?? ""} ${waits(messages)}`;
}
