import nodeTimers from "node:timers";
import timerPromises from "node:timers/promises";
import { promisify } from "node:util";
import { currentProcess, type RoutedTimer, type TimerKind } from "./routed-process.ts";
import { platform } from "./platform.ts";

type Callback = (...given: readonly unknown[]) => void;

/** Largest delay of a timer in Node; a longer one is due after a millisecond. */
const longestMs = 2_147_483_647;

/** A timer of a simulated process, with the methods of Node's timers. */
class SimulatedTimer {
  readonly #start: () => RoutedTimer;
  #timer: RoutedTimer;
  #isRef = true;

  constructor(start: () => RoutedTimer) {
    this.#start = start;
    this.#timer = start();
  }

  ref(): this {
    this.#isRef = true;
    return this;
  }

  unref(): this {
    this.#isRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isRef;
  }

  refresh(): this {
    this.#timer.cancel();
    this.#timer = this.#start();
    return this;
  }

  close(): this {
    this.#timer.cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }
}

function delayOf(ms: unknown): number {
  const delay = Number(ms);
  return delay >= 1 && delay <= longestMs ? Math.trunc(delay) : 1;
}

function routed<Made>(original: Made, kind: TimerKind): Made {
  const set = (callback: Callback, ...given: readonly unknown[]): unknown => {
    const process = currentProcess();
    if (process === undefined || typeof callback !== "function")
      return (original as (...all: readonly unknown[]) => unknown)(callback, ...given);
    const args = kind === "immediate" ? given : given.slice(1);
    const delayMs = kind === "immediate" ? 0 : delayOf(given[0]);
    return new SimulatedTimer(() => process.setTimer(() => callback(...args), delayMs, kind));
  };
  return set as Made;
}

function clearing<Made>(original: Made): Made {
  const clear = (timer: unknown): void => {
    if (timer instanceof SimulatedTimer) timer.close();
    else (original as (timer: unknown) => void)(timer);
  };
  return clear as Made;
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Waits for a timer of the current process; rejects with the platform's error if the signal aborts. */
function wait<Value>(
  start: (done: () => void) => SimulatedTimer,
  value: Value,
  options: WaitOptions = {},
): Promise<Value> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.close();
      reject(
        Object.assign(new Error("The operation was aborted", { cause: signal?.reason }), {
          name: "AbortError",
          code: "ABORT_ERR",
        }),
      );
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Routes timers: the globals, `node:timers`, `node:timers/promises` and `AbortSignal.timeout`. */
export function routeTimers(): void {
  const timers = {
    setTimeout: routed(platform.setTimeout, "timeout"),
    setInterval: routed(platform.setInterval, "interval"),
    setImmediate: routed(platform.setImmediate, "immediate"),
    clearTimeout: clearing(platform.clearTimeout),
    clearInterval: clearing(platform.clearInterval),
    clearImmediate: clearing(platform.clearImmediate),
  };
  const original = { ...timerPromises };
  const pause = (delayMs?: number, value?: unknown, options?: WaitOptions): Promise<unknown> =>
    currentProcess() === undefined
      ? original.setTimeout(delayMs, value, options)
      : wait((done) => timers.setTimeout(done, delayMs) as unknown as SimulatedTimer, value, options);
  const turn = (value?: unknown, options?: WaitOptions): Promise<unknown> =>
    currentProcess() === undefined
      ? original.setImmediate(value, options)
      : wait((done) => timers.setImmediate(done) as unknown as SimulatedTimer, value, options);
  async function* every(delayMs?: number, value?: unknown, options?: WaitOptions): AsyncGenerator<unknown> {
    if (currentProcess() === undefined) return yield* original.setInterval(delayMs, value, options);
    for (;;) yield await pause(delayMs, value, options);
  }
  Object.defineProperty(timers.setTimeout, promisify.custom, { value: pause });
  Object.defineProperty(timers.setImmediate, promisify.custom, { value: turn });
  Object.assign(globalThis, timers);
  Object.assign(nodeTimers, timers);
  Object.assign(timerPromises, { setTimeout: pause, setImmediate: turn, setInterval: every });
  const { scheduler } = timerPromises;
  const { wait: platformWait } = scheduler;
  Object.assign(scheduler, {
    wait: (delayMs: number, options?: WaitOptions) =>
      currentProcess() === undefined
        ? platformWait.call(scheduler, delayMs, options)
        : pause(delayMs, undefined, options),
  });

  const timeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = (delayMs) => {
    if (currentProcess() === undefined) return timeout(delayMs);
    const controller = new AbortController();
    const error = new DOMException("The operation was aborted due to timeout", "TimeoutError");
    timers.setTimeout(() => controller.abort(error), delayMs);
    return controller.signal;
  };
}
