import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { WorkspaceError } from "../workspace-error.ts";

const pollMs = 50;
const longestWaitMs = 30_000;
let requests = 0;

/**
 * Takes the lock of a copy across processes. A lock whose process has ended is taken over.
 *
 * @param file - The lock file.
 * @returns Releases it.
 * @throws WorkspaceError `WORKSPACE_BUSY` if another process holds it for 30 seconds.
 */
export async function takeLock(file: string): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true });
  requests += 1;
  // Linked with its content, so that no process finds a lock without a holder.
  const own = `${file}.${process.pid}.${requests}`;
  writeFileSync(own, `${process.pid} ${startOf(process.pid)}`, { mode: 0o600 });
  try {
    await linked(own, file);
  } finally {
    rmSync(own, { force: true });
  }
  return () => rmSync(file, { force: true });
}

async function linked(own: string, file: string): Promise<void> {
  for (let waited = 0; ; waited += pollMs) {
    try {
      linkSync(own, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = readHolder(file);
    if (holder !== undefined && !isAlive(holder)) {
      takeOver(file, `${own}.dead`, holder);
      continue;
    }
    if (waited >= longestWaitMs)
      throw new WorkspaceError(
        "WORKSPACE_BUSY",
        `Another process (${holder ?? "unknown"}) works on this copy of the workspace. Wait until it is done, or use another session.`,
      );
    await delay(pollMs);
  }
}

/** Removes the lock of a process that has ended; a lock that another process took meanwhile is put back. */
function takeOver(file: string, aside: string, holder: string): void {
  try {
    renameSync(file, aside);
    if (readHolder(aside) !== holder) linkSync(aside, file);
  } catch {
    // Another process was faster.
  } finally {
    rmSync(aside, { force: true });
  }
}

function readHolder(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    return /^\d+ \d*$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

/** True if the process of a lock runs, and is the same one. */
function isAlive(holder: string): boolean {
  const [pid = "0", start = ""] = holder.split(" ");
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return startOf(Number(pid)) === start;
}

/** Start time of a process, so that a number that is used again is not mistaken for it; empty where it is not known. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
