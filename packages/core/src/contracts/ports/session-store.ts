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
  /** An unknown id is an empty session. */
  load(
    id: string,
    options?: SessionScope & { readonly limitTokens?: number | undefined; readonly before?: number | undefined },
  ): Promise<Session>;
  /** Adds a run's messages; idempotent by run and seq. */
  append(
    id: string,
    messages: readonly Message[],
    run: SessionScope & {
      readonly runId: string;
      readonly seq: number;
      readonly state?: Readonly<Record<string, unknown>> | undefined;
    },
  ): Promise<void>;
  list(options?: SessionScope & { readonly limit?: number | undefined }): Promise<readonly { readonly id: string; readonly updatedAt: number }[]>;
  search(query: string, options?: SessionScope & { readonly limit?: number | undefined }): Promise<readonly { readonly id: string; readonly message: Message }[]>;
  /** Copies a session up to a message into a new one; returns its id. */
  branch(id: string, options?: SessionScope & { readonly uptoMessageId?: string | undefined; readonly newId?: string | undefined }): Promise<string>;
  /** Replaces one message. */
  edit(id: string, messageId: string, message: Message, options?: SessionScope): Promise<void>;
  delete(id: string, options?: SessionScope): Promise<void>;
  /** JSONL, one message a line. */
  export(id: string, options?: SessionScope): Promise<string>;
  /** @throws CorruptExport naming the line. */
  import(jsonl: string, options?: SessionScope & { readonly id?: string | undefined }): Promise<string>;
}
