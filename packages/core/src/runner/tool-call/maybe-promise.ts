/** A value, or a promise of it: a value is not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Continues with a value at once, or when its promise settles. A call whose tool and stages are synchronous ends in the
 * turn of the event loop in which it starts, so that 64 such calls cost no promise each.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Continues with what a function of others returns or resolves to, and with what it throws or rejects with. */
export function settled<T, R>(
  make: () => MaybePromise<T>,
  next: (value: T) => R,
  failed: (error: unknown) => R,
): MaybePromise<R> {
  let value: MaybePromise<T>;
  try {
    value = make();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(next, failed) : next(value);
}

/**
 * Runs stages in order and awaits those that return a promise.
 *
 * @param stages - Each changes the subject.
 * @param isDone - Asked before each stage; if it returns true, the rest is skipped. Default: never.
 */
export async function runStages<T>(
  stages: readonly ((subject: T) => MaybePromise<void>)[],
  subject: T,
  isDone?: (subject: T) => boolean,
): Promise<void> {
  for (const stage of stages) {
    if (isDone?.(subject) === true) return;
    const pending = stage(subject);
    if (pending instanceof Promise) await pending;
  }
}
