import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Readers } from "@bailiwick/core/extension";

/** A snapshot of the copy, made before a call that changes it. */
export interface Snapshot {
  /** Id for `restore()`. */
  readonly id: string;
  /** The call, such as `bash`. */
  readonly tool: string;
  /** The time in milliseconds since the epoch. */
  readonly at: number;
}

/** A change that was written into the folder. */
interface Applied {
  readonly from: string;
  readonly to: string;
  readonly at: number;
  /** Key of the call, so that a repetition continues. */
  readonly key: string;
}

/** The state of a copy, stored beside its files. */
export interface CopyState {
  readonly id: string;
  readonly tenantId: string | undefined;
  readonly sessionId: string;
  /** The user's folder. */
  readonly folder: string;
  /** The tree that the folder had, as far as the copy knows. */
  readonly base: string;
  /** The newest tree of the copy that is known. */
  readonly head: string;
  /** Readers of all that was written into the copy. */
  readonly readers: Readers;
  /** Working directory of the next command. */
  readonly cwd: string;
  /** Snapshots by the hash of the call's key, oldest first. */
  readonly calls: readonly {
    readonly key: string;
    readonly tree: string;
    readonly tool: string;
    readonly at: number;
  }[];
  readonly applied: readonly Applied[];
  /** Folders that `setup` made. */
  readonly made: readonly string[];
  /** `node_modules` folders of the user's folder, which are mounted. */
  readonly modules: readonly string[];
  /** Path of Git's objects in the user's folder. */
  readonly objects: string | undefined;
  /** Ignored files that exist in the folder and were not copied. */
  readonly notCopied: readonly string[];
  /** The first failed command has named them. */
  readonly hasNamedThem: boolean;
  readonly usedAt: number;
}

/** Snapshots that are kept. */
export const mostSnapshots = 200;

/** @returns `undefined` if there is none, or it cannot be read. */
export function readState(file: string): CopyState | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as CopyState;
  } catch {
    return undefined;
  }
}

/** Writes the state so that a crash leaves the old one or the new one. */
export function writeState(file: string, state: CopyState): void {
  mkdirSync(dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  const descriptor = openSync(beside, "w", 0o600);
  try {
    writeSync(descriptor, JSON.stringify(state));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, file);
}

/** Common readers of two labels. */
export function joinReaders(left: Readers, right: Readers): Readers {
  if (left === "public") return right;
  return right === "public" ? left : left.filter((reader) => right.includes(reader));
}
