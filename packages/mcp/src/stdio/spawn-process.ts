import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { SandboxedChild, SandboxExit } from "@bailiwick/core";

/** Time that a process has to end after the signal, in milliseconds. */
const graceMs = 2_000;

/** A program to start. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
}

/** Process groups of this process, so that none outlives it. */
const groups = new Set<number>();
let isWatching = false;

/**
 * Starts a program in its own process group, without a sandbox. Processes that it starts end with it.
 *
 * @throws Error of Node if it cannot be started, such as `ENOENT`.
 */
export async function spawnProcess({ command, args, env, cwd }: Program): Promise<SandboxedChild> {
  const child = spawn(command, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...env },
    // Its own group; on Windows it would be its own window.
    detached: process.platform !== "win32",
    windowsHide: true,
    ...(cwd !== undefined && { cwd }),
  });
  await started(child);
  // The end of the process reports a broken pipe.
  child.stdin.on("error", () => undefined);
  letGo(child);
  const group = child.pid;
  if (group !== undefined) watch(group);
  const exited = new Promise<SandboxExit>((resolve) => {
    child.once("exit", (code, signal) => {
      // The group may contain processes that the program has started; they end with the program.
      if (group !== undefined) {
        signalGroup(group, "SIGKILL");
        groups.delete(group);
      }
      resolve({ code, signal });
    });
  });
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
    closeInput: () => void child.stdin.end(),
    output: child.stdout,
    errors: child.stderr,
    exited,
    kill: async () => {
      if (group !== undefined) signalGroup(group, "SIGTERM");
      const timer = setTimeout(() => group !== undefined && signalGroup(group, "SIGKILL"), graceMs);
      try {
        return await exited;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Calls that wait for an answer have timers; an idle server does not keep this process alive. */
function letGo(child: ChildProcessWithoutNullStreams): void {
  child.unref();
  for (const stream of child.stdio) (stream as { unref?(): void } | null)?.unref?.();
}

function started(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", () => {
      child.off("error", reject);
      // Later errors only report a signal that could not be sent.
      child.on("error", () => undefined);
      resolve();
    });
    child.once("error", reject);
  });
}

/** A group is addressed by its leader's negated id. Windows has no groups: the program itself is ended. */
function signalGroup(group: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(process.platform === "win32" ? group : -group, signal);
  } catch {
    // The process has ended.
  }
}

/** A process that ends without closing its servers ends them too. */
function watch(group: number): void {
  groups.add(group);
  if (isWatching) return;
  isWatching = true;
  process.once("exit", () => {
    for (const one of groups) signalGroup(one, "SIGKILL");
  });
}
