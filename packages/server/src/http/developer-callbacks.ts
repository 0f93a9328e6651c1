import type { ErrorData } from "@bailiwick/core";
import { askUserCodeNow, toError, type ErrorListener } from "@bailiwick/core/extension";
import type { MiddlewareHandler } from "hono";

/** Turns thrown values that are not errors into errors: the framework of the routes would reject the request with them. */
export const thrownAsErrors: MiddlewareHandler = async (_context, next) => {
  try {
    await next();
  } catch (thrown) {
    throw toError(thrown);
  }
};

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
