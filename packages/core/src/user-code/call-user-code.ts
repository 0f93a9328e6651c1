import type { Clock } from "../contracts/ports/clock.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import type { Logger } from "../contracts/ports/logger.ts";

/** Limits of one awaited call of user code. */
export interface CallLimits {
  /** The option that contains the function, as its user knows it. */
  readonly name: string;
  /** Time limit in milliseconds; without it the call waits until the run stops. */
  readonly timeoutMs: number | undefined;
  /** Clock that measures the time limit. */
  readonly clock: Pick<Clock, "setTimer">;
  /** Ends the wait when the run stops. `onStop` returns a function that unsubscribes. */
  readonly control?: { onStop(callback: () => void): () => void } | undefined;
  /** Id of the run that calls the function. The errors of a timeout and of a stopped run have it. */
  readonly runId?: string | undefined;
}

/** The outcome of a call of user code. */
export type UserAnswer<T> =
  | { readonly ok: true; readonly value: T }
  /** `stopped`: the run was stopped while it waited, which is not a failure of the code. */
  | { readonly ok: false; readonly error: Error; readonly stopped: boolean; readonly isLate?: boolean };

/**
 * A thrown value as an error.
 *
 * @param thrown - The value that was thrown. An `Error` is returned unchanged; of anything else, the text becomes the
 *   message. A value that throws when it is read is replaced.
 */
export function toError(thrown: unknown): Error {
  try {
    // Reads name and message of an error, which may be a proxy or have getters.
    const text = String(thrown);
    return thrown instanceof Error ? thrown : new Error(text, { cause: thrown });
  } catch {
    return new Error("a value that cannot be shown was thrown");
  }
}

/** Properties of thrown values that the framework reads. */
const readOfThrown = ["name", "message", "code", "cause", "kind", "output", "recoverable", "recoveryHint", "stack"];

/**
 * A thrown value that can be read: any other, such as one with a getter that throws, is replaced by an error. Nothing that
 * user code throws can fail where it is read.
 */
export function readableThrown(thrown: unknown): unknown {
  if ((typeof thrown !== "object" && typeof thrown !== "function") || thrown === null) return thrown;
  try {
    BailiwickError.isInstance(thrown);
    for (const name of readOfThrown) Reflect.get(thrown, name);
    return thrown;
  } catch {
    return new Error("it threw a value that cannot be read");
  }
}

/**
 * Calls user code without waiting for it. Errors and rejections go to `failed`, and never to the caller or the process.
 *
 * @param call - Calls the user's function.
 * @param failed - Receives the error if the function throws or rejects.
 */
export function tellUserCode(call: () => unknown, failed: (error: Error) => void): void {
  try {
    const returned = call();
    if (isThenable(returned)) Promise.resolve(returned).then(undefined, (thrown: unknown) => failed(toError(thrown)));
  } catch (thrown) {
    failed(toError(thrown));
  }
}

/**
 * Calls user code and returns its answer: at once for a value, else when its promise settles, the time limit passes, or
 * the run stops.
 *
 * @param call - Calls the user's function.
 * @param limits - The name of the function for errors, its time limit, and the signal that ends the wait.
 * @returns the answer, or the reason why there is none; it never throws or rejects.
 */
export function askUserCode<T>(
  call: () => T | PromiseLike<T>,
  limits: CallLimits,
): UserAnswer<T> | Promise<UserAnswer<T>> {
  try {
    const returned = call();
    if (!isThenable(returned)) return { ok: true, value: returned };
    return settled(returned, limits);
  } catch (thrown) {
    return failure(thrown);
  }
}

/**
 * Calls user code that must answer synchronously. A promise is a failure, and its rejection is dropped.
 *
 * @param name - The option that contains the function, for the error.
 * @param call - Calls the user's function.
 */
export function askUserCodeNow<T>(name: string, call: () => T): UserAnswer<T> {
  try {
    const returned = call();
    if (!isThenable<unknown>(returned)) return { ok: true, value: returned };
    Promise.resolve(returned).then(undefined, () => undefined);
    return failure(new TypeError(`"${name}" returned a promise; it has to return its value at once.`));
  } catch (thrown) {
    return failure(thrown);
  }
}

function failure(thrown: unknown): UserAnswer<never> {
  return { ok: false, error: toError(thrown), stopped: false };
}

function settled<T>(pending: PromiseLike<T>, limits: CallLimits): Promise<UserAnswer<T>> {
  const { clock, timeoutMs, control } = limits;
  return new Promise((resolve) => {
    let over = false;
    const end = (answer: UserAnswer<T>): void => {
      if (over) return;
      over = true;
      cancelTimer?.();
      forgetStop?.();
      resolve(answer);
    };
    const cancelTimer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimer(
            () => end({ ok: false, error: timedOut(limits, timeoutMs), stopped: false, isLate: true }),
            timeoutMs,
          );
    // A run that has already stopped still awaits the hooks of its end.
    let listening = false;
    const forgetStop = control?.onStop(() => {
      if (listening) end({ ok: false, error: stopped(limits), stopped: true });
    });
    listening = true;
    Promise.resolve(pending).then(
      (value) => end({ ok: true, value }),
      (thrown: unknown) => end(failure(thrown)),
    );
  });
}

function timedOut({ name, runId }: CallLimits, timeoutMs: number): BailiwickError {
  return new BailiwickError(
    "HOOK_TIMEOUT",
    `"${name}" did not settle within ${timeoutMs} ms. Return sooner, or do the work after the run.`,
    { runId },
  );
}

function stopped({ name, runId }: CallLimits): BailiwickError {
  return new BailiwickError("RUN_STOPPED", `The run was stopped while it waited for "${name}".`, { runId });
}

/**
 * True if a value has to be awaited.
 *
 * @param value - Any value.
 */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/** The failure of a callback outside of a run: the run that gets it as a cause reports it. */
export class CallbackError extends Error {
  /** The option that contains the callback. */
  readonly callback: string;

  /**
   * Makes the error.
   *
   * @param callback - Name of the callback.
   * @param error - What it threw.
   */
  constructor(callback: string, error: Error) {
    super(error.message, { cause: error });
    this.name = error.name;
    this.callback = callback;
  }
}

/** Loggers that are already safe, and the safe version of each other. */
const known = new WeakMap<Logger, Logger>();

/** A logger that never fails: errors of the given one are dropped, because a log line must not decide about a run. */
export function safeLogger(logger: Logger): Logger {
  const made = known.get(logger);
  if (made !== undefined) return made;
  const level =
    (name: keyof Logger) =>
    (message: string, ...data: readonly [unknown?]): void =>
      // There is no other place to report a failure.
      tellUserCode(
        () => logger[name](message, ...data),
        () => undefined,
      );
  const safe: Logger = { debug: level("debug"), info: level("info"), warn: level("warn"), error: level("error") };
  known.set(logger, safe);
  known.set(safe, safe);
  return safe;
}
