import { tellUserCode } from "./call-user-code.ts";

/**
 * Receives errors, and never fails itself.
 *
 * @param error - The value that was thrown.
 */
export type ErrorListener = (error: unknown) => void;

/**
 * The listener of errors that no caller sees: the developer's, or the log. If it fails itself, both errors go to the log:
 * no error is lost, and none ends the process.
 *
 * @param given - The listener of the developer, if there is one.
 * @param log - Writes an error to the log; default `console.error`.
 * @example
 * ```ts
 * import { errorListener } from "@bailiwick/core/extension";
 *
 * const onError = errorListener(() => {
 *   throw new Error("The log service is down.");
 * });
 * onError(new Error("A call failed."));
 * ```
 */
export function errorListener(
  given: ((error: unknown) => unknown) | undefined,
  log: ErrorListener = (error) => console.error(error),
): ErrorListener {
  if (given === undefined) return log;
  return (error) =>
    tellUserCode(
      () => given(error),
      (failure) => {
        log(error);
        log(failure);
      },
    );
}
