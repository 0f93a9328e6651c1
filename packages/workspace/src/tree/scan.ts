import type { WorkspaceEntry, WorkspaceSandbox } from "../host/host.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { ignoreRules, type IgnoreRules } from "./ignore-rules.ts";
import type { ObjectStore, Tree, TreeEntry } from "./object-store.ts";

/** Files of one copy. */
const mostFiles = 200_000;
const mebibyte = 1024 * 1024;
/** Files that are read at once. */
const atOnce = 32;
/** Ignored paths that are named. */
const mostNamed = 50;

/** Contents that were read before, by path. */
export type ScanCache = Map<string, { readonly stamp: string; readonly entry: TreeEntry }>;

/** Parameters of a scan. */
export interface ScanRequest {
  readonly sandbox: Pick<WorkspaceSandbox, "list" | "read">;
  /** Absolute path inside. */
  readonly root: string;
  readonly store: Pick<ObjectStore, "put">;
  /** Paths that count although `.gitignore` names them. */
  readonly tracked: ReadonlySet<string> | Tree;
  readonly cache: ScanCache;
  readonly diskMB: number;
}

/** The files of a folder. */
export interface Scan {
  readonly tree: Tree;
  /** Ignored files and folders that are there; at most 50. */
  readonly ignored: readonly string[];
  /** Number of sockets, pipes and devices. */
  readonly special: number;
  /** Paths of `node_modules` folders. */
  readonly modules: readonly string[];
}

interface Folder {
  readonly path: string;
  readonly rules: IgnoreRules;
}

/** A file that a walk finds. */
export interface FoundFile {
  readonly path: string;
  readonly entry: WorkspaceEntry;
}

/**
 * Walks through a folder, without the files that `.gitignore` names, unless they are tracked.
 *
 * @param take - Gets the files of each level.
 */
export async function walk(
  request: Pick<ScanRequest, "sandbox" | "root" | "tracked">,
  take: (files: readonly FoundFile[]) => Promise<void> | void,
): Promise<Omit<Scan, "tree">> {
  const { sandbox, root, tracked } = request;
  const ignored: string[] = [];
  const modules: string[] = [];
  const trackedFolders = foldersOf(tracked);
  let special = 0;
  let level: readonly Folder[] = [{ path: "", rules: ignoreRules() }];
  const leaveOut = (path: string): void => void (ignored.length < mostNamed && ignored.push(path));
  while (level.length > 0) {
    const next: Folder[] = [];
    const files: FoundFile[] = [];
    const lists = await sandbox.list(level.map(({ path }) => inside(root, path)));
    for (const [index, { path, rules: above }] of level.entries()) {
      const entries = lists[index] ?? [];
      const rules = await withOwn(request, path, entries, above);
      for (const entry of entries) {
        const at = path + entry.name;
        if (entry.kind === "other") special += 1;
        else if (entry.name === ".git") continue;
        else if (entry.kind !== "folder") {
          if (rules.ignores(at) && !tracked.has(at)) leaveOut(at);
          else files.push({ path: at, entry });
        } else if (entry.name === "node_modules" && !trackedFolders.has(at)) modules.push(at);
        else {
          const isIgnored = rules.ignores(`${at}/`);
          if (isIgnored) leaveOut(`${at}/`);
          if (!isIgnored || trackedFolders.has(at))
            next.push({ path: `${at}/`, rules: isIgnored ? everything : rules });
        }
      }
    }
    await take(files);
    level = next;
  }
  return { ignored, special, modules };
}

/**
 * Reads the files of a folder into the store: each that `.gitignore` does not name, and those that are tracked.
 *
 * @throws WorkspaceError `WORKSPACE_TOO_LARGE`
 */
export async function scan(request: ScanRequest): Promise<Scan> {
  const tree = new Map<string, TreeEntry>();
  let [bytes, count] = [0, 0];
  const rest = await walk(request, async (files) => {
    count += files.length;
    for (const { entry } of files) bytes += entry.size;
    if (count > mostFiles || bytes > request.diskMB * mebibyte) tooLarge(request.diskMB);
    await readAll(request, files, tree);
  });
  return { tree, ...rest };
}

function inside(root: string, path: string): string {
  return path === "" ? root : `${root}/${path.replace(/\/$/u, "")}`;
}

/** Below an ignored folder only tracked files count. */
const everything: IgnoreRules = { within: () => everything, ignores: () => true };

function foldersOf(tracked: ScanRequest["tracked"]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of tracked.keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

async function withOwn(
  { sandbox, root }: Pick<ScanRequest, "sandbox" | "root">,
  path: string,
  entries: readonly WorkspaceEntry[],
  above: IgnoreRules,
): Promise<IgnoreRules> {
  if (!entries.some(({ name, kind }) => name === ".gitignore" && kind === "file")) return above;
  const text = await sandbox.read(`${inside(root, path)}/.gitignore`, false);
  return above.within(path, text === undefined ? undefined : new TextDecoder().decode(text));
}

async function readAll(
  { sandbox, root, store, cache }: ScanRequest,
  wanted: readonly FoundFile[],
  found: Map<string, TreeEntry>,
): Promise<void> {
  const rest = [...wanted];
  const work = async (): Promise<void> => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
      const { path, entry } = one;
      const known = cache.get(path);
      if (known !== undefined && known.stamp !== "" && known.stamp === entry.stamp) {
        found.set(path, known.entry);
        continue;
      }
      const bytes = await sandbox.read(`${root}/${path}`, false);
      if (bytes === undefined) continue;
      const mode = entry.kind === "link" ? "link" : entry.executable ? "executable" : "file";
      const read: TreeEntry = { mode, id: store.put(bytes), size: bytes.length };
      cache.set(path, { stamp: entry.stamp, entry: read });
      found.set(path, read);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, rest.length) }, work));
}

function tooLarge(diskMB: number): never {
  throw new WorkspaceError(
    "WORKSPACE_TOO_LARGE",
    `The folder has more than ${mostFiles.toLocaleString("en")} files or ${diskMB.toLocaleString("en")} MB. Name folders to leave out in .gitignore, or raise limits.diskMB.`,
  );
}
