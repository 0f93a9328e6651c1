import {
  BlobNotFoundError,
  ConversationDeletedError,
  FencedError,
  JournalTamperedError,
  MemoryNotFoundError,
  MemorySupersededError,
  RunNotFoundError,
  SessionBusyError,
  SessionNotFoundError,
  StoreError,
  TenantMismatchError,
  duplicateKey,
} from "@bailiwick/core/store";
import type { Failure, FailureCause } from "./failure.ts";

/**
 * The error that callers see.
 *
 * @param failure - Failure from the database's thread.
 * @param name - The store.
 */
export function toError(failure: Failure, name: string): Error {
  switch (failure.kind) {
    case "fenced":
      return new FencedError(failure.runId);
    case "run-not-found":
      return new RunNotFoundError(failure.runId, name);
    case "conversation-deleted":
      return new ConversationDeletedError(failure.runId, name);
    case "session-busy":
      return new SessionBusyError(failure.sessionId, failure.runId);
    case "duplicate-key":
      return duplicateKey(failure.runId, failure.key);
    case "tampered":
      return new JournalTamperedError(
        failure.runId,
        failure.seq,
        `The hash chain of run "${failure.runId}" breaks at record ${failure.seq}: the file was changed or damaged. Restore it from a backup.`,
      );
    case "blob-not-found":
      return new BlobNotFoundError(failure.hash);
    case "session-not-found":
      return new SessionNotFoundError(failure.sessionId, failure.owner, failure.messageId);
    case "memory-not-found":
      return new MemoryNotFoundError(failure.memoryId);
    case "memory-superseded":
      return new MemorySupersededError(failure.memoryId);
    case "tenant-mismatch":
      return new TenantMismatchError(`The memory "${failure.memoryId}"`);
    case "store":
      return new StoreError(failure.code, failure.message, {
        ...(failure.runId !== undefined && { runId: failure.runId }),
        ...(failure.cause !== undefined && { cause: toCause(failure.cause) }),
      });
  }
}

function toCause({ name, message, stack, ...more }: FailureCause): Error {
  const cause = Object.assign(new Error(message), more);
  cause.name = name;
  if (stack !== undefined) cause.stack = stack;
  return cause;
}
