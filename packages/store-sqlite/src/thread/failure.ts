/** A failure of the database's thread: plain values, from which the other side makes the error for callers. */
export type Failure =
  | { readonly kind: "fenced"; readonly runId: string }
  | { readonly kind: "run-not-found" | "conversation-deleted"; readonly runId: string }
  | { readonly kind: "session-busy"; readonly sessionId: string; readonly runId: string }
  | { readonly kind: "duplicate-key"; readonly runId: string; readonly key: string }
  | { readonly kind: "tampered"; readonly runId: string; readonly seq: number }
  | { readonly kind: "blob-not-found"; readonly hash: string }
  | {
      readonly kind: "session-not-found";
      readonly sessionId: string;
      readonly owner: { readonly tenantId: string | undefined; readonly userId: string | undefined };
      readonly messageId?: string | undefined;
    }
  | { readonly kind: "memory-not-found" | "memory-superseded" | "tenant-mismatch"; readonly memoryId: string }
  | {
      readonly kind: "store";
      readonly code: string;
      readonly message: string;
      readonly runId?: string | undefined;
      readonly cause?: FailureCause | undefined;
    };

/** The error that SQLite reported. */
export interface FailureCause {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: string | undefined;
  readonly errcode?: number | undefined;
  readonly errstr?: string | undefined;
}

/** Thrown in the database's thread. */
export class RefusedError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind === "store" ? failure.message : failure.kind);
    this.name = "Refused";
    this.failure = failure;
  }
}

/** A failure of the store itself. */
export function refuse(
  code: string,
  message: string,
  more?: { readonly runId?: string; readonly cause?: unknown },
): RefusedError {
  const cause = more?.cause === undefined ? undefined : causeOf(more.cause);
  return new RefusedError({
    kind: "store",
    code,
    message,
    ...(more?.runId !== undefined && { runId: more.runId }),
    ...(cause !== undefined && { cause }),
  });
}

function causeOf(thrown: unknown): FailureCause {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, code, errcode, errstr } = thrown as Error & Omit<FailureCause, "name" | "message">;
  return {
    name,
    message,
    ...(stack !== undefined && { stack }),
    ...(typeof code === "string" && { code }),
    ...(typeof errcode === "number" && { errcode }),
    ...(typeof errstr === "string" && { errstr }),
  };
}
