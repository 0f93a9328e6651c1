import { factsOfStore } from "./codes.ts";
import { BailiwickError, type BailiwickErrorOptions } from "./bailiwick-error.ts";

/** Another process took the run: nothing was written. */
export class FencedError extends BailiwickError {
  /**
   * @param runId - Id of the run.
   * @param message - Replaces the usual text, which says that another process has the run.
   */
  constructor(runId: string, message?: string) {
    super(
      "FENCED",
      message ??
        `The lease on run "${runId}" is stale: another process has taken the run, or it was deleted. Nothing was written; stop driving this run.`,
      { runId },
    );
  }
}

/**
 * True if the error means that a lease was lost, also if another copy of the framework made the error.
 *
 * @param error - The thrown value.
 * @example
 * ```ts
 * import { isFenced } from "@bailiwick/core";
 *
 * export const mayTryAgain = (error: unknown): boolean => !isFenced(error);
 * ```
 */
export function isFenced(error: unknown): error is BailiwickError {
  return BailiwickError.isInstance(error) && error.code === "FENCED";
}

/**
 * The store failed: full disk, lost connection, read-only file. A run waits while the error is `retryable`, which is the
 * default for a code of your own, and can be resumed when the store works again.
 */
export class StoreError extends BailiwickError {
  /**
   * @param code - A stable code in capitals.
   * @param message - What happened, where, and what to do.
   * @param options - `cause` is the error behind this one; `retryable` says if the same call may succeed later.
   */
  constructor(code: string, message: string, options?: BailiwickErrorOptions) {
    super(code, message, { ...options, retryable: options?.retryable ?? factsOfStore(code).retryable });
  }
}

/** The journal could not be written after effects may have happened. */
export class JournalUnavailableError extends BailiwickError {
  /** Calls whose effect may have happened without being recorded. */
  readonly uncertainCalls: readonly { readonly toolCallId: string; readonly toolName: string }[];

  constructor(
    runId: string,
    uncertainCalls: readonly { readonly toolCallId: string; readonly toolName: string }[],
    options?: BailiwickErrorOptions,
  ) {
    super(
      "JOURNAL_UNAVAILABLE",
      `The journal of run "${runId}" could not be written. ${reasonOf(options?.cause)}` +
        (uncertainCalls.length === 0
          ? "No effect is uncertain. Repair the store and resume the run."
          : `The journal does not show if these calls took effect: ${uncertainCalls.map((call) => call.toolName).join(", ")}. Repair the store and resume the run: it will ask about them.`),
      { ...options, runId },
    );
    this.uncertainCalls = uncertainCalls;
  }
}

/** The sentences of a store's error, such as the process that holds its lock. */
function reasonOf(cause: unknown): string {
  if (!BailiwickError.isInstance(cause)) return "";
  return `${cause.message}${cause.message.endsWith(".") ? "" : "."} `;
}

/**
 * The journal's next key differs from the key that the run derives: the journal was changed, or the code is not
 * deterministic.
 */
export class ReplayDivergenceError extends BailiwickError {
  /** The key that the run derives. */
  readonly expected: string;
  /** The key that the journal has instead. */
  readonly found: string;

  constructor(runId: string, expected: string, found: string) {
    super("REPLAY_DIVERGENCE", `Run "${runId}" derives the key "${expected}" where its journal has "${found}".`, {
      runId,
    });
    this.expected = expected;
    this.found = found;
  }
}

/** The hash chain or the signature of the journal is invalid. */
export class JournalTamperedError extends BailiwickError {
  /** Position at which the chain breaks. */
  readonly seq: number;

  /**
   * @param runId - Id of the run.
   * @param seq - Number of the wrong record.
   * @param message - The check that failed.
   */
  constructor(runId: string, seq: number, message: string) {
    super("JOURNAL_TAMPERED", message, { runId });
    this.seq = seq;
  }
}

/** The journal has a format version that cannot be migrated. */
export class JournalVersionError extends BailiwickError {
  /** Version of the format in which the journal was written. */
  readonly version: number;

  constructor(runId: string, version: number, supported: number) {
    super(
      "JOURNAL_VERSION",
      `Run "${runId}" was written in journal format ${version}; this version reads up to ${supported}. Use a newer version of the framework.`,
      { runId },
    );
    this.version = version;
  }
}

/** No blob has that hash. */
export class BlobNotFoundError extends BailiwickError {
  /**
   * @param hash - SHA-256 of the content, in hex.
   */
  constructor(hash: string) {
    super("BLOB_NOT_FOUND", `No blob "${hash}" is in the store.`);
  }
}
