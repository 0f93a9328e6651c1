import { fs, path } from "../node.ts";
import { SandboxUnavailableError } from "../sandbox-errors.ts";
import type { Mount } from "./granted-paths.ts";

/**
 * The machine's user that a sandbox runs as; by default, the user that started it. Inside, its id is 65534, without
 * capabilities.
 */
export interface SandboxUser {
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
}

const nobody = 65534;

/**
 * Users that sandboxes may run as, best first. Sandboxes of root run as another user unless that user cannot use the
 * granted paths: the kernel does not limit the number of root's processes, and code that escapes should not be root.
 */
export function possibleUsers(): readonly SandboxUser[] {
  return process.getuid?.() === 0 ? [{ uid: nobody, gid: nobody }, {}] : [{}];
}

/**
 * The user of a sandbox.
 *
 * @param users - Available users of this machine, best first.
 * @param mounts - Paths that the user has to be able to use.
 * @throws SandboxUnavailableError that names the first path which none of them can use.
 */
export function userOf(users: readonly SandboxUser[], mounts: readonly Mount[] | "whole"): SandboxUser {
  if (mounts === "whole") return users.at(-1) ?? {};
  let refused: string | undefined;
  for (const user of users) {
    const unusable = mounts.map((mount) => unusableFor(user, mount)).find((name) => name !== undefined);
    if (unusable === undefined) return user;
    refused ??= unusable;
  }
  throw new SandboxUnavailableError(
    "os",
    `it runs as user ${nobody}, who may not use "${refused}"`,
    `Let others use it (chmod o+rX "${refused}"), or run as an ordinary user.`,
  );
}

/** The first path on the way to a mount's source that another user may not use. */
function unusableFor({ uid }: SandboxUser, { source, writable }: Mount): string | undefined {
  if (uid === undefined) return undefined;
  const { isDirectory, mode } = statFor(uid, source);
  const needed = 4 | (isDirectory ? 1 : 0) | (writable ? 2 : 0);
  if ((mode & needed) !== needed) return source;
  for (let at = path.dirname(source); ; at = path.dirname(at)) {
    if ((statFor(uid, at).mode & 1) === 0) return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** The permissions of a file for a user outside its groups. */
function statFor(uid: number, name: string): { readonly isDirectory: boolean; readonly mode: number } {
  const found = fs.statSync(name);
  return { isDirectory: found.isDirectory(), mode: found.uid === uid ? found.mode >> 6 : found.mode };
}
