import { BailiwickError, ConfigurationError, type ErrorData } from "@bailiwick/core";
import { askUserCodeNow, tellUserCode, toError } from "@bailiwick/core/extension";
import type { MiddlewareHandler } from "hono";
import type { Caller } from "./authorize.ts";

/** Receives errors, and never fails itself. */
export type ErrorListener = (error: unknown) => void;

/** Turns thrown values that are not errors into errors: the framework of the routes would reject the request with them. */
export const thrownAsErrors: MiddlewareHandler = async (_context, next) => {
  try {
    await next();
  } catch (thrown) {
    throw toError(thrown);
  }
};

/**
 * The listener of errors: the developer's, or the log. An error of the listener goes to the log: it may not end the
 * process, and a request gets its answer.
 */
export function errorListener(given: ((error: unknown) => unknown) | undefined): ErrorListener {
  const log = (error: unknown): void => console.error(error);
  return given === undefined ? log : (error) => tellUserCode(() => given(error), log);
}

/** The words about a failed run: the developer's, or its code where these fail. */
export function errorWords(
  given: ((error: ErrorData) => unknown) | undefined,
  onError: ErrorListener,
): (error: ErrorData) => string {
  return (error) => {
    const byCode = `The run failed (${error.code}).`;
    if (given === undefined) return byCode;
    const answer = askUserCodeNow("errorText", () => given(error));
    if (answer.ok && typeof answer.value === "string") return answer.value;
    onError(answer.ok ? new TypeError('"errorText" has to return a text.') : answer.error);
    return byCode;
  };
}

/**
 * The answer of `authorize`. Any other value than a caller or `null` refuses the request: `false`, or a forgotten return,
 * would make a stranger an anonymous caller.
 *
 * @param what - Function that took `authorize`, for the message.
 * @returns `undefined` if the request is refused.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkedCaller<Who extends Pick<Caller, "userId" | "tenantId">>(
  given: Who | null,
  what: string,
): Who | undefined {
  if (given === null) return undefined;
  try {
    const { userId, tenantId }: { readonly userId?: unknown; readonly tenantId?: unknown } = given;
    const isOwner = [userId, tenantId].every((id) => id === undefined || (typeof id === "string" && id !== ""));
    if (typeof given === "object" && !Array.isArray(given) && isOwner) return given;
  } catch (cause) {
    if (BailiwickError.isInstance(cause)) throw cause;
    throw refused(what, cause);
  }
  throw refused(what);
}

function refused(what: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    "INVALID_OPTION",
    `"authorize" of ${what} returned something else than a caller or null. Return { userId, tenantId }, each a text that is not empty or left out, or null to refuse.`,
    ...(cause === undefined ? [] : [{ cause }]),
  );
}
