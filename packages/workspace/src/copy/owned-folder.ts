import { lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { runnerFolder } from "../host/spawn-runner.ts";

const nobody = 65534;

/**
 * Makes a folder that belongs to the user of its sandbox. Under root, a sandbox runs as another user if that user can use
 * everything that is mounted, otherwise as root without capabilities, which then may write only its own files.
 *
 * @param folder - Mounted writable.
 * @param sources - The other mounts of the same sandbox.
 */
export function ownedFolder(folder: string, sources: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return;
  const isUsable =
    isReachable(folder) && [runnerFolder, ...sources].every((source) => isReachable(source) && isReadable(source));
  const owner = isUsable ? nobody : 0;
  if (statSync(folder).uid !== owner) giveAll(folder, owner);
}

/** True if another user can enter every folder above. */
function isReachable(path: string): boolean {
  for (let at = dirname(path); ; at = dirname(at)) {
    if ((modeFor(at) & 1) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function isReadable(path: string): boolean {
  const needed = statSync(path).isDirectory() ? 5 : 4;
  return (modeFor(path) & needed) === needed;
}

/** The permissions of a file for the user of sandboxes. */
function modeFor(path: string): number {
  const { uid, mode } = statSync(path);
  return uid === nobody ? mode >> 6 : mode;
}

/** Links are not followed, and no sandbox runs in the folder. */
function giveAll(path: string, owner: number): void {
  lchownSync(path, owner, owner);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const at = join(path, entry.name);
    if (entry.isDirectory()) giveAll(at, owner);
    else lchownSync(at, owner, owner);
  }
}
