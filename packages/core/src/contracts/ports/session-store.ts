import type { Message } from "../message.ts";

/** Who a session belongs to; part of every key. */
export interface SessionScope {
  readonly tenantId?: string | undefined;
}

/** A stored conversation. */
export interface Session {
  readonly id: string;
  readonly messages: readonly Message[];
  readonly state: Readonly<Record<string, unknown>>;
}

/** Conversations across runs. */
export interface SessionStore {
  /**
   * An unknown id is an empty session.
   *
   * @param id - The session.
   * @param options - `limitTokens` keeps the latest messages that fit, from a user message on (a token is counted as
   * four characters); `before` is a position: only messages before the one at that place, counted from 0.
   */
  load(
    id: string,
    options?: SessionScope & { readonly limitTokens?: number | undefined; readonly before?: number | undefined },
  ): Promise<Session>;
  /** Adds a run's messages; idempotent by run and seq. Keys of `state` replace those of the session, others stay. */
  append(
    id: string,
    messages: readonly Message[],
    run: SessionScope & {
      readonly runId: string;
      readonly seq: number;
      readonly state?: Readonly<Record<string, unknown>> | undefined;
    },
  ): Promise<void>;
  list(
    options?: SessionScope & { readonly limit?: number | undefined },
  ): Promise<readonly { readonly id: string; readonly updatedAt: number }[]>;
  search(
    query: string,
    options?: SessionScope & { readonly limit?: number | undefined },
  ): Promise<readonly { readonly id: string; readonly message: Message }[]>;
  /**
   * Copies a session, up to and with a message, into a new one; returns its id.
   *
   * @throws SessionNotFound
   */
  branch(
    id: string,
    options?: SessionScope & { readonly uptoMessageId?: string | undefined; readonly newId?: string | undefined },
  ): Promise<string>;
  /**
   * Replaces one message.
   *
   * @throws SessionNotFound also when the session has no such message.
   */
  edit(id: string, messageId: string, message: Message, options?: SessionScope): Promise<void>;
  delete(id: string, options?: SessionScope): Promise<void>;
  /**
   * JSONL: a line for the session's state and for the runs that joined it, then one message a line. What a run adds once
   * is not added again to what is imported.
   *
   * @throws SessionNotFound
   */
  export(id: string, options?: SessionScope): Promise<string>;
  /**
   * Makes a session from an export; returns its id, a new one where none is given.
   *
   * @throws CorruptExport naming the line.
   * @throws StoreError `SESSION_EXISTS` when the id is taken.
   */
  import(jsonl: string, options?: SessionScope & { readonly id?: string | undefined }): Promise<string>;
}
