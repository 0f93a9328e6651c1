import { BailiwickError } from "../errors/bailiwick-error.ts";
import { RunHandedOverError } from "../errors/run-errors.ts";
import type { LiveRun, Run } from "./run.ts";

/** When a process gives the runs that it drives to another one. */
export interface HandOver {
  /** From now on the run is handed over after its current step, or after its first one if none began yet. */
  readonly soon?: AbortSignal | undefined;
  /** Stops the current step of a run. The next process finds the run as after a crash. */
  readonly now?: AbortSignal | undefined;
}

/** Watches for the time to give a run back; the function that is returned ends it. */
export function watchHandOver(live: LiveRun, { soon, now }: HandOver): () => void {
  const later = (): void => void (live.control.givesBack = true);
  const atOnce = (): void => {
    // The abort makes tools fail, and their effects are unknown.
    live.closeJournal();
    live.control.stop({ reason: "failed", error: new RunHandedOverError(live.runId) });
  };
  const follow = (signal: AbortSignal | undefined, react: () => void): (() => void) => {
    if (signal?.aborted === true) react();
    signal?.addEventListener("abort", react, { once: true });
    return () => signal?.removeEventListener("abort", react);
  };
  const forget = [follow(soon, later), follow(now, atOnce)];
  return () => {
    for (const one of forget) one();
  };
}

export function isHandedOver(error: unknown): boolean {
  return BailiwickError.isInstance(error) && error.code === "RUN_HANDED_OVER";
}

/** Gives a run back so that another process can drive it at once. */
export async function giveBackUnfinished({ journal, control }: Run): Promise<void> {
  // After a stop in the middle of a step, failures by the abort are not recorded: the outcomes are unknown.
  if (control.ending === undefined) await journal.release({ state: "queued" });
  else await journal.abandon({ state: "queued" });
}
