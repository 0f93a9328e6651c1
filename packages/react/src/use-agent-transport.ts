import { DefaultChatTransport, type ChatTransport, type UIMessage, type UIMessageChunk } from "ai";
import { useEffect, useMemo, useRef } from "react";
import { agentClient, refusal, type AgentClient, type AgentClientOptions } from "./agent-client.ts";
import { chatRequestBody } from "./chat-request-body.ts";
import { watchStream, type RunStream } from "./stop-with-stream.ts";
import { checkedStream } from "./stream-cut.ts";
import { untilAnswered } from "./until-answered.ts";

/** Options of `useAgentTransport`. */
export interface AgentTransportOptions extends AgentClientOptions {
  /** The chat's id, the same as that of `useChat`. */
  readonly id: string;
  /**
   * Returns the id of the last message that the page shows. A run that answers another message, which another tab sent, is
   * then not resumed: the page would show an answer without its question. Default: the chat's active run is resumed.
   */
  readonly lastMessageId?: (() => string | undefined) | undefined;
}

/** A transport of `useChat` that stops, resumes and decides runs on the server. */
export interface AgentTransport<Message extends UIMessage = UIMessage> extends ChatTransport<Message> {
  /** The client that sends the requests. */
  readonly client: AgentClient;
  /**
   * Makes the next resumed stream that of a run, which also works after the run has ended.
   *
   * @param runId - Id of the run.
   */
  resumeNext(runId: string): void;
}

/**
 * Returns the transport of a chat for `useChat` of the AI SDK. `useChat().stop()` cancels the run on the server;
 * leaving the page, or unmounting the component, does not: the run continues and is resumed. Call the hook in the
 * component that calls `useChat`, before it, with the same id. `useAgentChat` does both.
 *
 * @param options - The chat's id and the place of the routes. A change of the id makes a new transport; other options are
 * read with each request.
 * @example
 * ```ts
 * import { useChat } from "@ai-sdk/react";
 * import { useAgentTransport } from "@bailiwick/react";
 *
 * export function usePlainChat(id: string): ReturnType<typeof useChat> {
 *   const transport = useAgentTransport({ id, api: "/api" });
 *   return useChat({ id, transport, resume: true });
 * }
 * ```
 */
export function useAgentTransport<Message extends UIMessage = UIMessage>(
  options: AgentTransportOptions,
): AgentTransport<Message> {
  const latest = useRef(options);
  latest.current = options;
  const made = useMemo(() => {
    const page = { isLeaving: false };
    return { page, transport: transportOf<Message>(() => latest.current, page) };
  }, [options.id]);
  // Runs before the cleanup of useChat's effects, which aborts its request.
  useEffect(() => {
    made.page.isLeaving = false;
    return () => {
      made.page.isLeaving = true;
    };
  }, [made]);
  return made.transport;
}

/**
 * The transport of a chat for other frameworks than React, such as `useChat` of Svelte and Vue. In React, call
 * `useAgentTransport`, which leaves the run alone when its component is taken away.
 *
 * @param options - The chat's id and the place of the routes.
 * @example
 * ```ts
 * import { agentTransport, type AgentTransport } from "@bailiwick/react";
 *
 * export const transport: AgentTransport = agentTransport({ id: "chat-7", api: "/api" });
 * ```
 */
export function agentTransport<Message extends UIMessage = UIMessage>(
  options: AgentTransportOptions,
): AgentTransport<Message> {
  return transportOf(() => options, { isLeaving: false });
}

/** The answer to a request that the page no longer follows. */
const pending = new Promise<never>(() => undefined);

function transportOf<Message extends UIMessage>(
  current: () => AgentTransportOptions,
  page: { readonly isLeaving: boolean },
): AgentTransport<Message> {
  const option = <Name extends keyof AgentClientOptions>(name: Name): AgentClientOptions[Name] => current()[name];
  const client = agentClient({
    get api() {
      return option("api");
    },
    get headers() {
      return option("headers");
    },
    get credentials() {
      return option("credentials");
    },
    get fetch() {
      return option("fetch");
    },
  });
  let resumed: string | undefined;
  let requests = 0;
  let reconnecting = new AbortController();
  const http = (runId?: string, limit?: AbortSignal): DefaultChatTransport<Message> => {
    const { api = "/api", headers, credentials, fetch = globalThis.fetch, lastMessageId } = current();
    return new DefaultChatTransport<Message>({
      api: `${api}/chat`,
      headers: async () => ({
        ...(typeof headers === "function" ? await headers() : headers),
        // The server leaves out what older pages do not understand.
        "x-ai-sdk-major": "7",
      }),
      ...(credentials !== undefined && { credentials }),
      // The AI SDK would show the body of a refusal as it came: the page gets its sentence, and the code as data.
      fetch: async (input, init) => {
        const response = await fetch(input, { ...init, ...(limit !== undefined && { signal: limit }) });
        if (!response.ok) throw await refusal(response);
        const { status, headers: received, body } = response;
        return body === null ? response : new Response(checkedStream(body), { status, headers: received });
      },
      prepareSendMessagesRequest: ({ id, messages, trigger, messageId, body }) => ({
        body: { ...body, ...chatRequestBody({ id, messages, trigger, messageId }) },
      }),
      prepareReconnectToStreamRequest: ({ id }) => {
        if (runId !== undefined) return { api: `${api}/runs/${encodeURIComponent(runId)}/stream` };
        const shown = lastMessageId?.();
        const query = shown === undefined ? "" : `?shown=${encodeURIComponent(shown)}`;
        return { api: `${api}/chat/${encodeURIComponent(id)}/stream${query}` };
      },
    });
  };

  /** Stops the run of a stream when its request is aborted, unless the page is left or the chat connects again. */
  const stoppable = async (
    chatId: string,
    opened: Promise<ReadableStream<UIMessageChunk> | null>,
    signal: AbortSignal | undefined,
    resumed?: { readonly runId: string | undefined },
  ): Promise<ReadableStream<UIMessageChunk> | null> => {
    requests += 1;
    const request = requests;
    const watched: Promise<RunStream | undefined> = opened.then((stream) =>
      stream === null ? undefined : watchStream(stream, resumed),
    );
    // The page looked for a stream, and has sent a message since.
    const isPassed = (): boolean => resumed !== undefined && request !== requests;
    const current = watched.then(
      (run) => {
        if (!isPassed()) return run;
        run?.leave();
        return pending;
      },
      (error: unknown) => {
        if (isPassed()) return pending;
        throw error;
      },
    );
    const stop = async (): Promise<void> => {
      const isLeft = page.isLeaving;
      // A chat that connects again aborts its former request immediately before.
      await new Promise((resolve) => setTimeout(resolve, 0));
      const run = await watched.catch(() => undefined);
      run?.leave();
      if (isLeft || request !== requests) return;
      const runId = resumed?.runId ?? (await run?.runId);
      if (runId !== undefined) await client.stop(chatId, runId);
    };
    const aborted = new Promise<never>((_resolve, reject) => {
      const onAbort = (): void => {
        // A failed request has no run to stop.
        stop().catch(() => undefined);
        reject(new DOMException("The chat was stopped.", "AbortError"));
      };
      if (signal?.aborted === true) onAbort();
      else signal?.addEventListener("abort", onAbort, { once: true });
    });
    aborted.catch(() => undefined);
    return (await Promise.race([current, aborted]))?.stream ?? null;
  };

  return {
    client,
    resumeStreamIsReplay: true,
    resumeNext(runId): void {
      resumed = runId;
    },
    async sendMessages({ abortSignal, ...request }) {
      // The page is past the stream that it looked for.
      reconnecting.abort();
      const sent = http().sendMessages({ ...request, abortSignal: undefined });
      return (await stoppable(request.chatId, sent, abortSignal)) as ReadableStream<UIMessageChunk>;
    },
    async reconnectToStream({ abortSignal, ...request }) {
      const runId = resumed;
      resumed = undefined;
      reconnecting.abort();
      const attempts = new AbortController();
      reconnecting = attempts;
      abortSignal?.addEventListener("abort", () => attempts.abort(), { once: true });
      const found = untilAnswered(async (limit) => http(runId, limit).reconnectToStream(request), {
        signal: attempts.signal,
      });
      return stoppable(request.chatId, found, abortSignal, { runId });
    },
  };
}
