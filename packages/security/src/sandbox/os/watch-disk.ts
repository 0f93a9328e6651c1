import type { Dirent } from "node:fs";
import { fs, path } from "../node.ts";

/** Polling interval, in milliseconds. */
const intervalMs = 200;
/** A file costs its file system about as much as a small page. */
const bytesPerFile = 4_096;
/** The folders are measured again after the file system lost this part of the limit. */
const part = 16;

/**
 * Ends a sandbox whose writable folders together are larger than a limit. The free space of their file systems is cheap
 * to read; the folders themselves are only measured when it has shrunk.
 *
 * @param folders - Real paths on the host.
 * @param most - Limit in bytes; each file counts as 4 KiB or more.
 * @param onExcess - Called once.
 * @returns Stops watching.
 */
export function watchDisk(folders: readonly string[], most: number, onExcess: () => void): () => void {
  const step = Math.max(bytesPerFile, most / part);
  let free = folders.map(freeBytes);
  const timer = setInterval(() => {
    const now = folders.map(freeBytes);
    if (now.every((bytes, index) => (free[index] ?? 0) - bytes < step)) return;
    free = now;
    if (sizeOf(folders, most) <= most) return;
    clearInterval(timer);
    onExcess();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Free bytes of a file system, where each free file counts too. */
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize, ffree } = fs.statfsSync(folder);
    return bavail * bsize + ffree * bytesPerFile;
  } catch {
    return 0;
  }
}

/** Size of folders, without following links; the walk ends beyond `most`. */
function sizeOf(folders: readonly string[], most: number): number {
  let bytes = 0;
  const rest = [...folders];
  for (let folder = rest.pop(); folder !== undefined && bytes <= most; folder = rest.pop()) {
    for (const entry of entriesOf(folder)) {
      const name = path.join(folder, entry.name);
      bytes += Math.max(bytesPerFile, entry.isFile() ? blocksOf(name) : 0);
      if (entry.isDirectory()) rest.push(name);
      if (bytes > most) break;
    }
  }
  return bytes;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Bytes on the disk: a file with holes is larger than that. */
function blocksOf(name: string): number {
  try {
    return fs.lstatSync(name).blocks * 512;
  } catch {
    return 0;
  }
}
