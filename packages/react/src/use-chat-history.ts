import type { UIMessage } from "ai";
import { useEffect, useState } from "react";
import type { AgentClient, LoadedChat } from "./agent-client.ts";

/** A chat that is loaded in the page. */
export interface ChatHistory<Message extends UIMessage = UIMessage> {
  /** `undefined` until it is loaded. Show the chat then: `useChat` takes its first messages only once. */
  readonly chat: LoadedChat<Message> | undefined;
  readonly error: Error | undefined;
  /** Loads it again, such as after another branch was chosen. */
  reload(): void;
}

/**
 * Loads a chat in the page. On the server, call `sessionToUIMessages` of `@bailiwick/server` instead.
 *
 * @param client - Made with `agentClient`, outside of the component.
 * @param chatId - The chat's id.
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
): ChatHistory<Message> {
  const [loaded, setLoaded] = useState<{ readonly chat?: LoadedChat<Message>; readonly error?: Error }>({});
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let isGone = false;
    setLoaded({});
    void client.chat<Message>(chatId).then(
      (chat) => {
        if (!isGone) setLoaded({ chat });
      },
      (error: Error) => {
        if (!isGone) setLoaded({ error });
      },
    );
    return () => {
      isGone = true;
    };
  }, [client, chatId, times]);
  // The chat of another id is not this one's while it loads.
  const chat = loaded.chat?.id === chatId ? loaded.chat : undefined;
  return { chat, error: loaded.error, reload: () => setTimes((count) => count + 1) };
}
