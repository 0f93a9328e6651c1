import { RefusedError, refuse } from "../thread/failure.ts";

/** Primary result codes of SQLite that are distinguished. */
export const sqliteCode = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  constraint: 19,
  notADatabase: 26,
} as const;

/** The primary result code of an error that `node:sqlite` threw. */
export function codeOf(error: unknown): number | undefined {
  const code =
    typeof error === "object" && error !== null ? (error as { readonly errcode?: unknown }).errcode : undefined;
  return typeof code === "number" ? code & 0xff : undefined;
}

/** True if another connection is in the way, for now. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  // "protocol" means that other connections kept this one from beginning to read, again and again: there were many of
  // them.
  return code === sqliteCode.busy || code === sqliteCode.locked || code === sqliteCode.protocol;
}

const explanations: Readonly<Record<number, readonly [code: string, text: string]>> = {
  [sqliteCode.busy]: [
    "STORE_LOCKED",
    'was locked by another process for too long. Look for a process that holds it open in a transaction or with processes: "one"; runs can be resumed when it is free',
  ],
  [sqliteCode.locked]: [
    "STORE_LOCKED",
    "was locked by another connection for too long; runs can be resumed when it is free",
  ],
  [sqliteCode.protocol]: [
    "STORE_LOCKED",
    "was in use by too many other connections for too long. Look for processes that open it again and again; runs can be resumed when it is free",
  ],
  [sqliteCode.readOnly]: [
    "STORE_READ_ONLY",
    "cannot be written: the file or its folder is read-only for this process. Change their permissions or owner; runs can be resumed after that",
  ],
  [sqliteCode.io]: [
    "STORE_IO",
    "could not be read or written: the disk reported an error. Check the disk; runs can be resumed when it works again",
  ],
  [sqliteCode.corrupt]: [
    "STORE_CORRUPT",
    "is damaged. Stop all processes that use it, keep a copy of the file and of its -wal file, and restore a backup or run sqlite3's .recover",
  ],
  [sqliteCode.full]: [
    "STORE_FULL",
    "has no space left on its disk. Nothing of this write is stored; free space, then resume the run",
  ],
  [sqliteCode.cannotOpen]: [
    "STORE_CANNOT_OPEN",
    "could not be opened. Check that the path is a file that this process may read and write",
  ],
  [sqliteCode.notADatabase]: [
    "STORE_NOT_A_DATABASE",
    "is not a SQLite database. Give the path of a store, or of a file that does not exist yet",
  ],
};

/**
 * Turns an error of SQLite into a failure with a remedy; an explained failure is returned unchanged.
 *
 * @param error - The thrown value.
 * @param name - The store, such as `sqlite:/data/runs.db`.
 */
export function toRefused(error: unknown, name: string): RefusedError {
  if (error instanceof RefusedError) return error;
  const code = codeOf(error);
  const known = code === undefined ? undefined : explanations[code];
  if (known !== undefined) return refuse(known[0], `The store "${name}" ${known[1]}.`, { cause: error });
  if (isClosed(error))
    return refuse("STORE_CLOSED", `The store "${name}" is closed. Open it again before it is used.`, { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return refuse("STORE_FAILED", `The store "${name}" failed: ${reason}. Runs can be resumed when it works again.`, {
    cause: error,
  });
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && /database is not open|statement has been finalized/.test(error.message);
}
