import { readFileSync, statSync } from "node:fs";
import { refuse, type RefusedError } from "../thread/failure.ts";

/**
 * The error after a wait for a lock of another connection.
 *
 * @param name - The store, such as `sqlite:/data/runs.db`.
 * @param path - Path of its file; `null` for one in memory.
 * @param ms - Duration of the wait.
 * @param cause - The error of SQLite.
 */
export function lockedTooLong(name: string, path: string | null, ms: number, cause?: unknown): RefusedError {
  const holders = path === null ? [] : holdersOf(path);
  return refuse(
    "STORE_LOCKED",
    `The store "${name}" was locked by another process for more than ${ms} ms. ${textOf(holders)} Runs can be resumed when it is free.`,
    { cause },
  );
}

interface Holder {
  readonly pid: number;
  /** True for a process that was stopped, such as by SIGSTOP or a debugger. */
  readonly isStopped: boolean;
}

function textOf(holders: readonly Holder[]): string {
  if (holders.length === 0) return `Look for a process that holds it in a transaction or with processes: "one".`;
  return holders
    .map(({ pid, isStopped }) => {
      const who = pid === process.pid ? `Another connection of this process (${pid})` : `Process ${pid}`;
      return `${who} holds the lock${isStopped ? ", and is stopped: continue it with SIGCONT, or end it" : ""}.`;
    })
    .join(" ");
}

/** The processes that hold a write lock on a store's file or its index; empty on systems without `/proc/locks`. */
function holdersOf(path: string): readonly Holder[] {
  const files = new Set([path, `${path}-shm`].flatMap(inodeOf));
  const pids = new Set<number>();
  for (const line of textOfFile("/proc/locks").split("\n")) {
    const [, pid, device, inode] = heldLock.exec(line) ?? [];
    if (files.has(`${device}:${inode}`)) pids.add(Number(pid));
  }
  return [...pids].map((pid) => ({ pid, isStopped: isStopped(pid) }));
}

/** A held write lock: its process, and the device and inode of the file. A waiting one has an arrow before its kind. */
const heldLock = /^\d+: POSIX +\w+ +WRITE (\d+) ([0-9a-f]+:[0-9a-f]+):(\d+) /u;

function inodeOf(path: string): readonly string[] {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (file === undefined) return [];
  // The numbers of the device, as Linux packs them into one.
  const major = ((file.dev >> 8n) & 0xfffn) | ((file.dev >> 32n) & ~0xfffn);
  const minor = (file.dev & 0xffn) | ((file.dev >> 12n) & ~0xffn);
  const hex = (number: bigint): string => number.toString(16).padStart(2, "0");
  return [`${hex(major)}:${hex(minor)}:${file.ino}`];
}

function isStopped(pid: number): boolean {
  // The state follows the name, which may have brackets and spaces.
  const [state = ""] = textOfFile(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return state === "T" || state === "t";
}

function textOfFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
