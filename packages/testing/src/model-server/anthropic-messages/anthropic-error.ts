import type { JsonObject } from "../json.ts";
import type { ErrorResponse } from "../wire.ts";
import type { WireError } from "../wire-error.ts";

/** A 400 of Anthropic. */
export function invalid(message: string): WireError {
  return { status: 400, type: "invalid_request_error", message };
}

/** The error object of bodies and frames. */
export function errorObject(error: WireError): JsonObject {
  return { type: "error", error: { type: error.type ?? typeOf(error.status), message: error.message } };
}

/** An Anthropic error as an HTTP answer. */
export function anthropicErrorResponse(error: WireError): ErrorResponse {
  const wait = error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) };
  return { status: error.status, headers: { ...wait, ...error.headers }, body: error.body ?? errorObject(error) };
}

const types: ReadonlyMap<number, string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

function typeOf(status: number): string {
  return types.get(status) ?? (status >= 500 ? "api_error" : "invalid_request_error");
}
