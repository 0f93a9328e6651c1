import { fs } from "../node.ts";
import { SandboxUnavailable } from "../sandbox-errors.ts";
import type { Mount } from "./granted-paths.ts";

/** As whom of the machine's users a box runs; by default as whoever started it. */
export interface BoxUser {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

const nobody = 65534;

/**
 * The user of boxes. As root, they belong to nobody: the kernel holds root to no number of processes, and what gets out
 * of a box must not be root.
 */
export function boxUser(): BoxUser {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/**
 * Checks that a user other than ours can use what a box is given.
 *
 * @throws SandboxUnavailable that names the first path it cannot use.
 */
export function demandUsable({ uid }: BoxUser, mounts: readonly Mount[]): void {
  if (uid === undefined) return;
  for (const { source, writable } of mounts) {
    const found = fs.statSync(source);
    const digits = found.uid === uid ? found.mode >> 6 : found.mode;
    const needed = 4 | (found.isDirectory() ? 1 : 0) | (writable ? 2 : 0);
    if ((digits & needed) === needed) continue;
    throw new SandboxUnavailable(
      "os",
      `this process is root, so its sandboxes run as user ${uid}, who may not ${writable ? "write" : "read"} "${source}"`,
      writable
        ? `Run as an ordinary user, or give that folder to user ${uid} (chown ${uid} "${source}").`
        : `Run as an ordinary user, or let others read it (chmod o+rX "${source}").`,
    );
  }
}
