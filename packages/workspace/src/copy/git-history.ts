import type { FolderPlace } from "../apply/apply-tree.ts";
import { trackedPaths } from "../tree/tracked-paths.ts";

/** The history of a repository, for the copy. */
export interface History {
  /** Paths that Git tracks. */
  readonly tracked: readonly string[];
  /** Files of the copy's `.git`: heads and tags, without remotes, hooks and the configuration of the original. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
  /** Path of the objects in the user's folder; they are mounted. `undefined` without a history. */
  readonly objects: string | undefined;
}

const config =
  "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = false\n\thooksPath = /dev/null\n[user]\n\tname = workspace\n\temail = workspace@localhost\n[gc]\n\tauto = 0\n";
const mostRefs = 2_000;

/**
 * Reads what the copy needs of a `.git` folder, without running Git. A `.git` that is a file or a link is left out.
 *
 * @param root - Path of the user's folder in the place.
 */
export async function historyOf(place: Pick<FolderPlace, "list" | "read">, root: string): Promise<History> {
  const none: History = { tracked: [], files: [], objects: undefined };
  const [top = [], own = []] = await place.list([root, `${root}/.git`]);
  if (top.find(({ name }) => name === ".git")?.kind !== "folder") return none;
  const index = await place.read(`${root}/.git/index`, false);
  const tracked = index === undefined ? [] : trackedPaths(index);
  const hasObjects = own.some(({ name, kind }) => name === "objects" && kind === "folder");
  const original = new TextDecoder().decode((await place.read(`${root}/.git/config`, false)) ?? new Uint8Array());
  // Other formats of a repository, such as reftable or SHA-256, are not copied.
  if (!hasObjects || /^\s*(?:objectformat|refstorage|partialclone|worktreeconfig)\s*=/imu.test(original))
    return { ...none, tracked };
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [
    { path: "config", bytes: new TextEncoder().encode(config) },
    { path: "objects/info/alternates", bytes: new TextEncoder().encode("/history\n") },
  ];
  for (const path of ["HEAD", "packed-refs", "index", "shallow", "info/exclude"]) {
    const bytes = await place.read(`${root}/.git/${path}`, false);
    if (bytes !== undefined) files.push({ path, bytes });
  }
  let folders: readonly string[] = ["refs/heads", "refs/tags"];
  while (folders.length > 0 && files.length < mostRefs) {
    const lists = await place.list(folders.map((folder) => `${root}/.git/${folder}`));
    const next: string[] = [];
    for (const [at, entries] of lists.entries()) {
      for (const { name, kind } of entries) {
        const path = `${folders[at]}/${name}`;
        if (kind === "folder") next.push(path);
        const bytes = kind === "file" ? await place.read(`${root}/.git/${path}`, false) : undefined;
        if (bytes !== undefined) files.push({ path, bytes });
      }
    }
    folders = next;
  }
  return { tracked, files, objects: ".git/objects" };
}
