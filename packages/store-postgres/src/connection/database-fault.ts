/** The phase of a request in which an error happened. */
export type FaultPlace = "connect" | "statement";

/** The error of `pg` or the server, before it is classified. */
export class DatabaseFaultError extends Error {
  /** PostgreSQL's code of five characters; `undefined` if the server did not answer. */
  readonly sqlState: string | undefined;
  /** True if the connection is gone, so that the outcome of the last statement is unknown. */
  readonly lost: boolean;
  /** True if a retry may succeed, because the request itself is valid. */
  readonly passing: boolean;
  readonly place: FaultPlace;

  constructor(place: FaultPlace, cause: unknown) {
    super(cause instanceof Error && cause.message !== "" ? cause.message : codeOf(cause), { cause });
    this.name = "DatabaseFaultError";
    this.place = place;
    const code = codeOf(cause);
    this.sqlState = /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("E") ? code : undefined;
    this.lost = this.sqlState === undefined ? place === "statement" : lostStates.test(this.sqlState);
    this.passing =
      this.sqlState === undefined
        ? place === "statement" || passingCodes.has(code) || passingText.test(this.message)
        : this.lost || passingStates.has(this.sqlState);
  }
}

/** The connection failed, or the server ends it: shutdown, crash, a time limit on idle transactions. */
const lostStates = /^(?:08...|57P0[1-5]|25P0[34])$/;
/** A serialization failure, a deadlock, too many connections. */
const passingStates: ReadonlySet<string> = new Set(["40001", "40P01", "53300"]);
/** Codes of Node while it connects. */
const passingCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOENT",
]);
/** Messages of `pg`, which has no codes for these. */
const passingText = /connection terminated|timeout exceeded when trying to connect|was closed|connection error/i;

function codeOf(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null ? (cause as { readonly code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}
