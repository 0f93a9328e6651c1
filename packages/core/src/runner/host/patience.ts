import type { Clock } from "../../contracts/ports/clock.ts";
import type { Logger } from "../../contracts/ports/logger.ts";
import { isAway } from "../../errors/host-errors.ts";
import type { StoreError } from "../../errors/store-errors.ts";
import type { RunControl } from "../limits/run-control.ts";
import { pauseUnless } from "../limits/timeouts.ts";

/** Default of `timeouts.storeMs`. */
const defaultStoreMs = 600_000;

/** First and longest pause between two tries of a call, in milliseconds. */
const firstPauseMs = 100;
const longestPauseMs = 15_000;

/** Time that a run has left for its store after it was stopped or its deadline has passed, in milliseconds. */
const graceMs = 5_000;

/** The parts of a run that a wait for its store needs. */
export interface Waiting {
  readonly runId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly control: RunControl;
  /** Duration of the run's lease, in milliseconds. */
  readonly leaseMs: number;
  /** The caller's signal, which ends the wait also before the run follows it. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Repeats calls of a store that is away, with growing pauses, for one run. All calls of the run share the time: it counts
 * from the first failure, and begins again when a call has succeeded.
 */
export class Patience {
  #storeMs = defaultStoreMs;
  #deadlineAt: number | undefined;
  readonly #waiting: Waiting;
  #awaySince: number | undefined;
  #stoppedAt: number | undefined;

  constructor(waiting: Waiting) {
    this.#waiting = waiting;
  }

  /**
   * Sets the limits, which are known when the run's settings are.
   *
   * @param storeMs - Time that the run waits for its store, in milliseconds.
   * @param deadlineAt - Time after which the run is late anyway, in milliseconds since the epoch.
   */
  limit(storeMs: number = defaultStoreMs, deadlineAt?: number): void {
    this.#storeMs = storeMs;
    this.#deadlineAt = deadlineAt;
  }

  /** True if the wait belongs to the run of this control. */
  isOf(control: RunControl): boolean {
    return this.#waiting.control === control;
  }

  /** Wait for the release of a lease whose records are stored: after its end, another process has taken the run. */
  get releaseMs(): number {
    return 2 * this.#waiting.leaseMs;
  }

  /** True if the run was given back because of its host. */
  get isInterrupted(): boolean {
    return this.#waiting.control.interruptedBy !== undefined;
  }

  /**
   * Waits after a failed call, and calls `repeat` until it succeeds.
   *
   * @param error - The error of the failed call.
   * @param repeat - Makes the call again. If its first answer was lost, the call may have been executed.
   * @param mostMs - Shorter limit of this wait, in milliseconds.
   * @throws the last error of the store when the time is over.
   */
  async again<T>(error: StoreError, repeat: () => Promise<T>, mostMs: number = Infinity): Promise<T> {
    const { clock } = this.#waiting;
    const until = clock.now() + mostMs;
    let last = error;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const leftMs = Math.min(this.#leftMs(last), until - clock.now());
      if (leftMs <= 0) throw last;
      await pauseUnless(clock, Math.min(pauseMs, leftMs), (wake) => this.#onStop(wake));
      try {
        const answer = await repeat();
        this.#works();
        return answer;
      } catch (thrown) {
        if (!isAway(thrown)) throw thrown;
        last = thrown;
      }
    }
  }

  /** Milliseconds until the run stops to wait. */
  #leftMs(error: StoreError): number {
    const { clock, control, signal } = this.#waiting;
    const now = clock.now();
    if (this.#awaySince === undefined) {
      this.#awaySince = now;
      if (this.#storeMs > 0) this.#tell(error);
    }
    const isStopped = signal?.aborted === true || (control.ending !== undefined && !control.isInterrupted);
    if (isStopped) this.#stoppedAt ??= now;
    const until = this.#awaySince + this.#storeMs;
    const late = this.#deadlineAt === undefined ? Infinity : Math.max(this.#deadlineAt, this.#awaySince) + graceMs;
    const stopped = this.#stoppedAt === undefined ? Infinity : this.#stoppedAt + graceMs;
    return Math.min(until, late, stopped) - now;
  }

  #tell({ code, message }: StoreError): void {
    const { runId, logger } = this.#waiting;
    logger.warn(
      `Run ${runId} waits for its store, and tries again for up to ${this.#storeMs} ms (timeouts.storeMs). ${code}: ${message}`,
    );
  }

  #works(): void {
    if (this.#awaySince === undefined) return;
    this.#awaySince = undefined;
    this.#waiting.logger.info(`Run ${this.#waiting.runId} continues: its store works again.`);
  }

  /** Ends a pause when the run is stopped; a run that was stopped before tries at its pace until its time is over. */
  #onStop(wake: () => void): () => void {
    const { control, signal } = this.#waiting;
    if (this.#stoppedAt !== undefined) return () => undefined;
    signal?.addEventListener("abort", wake, { once: true });
    const forget = control.isInterrupted || control.ending === undefined ? control.onceStopped(wake) : undefined;
    return () => {
      signal?.removeEventListener("abort", wake);
      forget?.();
    };
  }
}
