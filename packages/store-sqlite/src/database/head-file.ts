import { closeSync, fdatasync, fdatasyncSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** The newest commit of a store: its number, and the store that it belongs to. */
export interface Head {
  readonly storeId: string;
  readonly commits: number;
}

/** Length of the file's only line: it is overwritten in place, so a full disk does not stop it. */
const lineLength = 80;

/** Path of the separate file that stores the head. */
export const headPath = (path: string): string => `${path}-head`;

/**
 * Reads the head that was kept last. `undefined` if there is none: a process that is killed while it creates the file
 * leaves it empty.
 *
 * @returns `"damaged"` if the file holds something else than a head.
 */
export function readHead(path: string): Head | "damaged" | undefined {
  let line: string;
  try {
    line = readFileSync(headPath(path), "utf8");
  } catch {
    return undefined;
  }
  if (line === "") return undefined;
  const found = /^([0-9a-f]{32}) (\d{1,16}) end *\n$/.exec(line);
  if (found === null) return "damaged";
  return { storeId: found[1] ?? "", commits: Number(found[2]) };
}

/** Removes the head of a store whose file is gone. */
export function removeHead(path: string): void {
  rmSync(headPath(path), { force: true });
}

/** Keeps the head of a store. */
export interface HeadFile {
  keep(commits: number): void;
  close(): void;
}

/** Minimum interval between two syncs of the head, in milliseconds. */
const syncEveryMs = 1_000;

/**
 * Opens the file of a store's head. It is written after a commit is on disk, and synced at most once a second, in the
 * background unless the caller's thread does the work: after a power failure it may be up to a second older than the store, but never newer.
 */
export function openHeadFile(path: string, storeId: string, isInCallersThread = false): HeadFile {
  let isNew = readHead(path) === undefined;
  const file = openSync(headPath(path), isNew ? "w+" : "r+", 0o600);
  let closed = false;
  let syncing = false;
  let unsynced = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function sync(): void {
    unsynced = false;
    if (isInCallersThread) {
      fdatasyncSync(file);
      waitForNext();
      return;
    }
    syncing = true;
    fdatasync(file, () => {
      syncing = false;
      if (closed) closeSync(file);
      else waitForNext();
    });
  }

  function waitForNext(): void {
    timer = setTimeout(() => {
      timer = undefined;
      if (unsynced) sync();
    }, syncEveryMs);
    timer.unref();
  }

  /** Called before the first commit is answered, so that a power failure leaves no empty or partial file. */
  function syncNew(): void {
    isNew = false;
    fsyncSync(file);
    syncFolder(dirname(path));
  }

  return {
    keep(commits) {
      if (closed) return;
      try {
        writeSync(file, `${storeId} ${commits} end`.padEnd(lineLength - 1) + "\n", 0);
      } catch {
        // The store works without it; a loss is noticed up to the last stored head.
        return;
      }
      if (isNew) return syncNew();
      unsynced = true;
      if (!syncing && timer === undefined) sync();
    },
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      if (unsynced) fdatasyncSync(file);
      if (!syncing) closeSync(file);
    },
  };
}

/** Writes the name of a new file to disk, on systems that need and allow it. */
function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, "r");
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // Windows cannot open a folder, and stores names by itself.
  }
}
