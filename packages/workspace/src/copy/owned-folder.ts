import { chownSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const nobody = 65534;

/** Makes a folder that the user of the sandbox can write: under root that is another user, if it can reach the folder. */
export function ownedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (process.getuid?.() !== 0) return;
  for (let at = dirname(folder); ; at = dirname(at)) {
    if ((statSync(at).mode & 1) === 0) return;
    if (at === dirname(at)) break;
  }
  if (statSync(folder).uid === 0) chownSync(folder, nobody, nobody);
}
