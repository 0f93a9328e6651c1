import { BailiwickError, isEnded } from "@bailiwick/core";
import type { RunOutput } from "@bailiwick/core";
import type { ServedAgent } from "./served-agent.ts";

/** Interval, in milliseconds, at which this process checks a run that another process drives or decides. */
const lookMs = 250;

/** True for the error about a run that another process drives. */
export function isBusy(error: unknown): boolean {
  return BailiwickError.isInstance(error) && error.code === "RUN_BUSY";
}

/**
 * Waits until a run of another process ends or waits.
 *
 * @returns its output; `undefined` if the process gave it back, as a worker does with the run of a call.
 */
export async function restOf(agent: ServedAgent, runId: string, signal: AbortSignal): Promise<RunOutput | undefined> {
  for (;;) {
    const { output, run } = await agent.inspect(runId);
    if (output !== undefined || run.state === "queued") return output;
    await pause(lookMs, signal);
  }
}

/** Waits until a person has decided about a suspended run, in any process. */
export async function untilDecided(
  agent: ServedAgent,
  runId: string,
  signal: AbortSignal,
): Promise<"decided" | "ended"> {
  for (;;) {
    await pause(lookMs, signal);
    const { run } = await agent.inspect(runId);
    if (run.state !== "suspended") return isEnded(run.state) ? "ended" : "decided";
  }
}

/** Waits, and rejects with the signal's reason if it is aborted first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}
