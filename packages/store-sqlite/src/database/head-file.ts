import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";

/** The newest commit of a store: its number, and the store that it belongs to. */
export interface Head {
  readonly storeId: string;
  readonly commits: number;
}

/** Length of the file's only line: it is overwritten in place, so a full disk does not stop it. */
const lineLength = 80;

/** Path of the file that keeps the head of a store apart from it. */
export const headPath = (path: string): string => `${path}-head`;

/** Reads the head that was kept last. `undefined` if there is none, or if the line is torn. */
export function readHead(path: string): Head | undefined {
  let line: string;
  try {
    line = readFileSync(headPath(path), "utf8");
  } catch {
    return undefined;
  }
  const found = /^([0-9a-f]{32}) (\d{1,16}) end *\n$/.exec(line);
  if (found === null) return undefined;
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

/**
 * Opens the file of a store's head. It is written after a commit is on disk and not synced: after a power failure it may
 * be older than the store, and never newer.
 */
export function openHeadFile(path: string, storeId: string): HeadFile {
  let file: number | undefined = openSync(headPath(path), readHead(path) === undefined ? "w" : "r+", 0o600);
  return {
    keep(commits) {
      if (file === undefined) return;
      try {
        writeSync(file, `${storeId} ${commits} end`.padEnd(lineLength - 1) + "\n", 0);
      } catch {
        // The store works without it; a loss is noticed up to the last head that could be kept.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
