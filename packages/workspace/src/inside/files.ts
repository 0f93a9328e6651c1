import { constants, type Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readlink, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** An entry as it goes over the channel. */
export type RawEntry = readonly [
  name: string,
  kind: "file" | "folder" | "link" | "other",
  size: number,
  executable: boolean,
  stamp: string,
  changedAt: number,
];

/** Files that changed a moment ago may change again without another stamp. */
const racyMs = 100;

/** Lists a folder without following links. */
export async function entriesOf(folder: string): Promise<readonly RawEntry[]> {
  let names: readonly string[];
  try {
    names = await readdir(folder);
  } catch {
    return [];
  }
  const now = Date.now();
  const entries = await Promise.all(
    names.map(async (name): Promise<RawEntry | undefined> => {
      try {
        return entryOf(name, await lstat(join(folder, name)), now);
      } catch {
        return undefined;
      }
    }),
  );
  return entries.filter((entry) => entry !== undefined);
}

function entryOf(name: string, found: Stats, now: number): RawEntry {
  const { size, ino, mtimeMs, ctimeMs, mode } = found;
  const kind = found.isFile()
    ? "file"
    : found.isDirectory()
      ? "folder"
      : found.isSymbolicLink()
        ? "link"
        : ("other" as const);
  const stamp = now - ctimeMs < racyMs ? "" : `${ino}/${size}/${mtimeMs}/${ctimeMs}/${mode}`;
  return [name, kind, size, (mode & 0o100) !== 0, stamp, mtimeMs];
}

/**
 * Reads a piece of a file, or the target of a link.
 *
 * @returns `undefined` if there is no such file.
 */
export async function readPiece(
  path: string,
  { offset, length, follow }: { readonly offset: number; readonly length: number; readonly follow: boolean },
): Promise<{ readonly bytes: Uint8Array; readonly size: number } | undefined> {
  try {
    if (!follow && (await lstat(path)).isSymbolicLink()) {
      const bytes = new TextEncoder().encode(await readlink(path));
      return { bytes: bytes.subarray(offset, offset + length), size: bytes.length };
    }
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (follow ? 0 : constants.O_NOFOLLOW);
    await using file = await open(path, flags);
    const found = await file.stat();
    if (!found.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(length, Math.max(0, found.size - offset)));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    return { bytes: buffer.subarray(0, bytesRead), size: found.size };
  } catch {
    return undefined;
  }
}

/** A file to write. */
export interface FileToWrite {
  readonly type: "file" | "executable" | "link";
  readonly follow: boolean;
  /** Waits until the disk has it. */
  readonly durable?: boolean | undefined;
}

let written = 0;

/** Opens a new file beside a path; `finish` puts it there. */
export async function beginWrite(
  path: string,
  { type, follow, durable = false }: FileToWrite,
): Promise<{ readonly add: (bytes: Uint8Array) => Promise<void>; readonly finish: () => Promise<void> }> {
  await mkdir(dirname(path), { recursive: true });
  const target = follow ? await followed(path) : path;
  const mode = type === "executable" ? 0o755 : type === "file" && follow ? await modeOf(target) : 0o644;
  written += 1;
  const beside = join(dirname(target), `.bailiwick-${process.pid}-${written}`);
  if (type === "link") {
    let text = "";
    return {
      add: async (bytes) => void (text += new TextDecoder().decode(bytes)),
      finish: async () => {
        await symlink(text, beside);
        await place(beside, target);
      },
    };
  }
  const file = await open(beside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode);
  return {
    add: (bytes) => file.writeFile(bytes),
    finish: async () => {
      await file.chmod(mode);
      if (durable) await file.sync();
      await file.close();
      await place(beside, target);
    },
  };
}

/** Renames; a folder in the way is only replaced if it is empty. */
async function place(beside: string, target: string): Promise<void> {
  try {
    await rename(beside, target).catch(async () => {
      await rmdir(target);
      await rename(beside, target);
    });
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** The file that a link leads to, so that writing keeps the link. */
async function followed(path: string): Promise<string> {
  let at = path;
  for (let hops = 0; hops < 40; hops += 1) {
    try {
      at = resolveLink(at, await readlink(at));
    } catch {
      return at;
    }
  }
  throw new Error(`"${path}" is a chain of more than 40 links.`);
}

function resolveLink(at: string, target: string): string {
  return target.startsWith("/") ? target : join(dirname(at), target);
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await lstat(path)).mode & 0o777;
  } catch {
    return 0o644;
  }
}

/**
 * Removes a file, and the folders above it that are empty then.
 *
 * @param recursive - Removes a folder with its content.
 */
export async function removeFile(path: string, root: string, recursive: boolean): Promise<void> {
  await rm(path, { recursive, force: true });
  for (let at = dirname(path); at.startsWith(`${root}/`); at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}
