import { ConfigurationError, type Clock, type JsonValue } from "@bailiwick/core";
import { CallbackError, askUserCode, askUserCodeNow, ownCopy } from "@bailiwick/core/extension";
import { checkedValue } from "./values.ts";

/** Longest wait for a function of a composition, in milliseconds: the default time-out of a tool. */
const timeoutMs = 60_000;

/** Schema of the function's answer. */
export interface ExpectedAnswer {
  readonly what: string;
  readonly holds: (answer: unknown) => boolean;
}

/** A list. */
export const aList: ExpectedAnswer = { what: "a list", holds: Array.isArray };

/** True or false. */
export const yesOrNo: ExpectedAnswer = { what: "true or false", holds: (answer) => typeof answer === "boolean" };

/** A text. */
export const aText: ExpectedAnswer = { what: "a text", holds: (answer) => typeof answer === "string" };

/**
 * Refuses an option that has to be a function.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkCallback(kind: string, option: string, given: unknown): void {
  if (typeof given !== "function")
    throw new ConfigurationError("INVALID_OPTION", `${kind}(): "${option}" must be a function.`);
}

/**
 * Calls a function that the author of a workflow wrote. The function gets copies of its arguments, and its answer is
 * copied.
 *
 * @throws CallbackError when the function throws, does not settle within 60 seconds, or returns something else, and
 *   ToolError that begins with `NODE_VALUE_INVALID` for an answer that JSON cannot hold.
 */
export type AskAuthor = <Given extends readonly unknown[]>(
  name: string,
  callback: (...given: Given) => unknown,
  given: Given,
  expected?: ExpectedAnswer,
) => Promise<JsonValue>;

/** Returns a function that calls the functions of one workflow. */
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
    return checkedValue(read.value, `${composition}.${name}`);
  };
}
