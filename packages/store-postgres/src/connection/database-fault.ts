/** Where in its way to the server something went wrong. */
export type FaultPlace = "connect" | "statement";

/** What `pg` or the server reported, before it is known what to do about it. */
export class DatabaseFaultError extends Error {
  /** PostgreSQL's code of five characters; `undefined` when the server said nothing. */
  readonly sqlState: string | undefined;
  /** Whether the connection is gone: nobody knows what became of the last statement. */
  readonly lost: boolean;
  /** Whether the same again may go well: nothing is wrong with what was asked. */
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
/** Of Node, while it makes a connection. */
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
/** Of `pg`, which has no codes for these. */
const passingText = /connection terminated|timeout exceeded when trying to connect|was closed|connection error/i;

function codeOf(cause: unknown): string {
  const code = typeof cause === "object" && cause !== null ? (cause as { readonly code?: unknown }).code : undefined;
  return typeof code === "string" ? code : "";
}
