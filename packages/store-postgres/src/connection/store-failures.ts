import { BailiwickError, StoreError } from "@bailiwick/core/store";
import { DatabaseFaultError } from "./database-fault.ts";

type Explanation = readonly [code: string, text: string];

const unreachable: Explanation = [
  "STORE_UNREACHABLE",
  "cannot be reached. Check that the server runs and that this machine may connect to it; runs can be resumed when it answers again",
];
const cannotOpen: Explanation = [
  "STORE_CANNOT_OPEN",
  "could not be opened: the server refused the user, the password or the database. Check the URL, and that the database exists",
];
const damaged: Explanation = [
  "STORE_CORRUPT",
  "is damaged: the server says so. Stop the processes that use it, and restore a backup or ask your administrator",
];
const missing: Explanation = [
  "STORE_FORMAT",
  "does not have the tables of this version: its schema was changed or dropped while it was open. Restore it, then open the store again",
];

const conflict: Explanation = [
  "STORE_CONFLICT",
  "was changed by others at the same time, again and again. Nothing of this write is stored; runs can be resumed",
];

const explanations: Readonly<Record<string, Explanation>> = {
  "25006": [
    "STORE_READ_ONLY",
    "cannot be written: the server takes no writes, as a standby does. Give the address of the primary; runs can be resumed after that",
  ],
  "28000": cannotOpen,
  "28P01": cannotOpen,
  "3D000": cannotOpen,
  "3F000": missing,
  "42P01": missing,
  "42703": missing,
  "40001": conflict,
  "40P01": conflict,
  "42501": [
    "STORE_FORBIDDEN",
    "refuses this user what the store needs. Grant it USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables, and CREATE where it makes or migrates them",
  ],
  "53100": [
    "STORE_FULL",
    "has no space left on its disk. Nothing of this write is stored; free space, then resume the run",
  ],
  "53200": ["STORE_FAILED", "ran out of memory. Nothing of this write is stored; runs can be resumed"],
  "53300": [
    "STORE_BUSY",
    'has no connection left for this process. Lower "maxConnections", raise the server\'s max_connections, or put a connection pooler before it; runs can be resumed when it has',
  ],
  "54000": [
    "STORE_TOO_LONG",
    "refused an id or a key for its length: PostgreSQL indexes some 2,700 bytes. Use a shorter one",
  ],
  "55P03": [
    "STORE_LOCKED",
    "was locked by another process for too long. Look for one that holds a transaction open (pg_stat_activity); runs can be resumed when it is free",
  ],
  "57014": [
    "STORE_TIMEOUT",
    'took longer over a statement than "statementTimeoutMs" allows, or it was cancelled. Nothing of this write is stored; look at the load of the server, then resume the run',
  ],
  "58030": [
    "STORE_IO",
    "could not be read or written: the server's disk reported an error. Check the disk; runs can be resumed when it works again",
  ],
  XX001: damaged,
  XX002: damaged,
};

/**
 * Turns a failure into an error that says what to do; an error that already does is returned unchanged.
 *
 * @param error - The error that was thrown.
 * @param name - The store, such as `postgres://db.example/app/bailiwick`.
 */
export function toStoreError(error: unknown, name: string): Error {
  if (BailiwickError.isInstance(error)) return error;
  const cause = error instanceof DatabaseFaultError ? error.cause : error;
  const [code, text] = explanationOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(code, `The store "${name}" ${text}. (${reason})`, { cause });
}

/** A write whose connection broke during its commit, and whose state could not be read afterwards. */
export function outcomeUnknown(error: unknown, name: string): StoreError {
  return new StoreError(
    "STORE_OUTCOME_UNKNOWN",
    `The store "${name}" could not be asked whether a write was committed: its connection broke at that moment, and no other could be made. Resume the run when the server answers: its journal says what is stored.`,
    { cause: error instanceof DatabaseFaultError ? error.cause : error },
  );
}

/** All connections of the pool were in use for too long. */
export function poolExhausted(name: string, timeoutMs: number): StoreError {
  return new StoreError(
    "STORE_BUSY",
    `The store "${name}" got no connection from its pool within ${timeoutMs} ms: all are in use. Raise "maxConnections" (or the pool's "max"), and look for connections that are taken and not given back; runs can be resumed when one is free.`,
  );
}

export function storeClosed(name: string): StoreError {
  return new StoreError("STORE_CLOSED", `The store "${name}" is closed. Open it again before it is used.`);
}

function explanationOf(error: unknown): Explanation {
  if (error instanceof DatabaseFaultError) {
    const known = error.sqlState === undefined ? undefined : explanations[error.sqlState];
    if (known !== undefined) return known;
    if (error.passing) return unreachable;
    if (/after calling end on the pool/.test(error.message))
      return ["STORE_CLOSED", "cannot be used any more: its pool was ended. Close the store before its pool"];
    if (error.place === "connect") return cannotOpen;
  }
  return ["STORE_FAILED", "failed. Runs can be resumed when it works again"];
}
