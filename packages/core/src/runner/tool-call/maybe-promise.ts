/** A value, or a promise of it: what is at hand is not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Goes on with a value at once when it is at hand, else when it arrives. Stages that every call passes write the two ways
 * out instead: making `next` would cost them more than what it does.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Runs stages in order, without a promise as long as none needs one.
 *
 * @param stages - Each changes the subject.
 * @param isDone - Asked before each stage; the rest is left out once it holds. Without it, none is.
 */
export function runStages<T>(
  stages: readonly ((subject: T) => MaybePromise<void>)[],
  subject: T,
  isDone?: (subject: T) => boolean,
  from = 0,
): MaybePromise<void> {
  for (let index = from; index < stages.length; index += 1) {
    if (isDone?.(subject) === true) return undefined;
    const pending = stages[index]?.(subject);
    if (pending instanceof Promise) return pending.then(() => runStages(stages, subject, isDone, index + 1));
  }
  return undefined;
}
