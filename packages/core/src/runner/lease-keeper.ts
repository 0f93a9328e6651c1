import type { Clock } from "../contracts/ports/clock.ts";
import type { RunStore } from "../contracts/ports/run-store.ts";
import type { BailiwickError } from "../errors/bailiwick-error.ts";
import { asStoreError } from "../errors/host-errors.ts";
import { RunHandedOverError } from "../errors/run-errors.ts";
import { FencedError, StoreError } from "../errors/store-errors.ts";
import { toError } from "../user-code/call-user-code.ts";
import type { Signal } from "../contracts/signal.ts";
import { hasEffect } from "../journal/fold-inputs.ts";
import { openSignals } from "./inbox/signals.ts";
import { cancelled } from "./limits/run-control.ts";
import type { WheelTimer } from "./limits/timeouts.ts";
import { instantOf, isTakeable, msSince, whenAsked, type Instant } from "./lease-proof.ts";
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
  /** When this process began to drive the run. */
  readonly addedAt: Instant;
  /** When the lease was asked for that is known to be held; `undefined` if that is not known. */
  provenAt: Instant | undefined;
  /** Another process may take the lease before it expires: only the store can prove it. */
  readonly isTakeable: boolean;
  /** The proof that is under way. */
  proving: Promise<void> | undefined;
  /** The failure of the last renewal. */
  failure: BailiwickError | undefined;
}

/** Maximum number of renewals whose answers arrive too late to prove a lease. */
const mostProofs = 3;

/**
 * Makes a keeper. At a third of the lease's time it renews all leases in one call; a lease that is lost stops its run,
 * and a waiting signal is taken. A renewal that fails is tried again until two thirds of the lease have passed; then the
 * run is given back, because the lease may be lost soon: an effect that starts after that could happen twice. A store
 * that can call back makes signals arrive at once.
 *
 * Each run has its own timer, and the first that goes off renews for all: on hosts that drop the
 * timers of a request when it ends, no lease depends on the request of another run.
 */
export function createLeaseKeeper(store: RunStore, clock: Clock, leaseMs: number = defaultLeaseMs): LeaseKeeper {
  const runs = new Map<string, KeptRun>();
  const partMs = leaseMs / 3;

  const renew = async (): Promise<void> => {
    const kept = [...runs.values()];
    const asked = instantOf(clock);
    const renewal = { askedAt: asked.wall };
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
        if (!held) one.run.control.stop({ reason: "failed", error: new FencedError(runId) });
        else {
          one.provenAt = asked;
          if (signalsWaiting) void takeSignals(one.run);
        }
      }
    } catch (thrown) {
      for (const one of kept) if (one.renewal === renewal) one.failure = asStoreError(thrown, store.name);
    }
  };
  const leftMs = ({ provenAt, addedAt }: KeptRun): number => 2 * partMs - msSince(provenAt ?? addedAt, clock);
  const giveBack = ({ run }: KeptRun, error: BailiwickError): void => run.control.interrupt(error, run.journal);
  /** Renews the leases; a store that does not answer in time counts as away. */
  const renewInTime = async (kept: KeptRun): Promise<void> => {
    // A process that was paused asks too: the lease may be its own still.
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

  const isProven = ({ provenAt }: KeptRun): boolean =>
    // A third of the time is left for the way to the tool.
    provenAt !== undefined && msSince(provenAt, clock) < leaseMs - partMs;
  const proveByStore = async (kept: KeptRun): Promise<void> => {
    const { run } = kept;
    let error: Error = new RunHandedOverError(run.runId);
    try {
      for (let proof = 0; proof < mostProofs; proof += 1) {
        const asked = instantOf(clock);
        const [answer] = await store.renew([run.journal.lease], leaseMs);
        if (answer?.held !== true) {
          error = new FencedError(run.runId);
          break;
        }
        kept.provenAt = asked;
        if (isProven(kept)) return;
      }
    } catch (thrown) {
      const failure = asStoreError(thrown, store.name);
      giveBack(kept, failure);
      throw failure;
    }
    run.control.stop({ reason: "failed", error });
    throw error;
  };

  return {
    leaseMs,
    add(run: Run): void {
      const before = runs.get(run.runId);
      if (before !== undefined) forget(before);
      const unsubscribe = store.subscribe?.(run.runId, () => void takeSignals(run));
      const kept: KeptRun = {
        run,
        unsubscribe,
        timer: undefined,
        renewal: undefined,
        addedAt: instantOf(clock),
        provenAt: whenAsked(run.journal.lease),
        isTakeable: isTakeable(run.journal.lease),
        proving: undefined,
        failure: undefined,
      };
      kept.timer = run.timers.after(partMs, () => void goOff(kept));
      runs.set(run.runId, kept);
    },
    prove(run: Run): Promise<void> | undefined {
      const kept = runs.get(run.runId);
      // Another process, or another drive of this one, has the run.
      if (kept?.run !== run) return Promise.reject(new FencedError(run.runId));
      if (isProven(kept) && !kept.isTakeable) return undefined;
      kept.proving ??= proveByStore(kept).finally(() => (kept.proving = undefined));
      return kept.proving;
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
      if (run.journal.state.takenSignals.has(signal.id)) continue;
      run.journal.record({ type: "signal.taken", signal });
      if (!hasEffect(signal)) tellUnknown(run, signal);
    }
    if (run.journal.state.cancelRequested !== undefined) run.control.stop(cancelled(run.journal.state.cancelRequested));
  } catch (thrown) {
    tellUnread(run, thrown);
  }
}

/** The record of the signal stays; its sender may be another program, which reads no error. */
function tellUnknown(run: Run, { name, id }: Signal): void {
  const message = `Run ${run.runId} got a signal with the unknown name "${name}", which has no effect. Send messages with steer() or followUp(), decisions with decide(), and cancel with cancel().`;
  run.warn({ code: "signal_unknown", message, subject: id });
  run.logger.warn(message);
}

function tellUnread(run: Run, thrown: unknown): void {
  run.logger.warn(`Signals of run ${run.runId} could not be read; they stay in the store.`, { error: toError(thrown) });
}
