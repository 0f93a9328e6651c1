import type { UseChatHelpers } from "@ai-sdk/react";
import type { UIMessage } from "ai";
import { useEffect, useRef } from "react";
import { ResumableCutError } from "./stream-cut.ts";
import { pauseAfter } from "./until-answered.ts";
import type { AgentTransport } from "./use-agent-transport.ts";

/**
 * Follows the run of a stream whose connection broke: it continues on the server. Until the stream is back, the chat
 * is at work and shows no error.
 *
 * @param chat - The helpers of `useChat`.
 * @param transport - The transport of that chat.
 */
export function useCutStream<Message extends UIMessage>(
  chat: UseChatHelpers<Message>,
  transport: AgentTransport<Message>,
): UseChatHelpers<Message> {
  const { error, status, resumeStream } = chat;
  const cut = status === "error" && error instanceof ResumableCutError ? error : undefined;
  const cuts = useRef(0);
  useEffect(() => {
    if (status === "ready") cuts.current = 0;
  }, [status]);
  useEffect(() => {
    if (cut === undefined) return undefined;
    const timer = setTimeout(() => {
      cuts.current += 1;
      if (cut.runId !== undefined) transport.resumeNext(cut.runId);
      void resumeStream();
    }, pauseAfter(cuts.current));
    return () => clearTimeout(timer);
  }, [cut, transport, resumeStream]);
  return cut === undefined ? chat : { ...chat, status: "streaming", error: undefined };
}
