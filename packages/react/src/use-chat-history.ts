import type { UIMessage } from "ai";
import { useEffect, useRef, useState } from "react";
import { abortedBy, type AgentClient, type LoadedChat } from "./agent-client.ts";
import { untilAnswered } from "./until-answered.ts";

/** A chat that is loaded in the page. */
export interface ChatHistory<Message extends UIMessage = UIMessage> {
  /** `undefined` until it is loaded. Show the chat then: `useChat` takes its first messages only once. */
  readonly chat: LoadedChat<Message> | undefined;
  /**
   * The error of the last request, if it failed. While the server is away the hook tries again, and the error is gone
   * once the chat is loaded.
   */
  readonly error: Error | undefined;
  /** True if there are messages before those that were loaded. */
  readonly hasOlder: boolean;
  /** Loads the messages before those that were loaded; put them before the chat's messages with `setMessages`. */
  loadOlder(): Promise<Message[]>;
  /** Loads it again, such as after another branch was chosen. */
  reload(): void;
}

/**
 * Loads a chat in the page. On the server, call `sessionToUIMessages` of `@bailiwick/server` instead.
 *
 * @param client - Made with `agentClient`, outside of the component.
 * @param chatId - The chat's id.
 * @param limit - Approximate number of messages that are loaded at once; default: 200.
 * @example
 * ```ts
 * import { agentClient, useChatHistory } from "@bailiwick/react";
 *
 * const client = agentClient();
 * export const useTitle = (chatId: string): string | undefined => useChatHistory(client, chatId).chat?.title;
 * ```
 */
export function useChatHistory<Message extends UIMessage = UIMessage>(
  client: AgentClient,
  chatId: string,
  limit?: number,
): ChatHistory<Message> {
  const [loaded, setLoaded] = useState<{
    readonly client?: AgentClient;
    readonly chat?: LoadedChat<Message>;
    readonly error?: Error;
  }>({});
  const [older, setOlder] = useState<string | null>(null);
  const loading = useRef<object | undefined>(undefined);
  const [times, setTimes] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    const fail = (error: Error): void => {
      if (!left.signal.aborted) setLoaded({ error });
    };
    setLoaded({});
    setOlder(null);
    loading.current = undefined;
    const load = async (limitedBy: AbortSignal): Promise<LoadedChat<Message>> =>
      abortedBy(client, limitedBy).chat<Message>(chatId, { limit });
    void untilAnswered(load, { signal: left.signal, onFailure: fail }).then((chat) => {
      if (left.signal.aborted) return;
      setLoaded({ client, chat });
      setOlder(chat.older);
    }, fail);
    return () => left.abort();
  }, [client, chatId, limit, times]);
  const loadOlder = async (): Promise<Message[]> => {
    // A second call while a page loads would return the same messages twice.
    if (older === null || loading.current !== undefined) return [];
    const request = {};
    loading.current = request;
    try {
      const page = await client.chat<Message>(chatId, { limit, before: older });
      if (loading.current !== request) return [];
      setOlder(page.older);
      return page.messages;
    } finally {
      if (loading.current === request) loading.current = undefined;
    }
  };
  // While the chat of a new id or client loads, the previous chat is not returned.
  const chat = loaded.chat?.id === chatId && loaded.client === client ? loaded.chat : undefined;
  const hasOlder = chat !== undefined && older !== null;
  return { chat, error: loaded.error, hasOlder, loadOlder, reload: () => setTimes((count) => count + 1) };
}
