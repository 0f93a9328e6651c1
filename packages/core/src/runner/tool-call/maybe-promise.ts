/** A value, or a promise of it: a value is not awaited. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Continues with a value at once, or when its promise settles. Stages that every call passes write both branches
 * themselves: creating `next` would cost more than its work.
 */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * Runs stages in order, without a promise as long as none needs one.
 *
 * @param stages - Each changes the subject.
 * @param isDone - Asked before each stage; if it returns true, the rest is skipped. Default: never.
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
