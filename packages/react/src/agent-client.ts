import type { Decision, InterruptionData, JournalEvent } from "@bailiwick/core";
import type { UIMessage } from "ai";

/** The address of the routes, and the headers of each request. */
export interface AgentClientOptions {
  /** The path or address at which `runRoutes` is mounted; default `/api`. */
  readonly api?: string | undefined;
  /** Headers of each request, such as `authorization`; a function is called each time. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** The credentials mode of requests. Default: the browser's, which is `same-origin`. */
  readonly credentials?: RequestInit["credentials"];
  /** The HTTP client. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A chat in a list. */
export interface ChatView {
  /** Id of the chat. */
  readonly id: string;
  /** Title, if the chat has one. */
  readonly title?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A chat with its messages. */
export interface LoadedChat<Message extends UIMessage = UIMessage> {
  /** Id of the chat. */
  readonly id: string;
  /** Title, if the chat has one. */
  readonly title?: string | undefined;
  /** The chosen branch. */
  readonly branch: string;
  /** The driven run, or the one that waits for a person; `null` if there is none. */
  readonly activeStreamId: string | null;
  /** Oldest first. */
  readonly messages: Message[];
  /** The position before the loaded messages: `before` of the next page; `null` on the first page. */
  readonly older: string | null;
}

/** A page of a list. */
export interface PageOptions {
  /** Approximate number; the server has a limit too. */
  readonly limit?: number | undefined;
  /** `older` of the previous page; default: the newest. */
  readonly before?: string | undefined;
}

/** A page of the caller's chats, newest first. */
export interface ChatList {
  /** The chats of the page, newest first. */
  readonly chats: readonly ChatView[];
  /** `before` of the next page; `null` on the last one. */
  readonly older: string | null;
}

/** A branch of a chat. */
export interface ChatBranchView {
  /** Id of the branch. */
  readonly id: string;
  /** Id of the branch that this one was made from. */
  readonly parent?: string | undefined;
  /** The user message from which it differs. */
  readonly messageId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt?: number | undefined;
}

/** A run with its result. */
export interface RunView {
  /** Id of the run. */
  readonly runId: string;
  /** Session of the run. */
  readonly sessionId: string;
  /** State of the run in the store. */
  readonly state:
    | "queued"
    | "running"
    | "suspended"
    | "sleeping"
    | "stuck"
    | "completed"
    | "stopped"
    | "cancelled"
    | "failed";
  /** Status of the run when the call returned. */
  readonly status?: string | undefined;
  /** Reason of the end. */
  readonly stopReason?: string | undefined;
  /** Text of the answer. */
  readonly text: string;
  /** Tokens and cost of the run. */
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number };
  /** The cost in US dollars; absent if a price is unknown. */
  readonly costUsd?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Time of the last change, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A decision, with the level that the person has seen: a suspicious question needs it. */
export type SentDecision = Decision & { readonly acknowledged?: "suspicious" | undefined };

/** The routes of chats and runs as functions. */
export interface AgentClient {
  /** Address and headers of the server. */
  readonly options: AgentClientOptions;
  /**
   * The chats of the caller, newest first; 50 per page by default.
   *
   * @param page - Number of items, and the position of the page.
   */
  chats(page?: PageOptions): Promise<ChatList>;
  /**
   * A chat with its newest messages, 200 by default, or with those before a position.
   *
   * @param chatId - Id of the chat.
   * @param page - Number of items, and the position of the page.
   */
  chat<Message extends UIMessage = UIMessage>(chatId: string, page?: PageOptions): Promise<LoadedChat<Message>>;
  /**
   * Renames a chat.
   *
   * @param chatId - Id of the chat.
   * @param title - New title.
   */
  rename(chatId: string, title: string): Promise<void>;
  /**
   * Deletes the chat with its branches and runs.
   *
   * @param chatId - Id of the chat.
   */
  remove(chatId: string): Promise<void>;
  /**
   * Lists the branches of a chat.
   *
   * @param chatId - Id of the chat.
   */
  branches(chatId: string): Promise<{ readonly active: string; readonly branches: readonly ChatBranchView[] }>;
  /**
   * Chooses the branch that the chat shows and continues; load the chat again afterwards.
   *
   * @param chatId - Id of the chat.
   * @param branch - Id of the branch.
   */
  chooseBranch(chatId: string, branch: string): Promise<void>;
  /**
   * Cancels the chat's run; with a run's id, only that one. Returns true if one was cancelled.
   *
   * @param chatId - Id of the chat.
   * @param activeStreamId - Id of one run; without it, the run of the chat is cancelled.
   */
  stop(chatId: string, activeStreamId?: string): Promise<boolean>;
  /**
   * Lists the open questions of a run.
   *
   * @param runId - Id of the run.
   */
  interruptions(runId: string): Promise<readonly InterruptionData[]>;
  /**
   * Sends decisions to the server.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   */
  decide(runId: string, decisions: readonly SentDecision[]): Promise<void>;
  /**
   * Returns the state of a run.
   *
   * @param runId - Id of the run.
   */
  run(runId: string): Promise<RunView>;
  /**
   * Records of the run after a position. Needs the right to `audit`.
   *
   * @param runId - Id of the run.
   * @param after - Position of the last record that you have.
   */
  journal(runId: string, after?: number): Promise<readonly JournalEvent[]>;
}

/** The server refused a request. */
export class AgentRequestError extends Error {
  /** Such as `FORBIDDEN`; `HTTP_502` and the like if another server answered. */
  readonly code: string;
  /** HTTP status of the server's answer. */
  readonly status: number;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "AgentRequestError";
    this.status = status;
    this.code = code;
  }
}

/**
 * Makes a client of the routes.
 *
 * @param options - Their address; default `/api`.
 * @returns functions that reject with `AgentRequestError` when the server refuses.
 * @example
 * ```ts
 * import { agentClient, type ChatView } from "@bailiwick/react";
 *
 * const client = agentClient({ api: "/api" });
 * export const newest = async (): Promise<ChatView | undefined> => (await client.chats({ limit: 1 })).chats[0];
 * ```
 */
export function agentClient(options: AgentClientOptions = {}): AgentClient {
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const { api = "/api", headers, credentials, fetch = globalThis.fetch } = options;
    const given = typeof headers === "function" ? await headers() : headers;
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { ...given, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(credentials !== undefined && { credentials }),
      // A decision or a stop that is sent while the page closes still arrives.
      ...(body !== undefined && { body: JSON.stringify(body), keepalive: true }),
    });
    if (!response.ok) throw await refusal(response);
    return response.status === 204 ? undefined : response.json();
  };
  const chatPath = (chatId: string): string => `/chat/${encodeURIComponent(chatId)}`;
  const runPath = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  return {
    options,
    chats: async (page) => (await send("GET", `/chat${queryOf(page)}`)) as ChatList,
    chat: async <Message extends UIMessage>(chatId: string, page?: PageOptions) =>
      (await send("GET", `${chatPath(chatId)}${queryOf(page)}`)) as LoadedChat<Message>,
    rename: async (chatId, title) => void (await send("PATCH", chatPath(chatId), { title })),
    remove: async (chatId) => void (await send("DELETE", chatPath(chatId))),
    branches: async (chatId) =>
      (await send("GET", `${chatPath(chatId)}/branches`)) as { active: string; branches: readonly ChatBranchView[] },
    chooseBranch: async (chatId, branch) => void (await send("PATCH", chatPath(chatId), { branch })),
    stop: async (chatId, activeStreamId) =>
      ((await send("POST", `${chatPath(chatId)}/stop`, { activeStreamId })) as { stopped: boolean }).stopped,
    interruptions: async (runId) =>
      ((await send("GET", `${runPath(runId)}/interruptions`)) as { interruptions: readonly InterruptionData[] })
        .interruptions,
    decide: async (runId, decisions) => void (await send("POST", `${runPath(runId)}/decisions`, { decisions })),
    run: async (runId) => (await send("GET", runPath(runId))) as RunView,
    journal: async (runId, after = 0) =>
      ((await send("GET", `${runPath(runId)}/journal?after=${after}`)) as { events: readonly JournalEvent[] }).events,
  };
}

/**
 * The same client, whose requests a signal aborts.
 *
 * @param client - The client.
 * @param signal - The signal.
 */
export function abortedBy(client: AgentClient, signal: AbortSignal): AgentClient {
  const { fetch = globalThis.fetch } = client.options;
  return agentClient({ ...client.options, fetch: async (input, init) => fetch(input, { ...init, signal }) });
}

/** True if the server refuses an object to this caller, unlike an error that may pass, such as 429 or 502. */
export function isWithheld(error: unknown): boolean {
  return error instanceof AgentRequestError && [401, 403, 404].includes(error.status);
}

function queryOf({ limit, before }: PageOptions = {}): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set("limit", String(limit));
  if (before !== undefined) query.set("before", before);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

export async function refusal(response: Response): Promise<AgentRequestError> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly code?: unknown; readonly message?: unknown } }
    | undefined;
  const { code, message } = body?.error ?? {};
  if (typeof code === "string" && typeof message === "string") return new AgentRequestError(status, code, message);
  return new AgentRequestError(
    status,
    `HTTP_${status}`,
    `The server answered ${status}. Check where runRoutes is mounted.`,
  );
}
