import type { Clock } from "../contracts/ports/clock.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { BailiwickError } from "../errors/bailiwick-error.ts";
import { asStoreError } from "../errors/host-errors.ts";
import { FencedError, StoreError } from "../errors/store-errors.ts";
import { toError } from "../user-code/call-user-code.ts";
import { openSignals } from "./inbox/signals.ts";
import { cancelled } from "./limits/run-control.ts";
import type { WheelTimer } from "./limits/timeouts.ts";
import type { LeaseKeeper, Run } from "./run.ts";

/** Default duration of a lease without renewal, in milliseconds. */
const defaultLeaseMs = 30_000;

/** Number of tries of a failed renewal in a third of the lease. */
const triesInPart = 8;

interface KeptRun {
  readonly run: Run;
  readonly unsubscribe: (() => void) | undefined;
  timer: WheelTimer | undefined;
  /** The last renewal that included its lease. */
  renewal: { readonly askedAt: number } | undefined;
  /** Time at which the last renewal that the store granted was sent. */
  heldAt: number;
  /** The failure of the last renewal. */
  failure: BailiwickError | undefined;
}

/**
 * Makes a keeper. At a third of the lease's time it renews all leases in one call; a lease that is lost stops its run,
 * and a waiting signal is taken. A renewal that fails is tried again until two thirds of the lease have passed; then the
 * run is given back, because the lease may be lost soon: an effect that starts after that could happen twice. A store that can call back makes signals arrive at once.
 *
 * Each run has its own timer, and the first that goes off renews for all: on hosts that drop the
 * timers of a request when it ends, no lease depends on the request of another run.
 */
export function createLeaseKeeper(store: RunStore, clock: Clock, leaseMs: number = defaultLeaseMs): LeaseKeeper {
  const runs = new Map<string, KeptRun>();
  const partMs = leaseMs / 3;

  const renew = async (): Promise<void> => {
    const kept = [...runs.values()];
    const renewal = { askedAt: clock.now() };
    for (const one of kept) one.renewal = renewal;
    try {
      const answers = await store.renew(
        kept.map(({ run }) => run.journal.lease),
        leaseMs,
      );
      for (const { runId, held, signalsWaiting } of answers) {
        const one = runs.get(runId);
        // Skips a run that was resumed while the answer was on its way.
        if (one?.renewal !== renewal) continue;
        one.failure = undefined;
        one.heldAt = renewal.askedAt;
        if (!held) one.run.control.stop({ reason: "failed", error: new FencedError(runId) });
        else if (signalsWaiting) void takeSignals(one.run);
      }
    } catch (thrown) {
      for (const one of kept) if (one.renewal === renewal) one.failure = asStoreError(thrown, store.name);
    }
  };
  const leftMs = ({ heldAt }: KeptRun): number => heldAt + 2 * partMs - clock.now();
  const giveBack = ({ run }: KeptRun, error: BailiwickError): void => run.control.interrupt(error, run.journal);
  /** Renews the leases; a store that does not answer in time counts as away. */
  const renewInTime = async (kept: KeptRun): Promise<void> => {
    // A process that stood still asks too: the lease may be its own still.
    const limitMs = leftMs(kept) > 0 ? leftMs(kept) : partMs;
    const limit = kept.run.timers.after(limitMs, () => giveBack(kept, unanswered(store.name, leaseMs)));
    await renew();
    limit.cancel();
  };
  const goOff = async (kept: KeptRun): Promise<void> => {
    kept.timer = undefined;
    const sinceMs = kept.renewal === undefined ? partMs : clock.now() - kept.renewal.askedAt;
    // A clock that was set back cannot tell the time of the last renewal.
    const renewed = sinceMs >= 0 && sinceMs < partMs;
    // A store that never answers gets no further timer, so it does not keep the process alive.
    if (!renewed || kept.failure !== undefined) await renewInTime(kept);
    if (runs.get(kept.run.runId) !== kept) return;
    const { failure } = kept;
    if (failure !== undefined && leftMs(kept) <= 0) return giveBack(kept, failure);
    const pauseMs = failure === undefined ? partMs : Math.min(leftMs(kept), partMs / triesInPart);
    kept.timer = kept.run.timers.after(
      renewed && failure === undefined ? partMs - sinceMs : pauseMs,
      () => void goOff(kept),
    );
  };
  const forget = ({ timer, unsubscribe }: KeptRun): void => {
    timer?.cancel();
    unsubscribe?.();
  };

  return {
    leaseMs,
    add(run: Run): void {
      const before = runs.get(run.runId);
      if (before !== undefined) forget(before);
      const unsubscribe = store.subscribe?.(run.runId, () => void takeSignals(run));
      const heldAt = clock.now();
      const kept: KeptRun = { run, unsubscribe, timer: undefined, renewal: undefined, heldAt, failure: undefined };
      kept.timer = run.timers.after(partMs, () => void goOff(kept));
      runs.set(run.runId, kept);
    },
    remove(run: Run): void {
      const kept = runs.get(run.runId);
      // After losing a lease, this process may already drive the run again.
      if (kept?.run !== run) return;
      forget(kept);
      runs.delete(run.runId);
    },
  };
}

function unanswered(name: string, leaseMs: number): StoreError {
  return new StoreError(
    "STORE_TIMEOUT",
    `The store "${name}" did not renew a lease of ${leaseMs} ms in time, so the run is given back. It continues when the store answers again.`,
  );
}

/** Moves the content of a run's inbox to its journal; a cancel stops the run. */
export async function takeSignals(run: Run): Promise<void> {
  try {
    const waiting = await run.agent.store.takeSignals(run.journal.lease);
    const { signals, failures } = await openSignals(run.runId, waiting, run.agent.sealer);
    for (const failure of failures) tellUnread(run, failure);
    if (run.journal.state.end !== undefined) return;
    for (const signal of signals) {
      if (!run.journal.state.takenSignals.has(signal.id)) run.journal.record({ type: "signal.taken", signal });
    }
    if (run.journal.state.cancelRequested !== undefined) run.control.stop(cancelled(run.journal.state.cancelRequested));
  } catch (thrown) {
    tellUnread(run, thrown);
  }
}

function tellUnread(run: Run, thrown: unknown): void {
  run.logger.warn(`Signals of run ${run.runId} could not be read; they stay in the store.`, { error: toError(thrown) });
}
