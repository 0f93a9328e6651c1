import { BailiwickError, ConfigurationError, type RunStore, checkArgument } from "@bailiwick/core";
import { createCrew } from "./crew.ts";
import { checkOptions, type DriveDueOptions } from "./options.ts";
import { createTicker } from "./schedules/ticker.ts";
import { stopOnSignals } from "./stop-on-signals.ts";

/** Options of `worker`. */
export interface WorkerOptions extends DriveDueOptions {
  /** Interval between two reads of the store without a notification, in milliseconds; default 1,000. */
  readonly pollMs?: number | undefined;
  /**
   * Signals of the operating system on which the worker drains, after which the process ends; default `["SIGTERM"]`. An
   * empty list leaves signals to your own code.
   */
  readonly stopOn?: readonly string[] | undefined;
}

/** State of a worker. */
export interface WorkerStatus {
  /** `draining`: the worker claims no more runs, and its current steps finish. */
  readonly state: "running" | "draining" | "stopped";
  /** Ids of the runs that it drives. */
  readonly runs: readonly string[];
  /** Time of the store's last answer to a claim, in milliseconds since the epoch. */
  readonly claimedAt: number | undefined;
  /** Time of the last search for work, in milliseconds since the epoch, also if the store failed. */
  readonly lookedAt: number | undefined;
  /** Error of the last claim, while the store cannot be read; kept if the store was closed. */
  readonly storeError: Error | undefined;
}

/** Drives stored runs until it is drained. */
export interface Worker extends AsyncDisposable {
  /** The store whose runs the worker drives. */
  readonly store: RunStore;
  /** Returns the current state of the worker. */
  status(): WorkerStatus;
  /**
   * Stops claiming, lets the current turns finish within `drainMs`, and gives the runs back, so that another process
   * continues them at once.
   */
  drain(): Promise<void>;
  /**
   * Resolves when the worker has drained. Rejects with `STORE_CLOSED` if its store was closed first: the worker stops
   * then, because it can claim no more runs.
   */
  readonly stopped: Promise<void>;
  /** Resolves when no run is driven or due. Rejects if the store was closed first. */
  idle(): Promise<void>;
}

/** First and longest pause while the store cannot be reached, in milliseconds. */
const firstAwayMs = 250;
const longestAwayMs = 15_000;

/**
 * Drives the runs of these agents: enqueued runs, runs with new decisions or signals, sleepers and delayed runs at
 * their time, and runs whose process died. Start one in each process that should drive runs; several share the work.
 *
 * @param options - The agents, their store, and the limits.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import type { AgentRuntime, RunStore } from "@bailiwick/core";
 * import { worker } from "@bailiwick/worker";
 *
 * export async function answerAll(agent: AgentRuntime, store: RunStore, mails: readonly string[]): Promise<void> {
 *   await using crew = worker({ agents: [agent], store, concurrency: 4 });
 *   for (const text of mails) await agent.enqueue([{ type: "text", text, untrusted: true }]);
 *   await crew.idle();
 * }
 * ```
 */
export function worker(options: WorkerOptions): Worker {
  checkArgument(options, "object", "worker({ agents, store })");
  const checked = checkOptions(options, "worker()", ["pollMs", "stopOn"]);
  const { store, logger } = checked;
  const pollMs = checkPoll(options.pollMs ?? 1_000);
  const ticker = createTicker(checked);
  let state: WorkerStatus["state"] = "running";
  let claimedAt: number | undefined;
  let lookedAt: number | undefined;
  let storeError: Error | undefined;
  /** Ends the pause of the loop. */
  let wake: () => void = () => undefined;
  let woken = false;
  let idleWaiters: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];

  const closedStore = (): Error | undefined => {
    const isClosed = BailiwickError.isInstance(storeError) && storeError.code === "STORE_CLOSED";
    return isClosed ? storeError : undefined;
  };
  const poke = (): void => {
    woken = true;
    wake();
  };
  const crew = createCrew(checked, poke);

  function pause(ms: number): Promise<void> {
    if (woken) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        wake = () => undefined;
        resolve();
      }
      wake = done;
    });
  }

  /** One claim. Returns the time for which the loop may wait for a notification, in milliseconds. */
  async function look(awayMs: number): Promise<number> {
    lookedAt = Date.now();
    try {
      const tickAt = await ticker.tick();
      const claimed = await crew.claim();
      claimedAt = Date.now();
      if (storeError !== undefined) logger.info(`The store "${store.name}" answers again.`);
      storeError = undefined;
      if (claimed === 0 && crew.driven.size === 0 && !woken) for (const { resolve } of idleWaiters.splice(0)) resolve();
      const next = Math.min(crew.nextAt() ?? Infinity, tickAt ?? Infinity);
      return Math.max(1, Math.min(pollMs, next - Date.now()));
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      if (BailiwickError.isInstance(error) && error.code === "STORE_CLOSED") {
        logger.error(
          `The store "${store.name}" was closed, so the worker stops. Drain a worker before you close its store.`,
          { error },
        );
        storeError = error;
        void drain();
        return awayMs;
      }
      if (storeError === undefined)
        logger.error(`The worker cannot claim runs from the store "${store.name}". It keeps trying.`, {
          error,
        });
      storeError = error;
      return awayMs;
    }
  }

  async function loop(): Promise<void> {
    let awayMs = firstAwayMs;
    while (state === "running") {
      woken = false;
      const waitMs = await look(awayMs);
      awayMs = storeError === undefined ? firstAwayMs : Math.min(awayMs * 2, longestAwayMs);
      if (state === "running") await pause(waitMs);
    }
  }

  let settle: (error: Error | undefined) => void = () => undefined;
  const stopped = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error));
  });
  // The log shows the error to a caller who does not wait for the end of the worker.
  stopped.catch(() => undefined);
  const unsubscribe = store.onReady?.(poke);
  const looping = loop();
  let draining: Promise<void> | undefined;
  async function end(): Promise<void> {
    state = "draining";
    poke();
    unsubscribe?.();
    options.signal?.removeEventListener("abort", onAbort);
    forgetSignals();
    await looping;
    await crew.giveBack();
    state = "stopped";
    const closed = closedStore();
    for (const { resolve, reject } of idleWaiters.splice(0)) {
      if (closed === undefined) resolve();
      else reject(closed);
    }
    settle(closed);
  }
  const drain = (): Promise<void> => (draining ??= end());
  const onAbort = (): void => void drain();
  const forgetSignals = stopOnSignals(options.stopOn ?? ["SIGTERM"], drain);
  options.signal?.addEventListener("abort", onAbort, { once: true });
  if (options.signal?.aborted === true) void drain();

  return {
    store,
    stopped,
    status: () => ({ state, runs: [...crew.driven], claimedAt, lookedAt, storeError }),
    drain,
    idle() {
      const closed = closedStore();
      if (state === "stopped") return closed === undefined ? Promise.resolve() : Promise.reject(closed);
      return new Promise((resolve, reject) => {
        idleWaiters.push({ resolve, reject });
        poke();
      });
    },
    [Symbol.asyncDispose]: drain,
  };
}

function checkPoll(pollMs: number): number {
  if (Number.isFinite(pollMs) && pollMs >= 10) return pollMs;
  throw new ConfigurationError("INVALID_OPTION", `worker(): "pollMs" is a number of milliseconds, 10 or more.`);
}
