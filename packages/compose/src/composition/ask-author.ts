import type { Clock } from "@bailiwick/core";
import { CallbackError, askUserCode, askUserCodeNow, ownCopy } from "@bailiwick/core/extension";

/** Longest wait for a function of a composition, in milliseconds: the default time-out of a tool. */
const timeoutMs = 60_000;

/** Schema of the function's answer. */
export interface ExpectedAnswer {
  readonly what: string;
  readonly holds: (answer: unknown) => boolean;
}

/** A text. */
export const aText: ExpectedAnswer = { what: "a text", holds: (answer) => typeof answer === "string" };

/**
 * Calls a function that the author of a composition wrote. The function gets copies of its arguments, and its answer is
 * copied.
 *
 * @throws CallbackError when the function throws, does not settle within 60 seconds, or returns something else.
 */
export type AskAuthor = <Given extends readonly unknown[], Answer>(
  name: string,
  callback: (...given: Given) => Answer | Promise<Answer>,
  given: Given,
  expected?: ExpectedAnswer,
) => Promise<Answer>;

/** Returns a function that calls the functions of one composition. */
export function authorOf(
  composition: string,
  clock: Pick<Clock, "setTimer">,
  signal: AbortSignal | undefined,
): AskAuthor {
  const control = {
    onStop(callback: () => void): () => void {
      signal?.addEventListener("abort", callback, { once: true });
      return () => signal?.removeEventListener("abort", callback);
    },
  };
  return async (name, callback, given, expected) => {
    const hook = `${name} of ${composition}`;
    const asked = await askUserCode(() => callback(...ownCopy(given)), { name: hook, timeoutMs, clock, control });
    if (!asked.ok) throw new CallbackError(hook, asked.error);
    const { value } = asked;
    const read = askUserCodeNow(hook, () => ownCopy(value));
    if (!read.ok) throw new CallbackError(hook, read.error);
    if (expected?.holds(read.value) === false)
      throw new CallbackError(hook, new TypeError(`"${hook}" has to return ${expected.what}.`));
    return read.value;
  };
}
