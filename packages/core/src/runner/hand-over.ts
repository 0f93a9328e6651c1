import { BailiwickError } from "../errors/bailiwick-error.ts";
import { RunHandedOverError } from "../errors/run-errors.ts";
import type { DrivenRun } from "./driven-run.ts";
import type { LiveRun } from "./start/live-run.ts";

/** When a process gives the runs that it drives to another one. */
export interface HandOver {
  /** From then on a run is given back after the step that it is in. */
  readonly soon?: AbortSignal | undefined;
  /** Stops the step that a run is in. The next process finds it as it is after a crash. */
  readonly now?: AbortSignal | undefined;
}

/** Watches for the time to give a run back; the function that is returned ends it. */
export function watchHandOver(live: LiveRun, { soon, now }: HandOver): () => void {
  const later = (): void => void (live.control.givesBack = true);
  const atOnce = (): void => {
    // The abort makes tools fail, and what they did is not known.
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
export async function giveBackUnfinished({ journal, control }: DrivenRun): Promise<void> {
  // After a stop in the midst of a step, what the abort left is not recorded: what happened is not known.
  if (control.ending === undefined) await journal.release({ state: "queued" });
  else await journal.abandon({ state: "queued" });
}
