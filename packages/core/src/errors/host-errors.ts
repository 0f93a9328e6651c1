import { BailiwickError } from "./bailiwick-error.ts";
import { factsOfCode, factsOfStore, type ErrorFacts } from "./codes.ts";
import { JournalUnavailableError, StoreError } from "./store-errors.ts";

/**
 * The facts of a thrown value: its origin, and what follows for a run that has it. A value that is not an error of this framework belongs to code of the user, and ends the run.
 *
 * @param thrown - The thrown value.
 * @example
 * ```ts
 * import { errorFacts } from "@bailiwick/core/extension";
 *
 * // A consumer of a queue delivers the job again if the host failed, not the run.
 * export const isOfHost = (error: unknown): boolean => errorFacts(error).origin === "host";
 * ```
 */
export function errorFacts(thrown: unknown): ErrorFacts {
  if (StoreError.isInstance(thrown)) return factsOfStore(thrown.code);
  return factsOfCode(BailiwickError.isInstance(thrown) ? thrown.code : "");
}

/** True if a run that has this error does not end: this process gives it back. */
export function givesBack(thrown: unknown): thrown is BailiwickError {
  return errorFacts(thrown).forRun === "giveBack";
}

/** True for an error of a store that may pass: the same call is tried again. */
export function isAway(thrown: unknown): thrown is StoreError {
  return StoreError.isInstance(thrown) && thrown.retryable && errorFacts(thrown).origin === "host";
}

/** True if a run was given back because its store is away. */
export function isStoreAway(thrown: unknown): thrown is BailiwickError {
  return isAway(thrown) || JournalUnavailableError.isInstance(thrown);
}

/**
 * The error of a failed call of a store. A value that is not an error of this framework, such as a driver's own, becomes
 * `STORE_FAILED`: what a store throws is never a failure of the run.
 *
 * @param thrown - The value that the store threw.
 * @param name - Name of the store.
 */
export function asStoreError(thrown: unknown, name: string): BailiwickError {
  if (BailiwickError.isInstance(thrown)) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new StoreError(
    "STORE_FAILED",
    `The store "${name}" failed: ${reason}. Runs can be resumed when it works again.`,
    {
      cause: thrown,
    },
  );
}
