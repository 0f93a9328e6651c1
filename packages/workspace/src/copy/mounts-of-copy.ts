import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { WorkspacePlace } from "../host/host.ts";
import { root } from "../host/root.ts";
import type { CopyState } from "./copy-state.ts";

type Mounts = WorkspacePlace["mounts"];

/**
 * The read-only folders of a copy: those that `setup` made, `node_modules` of the user's folder, and Git's objects.
 *
 * @param place - Folder of the copy.
 * @param folder - The user's folder.
 */
export function mountsOfCopy(place: string, folder: string, { made, modules, objects }: CopyState): Mounts {
  const isThere = (path: string): boolean => isInPlace(folder, path);
  return [
    ...made.map((path) => readOnly(join(place, "setup", path), `${root}/${path}`)),
    ...modules
      .filter((path) => !made.includes(path) && isThere(path))
      .map((path) => readOnly(join(folder, path), `${root}/${path}`)),
    ...(objects !== undefined && isThere(objects) ? [readOnly(join(folder, objects), "/history")] : []),
  ];
}

function readOnly(source: string, target: string): Mounts[number] {
  return { source, target, readOnly: true };
}

/** True if a folder is still where the copy found it: a link in its place would lead elsewhere. */
function isInPlace(folder: string, path: string): boolean {
  try {
    return realpathSync(join(folder, path)) === join(folder, path);
  } catch {
    return false;
  }
}
