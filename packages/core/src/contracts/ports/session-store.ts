import type { Message } from "../message.ts";
import type { Owner } from "../owner.ts";

/** A stored conversation. */
export interface Session {
  /** Id of the session. */
  readonly id: string;
  /** The messages, in the order in which their turns were asked. */
  readonly messages: readonly Message[];
  /** Values that tools and hooks keep in the session. */
  readonly state: Readonly<Record<string, unknown>>;
  /**
   * Number of the session's last change of its messages. `load(id, { asOf: version })` returns the same messages later.
   * A store that cannot do this leaves it out.
   */
  readonly version?: number | undefined;
}

/** The runs that a store deleted with a conversation. */
export interface DeletedSession {
  /** Runs that were deleted, without those inside their calls. */
  readonly runs: number;
  /** Runs among them that had not ended: they waited for a person, a time or a worker, or were driven. */
  readonly open: number;
}

/** A write to one key of a session's state. */
export interface StateWrite {
  /** The key in the session's state. */
  readonly key: string;
  /** Plain JSON. */
  readonly value: unknown;
  /** The value that the writer read; `undefined` if the key did not exist. */
  readonly expected: unknown;
}

/** The result of a write to a session's state. */
export type StateWritten =
  | {
      readonly written: true;
      /** The values of an earlier write with the same `once`: this one wrote nothing. */
      readonly repeated?: Readonly<Record<string, unknown>> | undefined;
    }
  /** A key had another value than expected, so nothing was written; `newer` has the stored values of these keys. */
  | { readonly written: false; readonly newer: Readonly<Record<string, unknown>> };

/**
 * Conversations across runs. Tenant and user are part of a session's identity: the same id under two owners is two
 * sessions, and a session of another owner is not visible. A shared session belongs to its tenant, and every user of
 * the tenant finds it by its id, unless the user has a session of that id.
 */
export interface SessionStore {
  /**
   * An unknown id is an empty session.
   *
   * @param id - The session.
   * @param options - `limitTokens` keeps the latest messages that fit, beginning with a user message (a token is
   *   counted as four characters); `before` is a position: only messages before the one at that place, counted from 0;
   *   `asOf` is a `version` of the session: the messages as a reader got them then, without later ones and edits.
   */
  load(
    id: string,
    options?: Owner & {
      readonly limitTokens?: number | undefined;
      readonly before?: number | undefined;
      readonly asOf?: number | undefined;
    },
  ): Promise<Session>;
  /**
   * Adds a run's messages; idempotent by run and seq. Keys of `state` replace those of the session, others stay.
   *
   * @param id - The session; it is created if it does not exist.
   * @param messages - The messages to add at the end.
   * @param run - The owner of the session, the run, and `seq`, the number of its record: the pair makes a repeated call
   *   harmless. `state` has keys to set. With `askedAt`, which runs pass, each message keeps its own: readers get it at
   *   the place of its turn. Without it, messages lose theirs and are last.
   */
  append(
    id: string,
    messages: readonly Message[],
    run: Owner & {
      readonly runId: string;
      readonly seq: number;
      readonly state?: Readonly<Record<string, unknown>> | undefined;
      readonly askedAt?: number | undefined;
    },
  ): Promise<void>;
  /**
   * The state alone; empty for an unknown id.
   *
   * @param id - The session.
   * @param owner - Tenant and user of the session; default: neither.
   */
  loadState(id: string, owner?: Owner): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Compares and sets keys of the state in one transaction: all of them, or none. Creates the session if it does not
   * exist.
   *
   * @param id - The session.
   * @param writes - The keys; a key that does not have its expected value refuses all of them.
   * @param run - The run that writes. `once` names the write within the run: a repeated write gets the values of the first.
   */
  writeState(
    id: string,
    writes: readonly StateWrite[],
    run: Owner & { readonly runId: string; readonly once?: string | undefined },
  ): Promise<StateWritten>;
  /**
   * Newest first: sessions of the owner, and the shared ones of the tenant.
   *
   * @param options - Tenant and user, and `limit`, the largest number of sessions (default 50).
   */
  list(
    options?: Owner & { readonly limit?: number | undefined },
  ): Promise<readonly { readonly id: string; readonly updatedAt: number }[]>;
  /**
   * Messages that contain every word of a text, in any case.
   *
   * @param query - Words to find, separated by spaces.
   * @param options - Tenant and user, and `limit`, the largest number of messages (default 50).
   * @throws ConfigurationError `INVALID_INPUT` when `query` is not text.
   */
  search(
    query: string,
    options?: Owner & { readonly limit?: number | undefined },
  ): Promise<readonly { readonly id: string; readonly message: Message }[]>;
  /**
   * Copies a session, up to and with a message, into a new one; returns its id.
   *
   * @param id - The session to copy.
   * @param options - Tenant and user; `uptoMessageId` is the last message to copy (default: all), and `newId` the id of
   *   the copy (default: a new one).
   * @throws SessionNotFoundError
   */
  branch(
    id: string,
    options?: Owner & { readonly uptoMessageId?: string | undefined; readonly newId?: string | undefined },
  ): Promise<string>;
  /**
   * Replaces one message. Runs that have read the former one still get it, until the session is deleted.
   *
   * @param id - The session.
   * @param messageId - Id of the message to replace.
   * @param message - The new message. Copy the other members of the old one: its `askedAt` is its place.
   * @param options - Tenant and user of the session.
   * @throws SessionNotFoundError also if the session has no such message.
   */
  edit(id: string, messageId: string, message: Message, options?: Owner): Promise<void>;
  /**
   * Deletes a session with its messages and state. A store that keeps runs too deletes the session's runs in the same
   * transaction, with the runs inside their calls, their records and their results in the ledger: no word of the
   * conversation is left. A run that waits ends with this, and a process that drives one is fenced. From then on, the
   * store refuses the id of a deleted run with `CONVERSATION_DELETED`.
   *
   * @param id - The session. An unknown id has only the owner's runs with this session id.
   * @param options - Tenant and user of the session.
   * @returns the number of runs that were deleted.
   */
  delete(id: string, options?: Owner): Promise<DeletedSession>;
  /**
   * JSONL: one line for the session's state and the runs that joined it, then one message per line. A run does not add
   * messages again that were imported.
   *
   * @param id - The session.
   * @param options - Tenant and user of the session.
   * @throws SessionNotFoundError
   */
  export(id: string, options?: Owner): Promise<string>;
  /**
   * Creates a session from an export; returns its id, a new one by default.
   *
   * @param jsonl - The text that `export` returned.
   * @param options - Tenant and user of the new session, and its `id`. Default: a new id.
   * @throws CorruptExportError naming the line.
   * @throws StoreError `SESSION_EXISTS` when the id is taken.
   */
  import(jsonl: string, options?: Owner & { readonly id?: string | undefined }): Promise<string>;
  /**
   * Shares an owner's session with every user of the tenant.
   *
   * @param id - The session.
   * @param owner - Tenant and user that the session belongs to now.
   * @throws SessionNotFoundError
   * @throws StoreError `SESSION_EXISTS` when the tenant has a shared session of this id.
   */
  share(id: string, owner?: Owner): Promise<void>;
  /**
   * Hands a session without a user to a user of its tenant, such as at sign-in. A store that keeps runs too hands over the
   * session's runs in the same transaction, with the runs inside their calls.
   *
   * @param id - The session.
   * @param owner - The user who gets it, and the tenant.
   * @throws SessionNotFoundError if there is no such session, or it has a user.
   * @throws StoreError `SESSION_EXISTS` when the user has a session of this id.
   */
  claim(id: string, owner: Owner & { readonly userId: string }): Promise<void>;
}
