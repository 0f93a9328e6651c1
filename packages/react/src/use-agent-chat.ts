import { useChat, type UseChatHelpers, type UseChatOptions } from "@ai-sdk/react";
import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from "ai";
import { useRef } from "react";
import type { AgentClientOptions } from "./agent-client.ts";
import { useAgentTransport, type AgentTransport } from "./use-agent-transport.ts";
import { useCutStream } from "./use-cut-stream.ts";
import { useOtherTabs } from "./use-other-tabs.ts";
import { useInterruptions, type OpenInterruptions } from "./use-interruptions.ts";

type InitOptions<Message extends UIMessage> = Exclude<UseChatOptions<Message>, { readonly chat: unknown }>;

/** Options of `useAgentChat`: those of `useChat`, and the address of the routes. */
export type AgentChatOptions<Message extends UIMessage = UIMessage> = Omit<
  InitOptions<Message>,
  "transport" | "id" | "chat"
> &
  AgentClientOptions & {
    /** The chat's id; the session on the server has it too. */
    readonly id: string;
  };

/** The helpers of `useChat`, with the open questions. */
export type AgentChat<Message extends UIMessage = UIMessage> = UseChatHelpers<Message> & {
  readonly transport: AgentTransport<Message>;
  /** Questions that the chat's runs wait for. */
  readonly open: OpenInterruptions;
};

/**
 * `useChat` of the AI SDK over the routes of an agent: approvals and results of client tools are sent when all are
 * complete, a running or waiting run is resumed when the page opens and when its connection broke, what another tab or person did is shown when the tab comes
 * into view and while a call waits, and `stop()` cancels the run on the server.
 *
 * @param options - As `useChat` takes them, with `api` in place of a transport. `resume` is on unless it is `false`.
 * @example
 * ```ts
 * import { useAgentChat } from "@bailiwick/react";
 *
 * export function useSupportChat(id: string): { readonly texts: readonly string[]; readonly questions: number } {
 *   const { messages, open } = useAgentChat({ id });
 *   const texts = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
 *   return { texts, questions: open.interruptions.length };
 * }
 * ```
 */
export function useAgentChat<Message extends UIMessage = UIMessage>(
  options: AgentChatOptions<Message>,
): AgentChat<Message> {
  const { api, headers, credentials, fetch, ...rest } = options;
  const shown = useRef<readonly UIMessage[]>([]);
  const lastMessageId = (): string | undefined => shown.current.at(-1)?.id;
  const transport = useAgentTransport<Message>({ id: options.id, api, headers, credentials, fetch, lastMessageId });
  const chat = useCutStream(
    useChat<Message>({
      resume: true,
      sendAutomaticallyWhen: isAnswered,
      ...rest,
      transport,
    }),
    transport,
  );
  shown.current = chat.messages;
  const open = useInterruptions(chat, transport);
  useOtherTabs(options.id, chat, transport);
  return { ...chat, transport, open };
}

/** True once the page has answered all approvals and client tools that the last run waits for. */
function isAnswered(given: { readonly messages: UIMessage[] }): boolean {
  if (lastAssistantMessageIsCompleteWithApprovalResponses(given)) return true;
  // A run may end with results of the server's tools: the page only continues a run that waits.
  const { status } = (given.messages.at(-1)?.metadata ?? {}) as { readonly status?: unknown };
  return status === "suspended" && lastAssistantMessageIsCompleteWithToolCalls(given);
}
