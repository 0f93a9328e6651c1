import type { StartedSandbox } from "./start-sandbox.ts";

/** Time for the first process inside to die, in milliseconds, before bubblewrap itself is ended. */
const patienceMs = 2_000;

/**
 * Ends a sandbox and all processes in it: when its first process dies, the kernel ends the others. bubblewrap then
 * waits for it and ends too, so that no zombie process remains.
 *
 * @param sandbox - Running or not.
 */
export async function endSandbox({ child, inside }: StartedSandbox): Promise<void> {
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  if (isOver()) return;
  const force = setTimeout(() => {
    if (!isOver()) child.kill("SIGKILL");
  }, patienceMs);
  force.unref();
  child.once("exit", () => clearTimeout(force));
  const first = await inside;
  if (isOver() || first === undefined) return;
  try {
    process.kill(first, "SIGKILL");
  } catch {
    // The process has died in the meantime.
  }
}
