import { createHash } from "node:crypto";
import type { WorkspaceSandbox } from "../host/host.ts";
import { isSame, shownPath, type Change } from "../tree/changes.ts";
import type { ObjectStore, TreeEntry } from "../tree/object-store.ts";
import { WorkspaceError } from "../workspace-error.ts";

/** The user's folder, in a separate place. */
export type FolderPlace = Pick<WorkspaceSandbox, "list" | "read" | "write" | "remove">;

/** A path that is neither as the base nor as the target. */
export interface Moved {
  readonly path: string;
  /** The file of the folder now; `undefined` if there is none. */
  readonly now: { readonly mode: TreeEntry["mode"]; readonly bytes: Uint8Array } | undefined;
}

/**
 * Compares each changed path of the folder with the base. A path that already equals the target counts too, so that a
 * repetition after a crash continues.
 *
 * @returns The paths that are neither.
 * @throws WorkspaceError `PATH_LEAVES_FOLDER` if a folder above a path is a link.
 */
export async function compareFolder(
  place: FolderPlace,
  root: string,
  changes: readonly Change[],
): Promise<readonly Moved[]> {
  const moved: Moved[] = [];
  const listed = new Map<string, Promise<ReadonlyMap<string, TreeEntry["mode"] | "folder" | "other">>>();
  const list = (folder: string): ReturnType<typeof kindsIn> => {
    let known = listed.get(folder);
    if (known === undefined) listed.set(folder, (known = kindsIn(place, folder)));
    return known;
  };
  for (const { path, before, after } of changes) {
    const now = await stateOf(place, root, path, list);
    const id = now === undefined ? undefined : createHash("sha256").update(now.bytes).digest("hex");
    const entry = now === undefined || id === undefined ? undefined : { mode: now.mode, id, size: now.bytes.length };
    if (!isSame(entry, before) && !isSame(entry, after)) moved.push({ path, now });
  }
  return moved;
}

async function kindsIn(
  place: FolderPlace,
  folder: string,
): Promise<ReadonlyMap<string, TreeEntry["mode"] | "folder" | "other">> {
  const [entries = []] = await place.list([folder]);
  return new Map(
    entries.map(({ name, kind, executable }) => [name, kind === "file" && executable ? "executable" : kind]),
  );
}

/** The file at a path now. A folder or a device in its place counts as another file. */
async function stateOf(
  place: FolderPlace,
  root: string,
  path: string,
  list: (folder: string) => ReturnType<typeof kindsIn>,
): Promise<Moved["now"]> {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || name.toLowerCase() === ".git")) leaves(path);
  const last = names.pop() ?? "";
  let folder = root;
  for (const name of names) {
    const kind = (await list(folder)).get(name);
    if (kind === undefined) return undefined;
    if (kind === "link") leaves(path);
    folder = `${folder}/${name}`;
  }
  const kind = (await list(folder)).get(last);
  if (kind === undefined) return undefined;
  if (kind === "folder" || kind === "other") return { mode: "file", bytes: new TextEncoder().encode(`a ${kind}`) };
  const bytes = await place.read(`${folder}/${last}`, false);
  return bytes === undefined ? undefined : { mode: kind, bytes };
}

function leaves(path: string): never {
  throw new WorkspaceError(
    "PATH_LEAVES_FOLDER",
    `"${shownPath(path)}" leaves the folder: a folder above it is a link, or it is a path of Git's own. Nothing was written. Change the copy so that it does not have this path.`,
  );
}

/**
 * Writes changes into the folder: removals first, then each file beside its target, synced and renamed.
 *
 * @param changes - Compared with the folder before.
 */
export async function writeChanges(
  place: FolderPlace,
  root: string,
  changes: readonly Change[],
  store: Pick<ObjectStore, "get">,
): Promise<void> {
  const gone = changes.filter(({ after }) => after === undefined).map(({ path }) => `${root}/${path}`);
  if (gone.length > 0) await place.remove(gone, false);
  for (const { path, after } of changes) {
    if (after === undefined) continue;
    await place.write(`${root}/${path}`, store.get(after.id), { type: after.mode, follow: false });
  }
}
