import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { WorkspaceError } from "../workspace-error.ts";

/** A file in a tree. Folders exist only as parts of paths. */
export interface TreeEntry {
  /** Kind of the file. */
  readonly mode: "file" | "executable" | "link";
  /** SHA-256 of the content, or of the target of the link. */
  readonly id: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Files by their path, relative and with `/`. */
export type Tree = ReadonlyMap<string, TreeEntry>;

/**
 * Contents and trees of one copy, each under the SHA-256 of its bytes. A tree is one object for each folder, so that a
 * new tree costs what changed. The commands of the model cannot reach it.
 */
export interface ObjectStore {
  /** Stores bytes, and returns their id. */
  put(bytes: Uint8Array): string;
  /** @throws WorkspaceError `WORKSPACE_SNAPSHOT_GONE` if the content is missing or damaged. */
  get(id: string): Uint8Array;
  putTree(tree: Tree): string;
  /** @throws WorkspaceError `WORKSPACE_SNAPSHOT_GONE` */
  getTree(id: string): Tree;
  /** Deletes all that no kept tree refers to. */
  keepOnly(trees: Iterable<string>): void;
}

const youngestMs = 600_000;
const idForm = /^[0-9a-f]{64}$/u;

/** @param folder - Created with the first object. */
export function objectStore(folder: string): ObjectStore {
  const place = (id: string): string => join(folder, id.slice(0, 2), id.slice(2));
  const put = (bytes: Uint8Array): string => {
    const id = createHash("sha256").update(bytes).digest("hex");
    const path = place(id);
    if (existsSync(path)) utimesSync(path, new Date(), new Date());
    else {
      mkdirSync(join(folder, id.slice(0, 2)), { recursive: true });
      const beside = `${path}.${process.pid}`;
      writeFileSync(beside, bytes);
      renameSync(beside, path);
    }
    return id;
  };
  const get = (id: string): Uint8Array => {
    try {
      if (!idForm.test(id)) throw new TypeError(`"${id}" is not an id.`);
      const bytes = readFileSync(place(id));
      if (createHash("sha256").update(bytes).digest("hex") === id) return bytes;
      throw new TypeError(`The object ${id} is damaged.`);
    } catch (cause) {
      throw new WorkspaceError(
        "WORKSPACE_SNAPSHOT_GONE",
        `A snapshot of the workspace is gone or damaged (object ${id.slice(0, 12)} in ${folder}). Only the newest 200 snapshots are kept.`,
        { cause },
      );
    }
  };
  const readFolder = (id: string, prefix: string, into: Map<string, TreeEntry>): void => {
    for (const [name, mode, child, size] of JSON.parse(new TextDecoder().decode(get(id))) as readonly FolderLine[]) {
      if (mode === "folder") readFolder(child, `${prefix}${name}/`, into);
      else into.set(`${prefix}${name}`, { mode, id: child, size });
    }
  };
  return {
    put,
    get,
    putTree: (tree) => putFolder(nested(tree), put),
    getTree(id) {
      const tree = new Map<string, TreeEntry>();
      readFolder(id, "", tree);
      return tree;
    },
    keepOnly(trees) {
      const used = new Set<string>();
      for (const id of trees) markUsed(id, get, used);
      for (const part of namesIn(folder)) {
        for (const name of namesIn(join(folder, part))) {
          const path = join(folder, part, name);
          // Another process may have stored a new object that its state does not name yet.
          if (!used.has(part + name) && statSync(path).mtimeMs < Date.now() - youngestMs) rmSync(path, { force: true });
        }
      }
    },
  };
}

type FolderLine = readonly [name: string, mode: TreeEntry["mode"] | "folder", id: string, size: number];
type Nested = Map<string, TreeEntry | Nested>;

function nested(tree: Tree): Nested {
  const root: Nested = new Map();
  for (const [path, entry] of tree) {
    const names = path.split("/");
    const last = names.pop() ?? "";
    let at = root;
    for (const name of names) {
      let next = at.get(name);
      if (!(next instanceof Map)) at.set(name, (next = new Map<string, TreeEntry | Nested>()));
      at = next;
    }
    at.set(last, entry);
  }
  return root;
}

function putFolder(folder: Nested, put: (bytes: Uint8Array) => string): string {
  const lines = [...folder]
    .map(([name, entry]): FolderLine => {
      if (entry instanceof Map) return [name, "folder", putFolder(entry, put), 0];
      return [name, entry.mode, entry.id, entry.size];
    })
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return put(new TextEncoder().encode(JSON.stringify(lines)));
}

function markUsed(id: string, get: ObjectStore["get"], used: Set<string>): void {
  if (used.has(id)) return;
  used.add(id);
  for (const [, mode, child] of JSON.parse(new TextDecoder().decode(get(id))) as readonly FolderLine[]) {
    if (mode === "folder") markUsed(child, get, used);
    else used.add(child);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return statSync(folder).isDirectory() ? readdirSync(folder) : [];
  } catch {
    return [];
  }
}
