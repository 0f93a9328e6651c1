import type { RunStore } from "../contracts/ports/run-store.ts";
import { FencedError } from "../errors/store-errors.ts";
import type { DrivenRun } from "./driven-run.ts";
import { toError } from "./hooks/hooks-runner.ts";
import { openSignals } from "./inbox/signals.ts";
import type { TimerWheel, WheelTimer } from "./limits/timeouts.ts";

/** How long a lease lasts without renewal when nothing is said, in milliseconds. */
const defaultLeaseMs = 30_000;

/** Renews the leases of all runs that a process drives, and brings them what other processes tell them. */
export interface LeaseKeeper {
  /** How long a lease lasts without renewal, in milliseconds. */
  readonly leaseMs: number;
  add(run: DrivenRun): void;
  remove(run: DrivenRun): void;
}

/**
 * Makes a keeper. At a third of the lease's time it renews all leases in one call; a lease that is lost stops its run,
 * and a waiting signal is taken. A store that can call back makes signals arrive at once.
 */
export function createLeaseKeeper(store: RunStore, timers: TimerWheel, leaseMs: number = defaultLeaseMs): LeaseKeeper {
  const runs = new Map<string, { readonly run: DrivenRun; readonly unsubscribe: (() => void) | undefined }>();
  let timer: WheelTimer | undefined;

  const renew = async (): Promise<void> => {
    timer = undefined;
    const kept = [...runs.values()];
    try {
      const answers = await store.renew(
        kept.map(({ run }) => run.journal.lease),
        leaseMs,
      );
      for (const { runId, held, signalsWaiting } of answers) {
        const run = runs.get(runId)?.run;
        // Not one that was taken up while the answer was on its way.
        if (run === undefined || !kept.some((one) => one.run === run)) continue;
        if (!held) run.control.stop({ reason: "failed", error: new FencedError(runId) });
        else if (signalsWaiting) void takeSignals(store, run);
      }
    } catch (thrown) {
      // Whether the leases still hold is unknown: an effect that starts now could happen twice.
      for (const { run } of kept) run.control.stop({ reason: "failed", error: toError(thrown) });
    }
    schedule();
  };
  const schedule = (): void => {
    if (timer === undefined && runs.size > 0) timer = timers.after(leaseMs / 3, () => void renew());
  };

  return {
    leaseMs,
    add(run: DrivenRun): void {
      runs.get(run.runId)?.unsubscribe?.();
      const unsubscribe = store.subscribe?.(run.runId, () => void takeSignals(store, run));
      runs.set(run.runId, { run, unsubscribe });
      schedule();
    },
    remove(run: DrivenRun): void {
      const kept = runs.get(run.runId);
      // After a lease that was lost, this process may drive the run again already.
      if (kept?.run !== run) return;
      kept.unsubscribe?.();
      runs.delete(run.runId);
      if (runs.size > 0) return;
      timer?.cancel();
      timer = undefined;
    },
  };
}

/** Takes what waits in a run's inbox into its journal; a cancel stops the run. */
export async function takeSignals(store: RunStore, run: DrivenRun): Promise<void> {
  try {
    const waiting = await store.takeSignals(run.journal.lease);
    const { signals, failures } = await openSignals(run.runId, waiting, run.definition.sealer);
    for (const failure of failures) tellUnread(run, failure);
    if (run.journal.state.end !== undefined) return;
    for (const signal of signals) {
      if (!run.journal.state.takenSignals.has(signal.id)) run.journal.record({ type: "signal.taken", signal });
    }
    if (run.journal.state.cancelRequested !== undefined) run.control.stop({ reason: "aborted" });
  } catch (thrown) {
    tellUnread(run, thrown);
  }
}

function tellUnread(run: DrivenRun, thrown: unknown): void {
  run.logger.warn(`Signals of run ${run.runId} could not be read; they stay in the store.`, { error: toError(thrown) });
}
