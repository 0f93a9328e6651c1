import type { ErrorResponse } from "../wire.ts";
import type { WireError } from "../wire-error.ts";

/** A 400 of OpenAI. */
export function invalidRequest(message: string, param: string | null = null, code: string | null = null): WireError {
  return { status: 400, type: "invalid_request_error", message, param, code };
}

/** OpenAI's 400 for a missing required member. */
export function missingParameter(param: string): WireError {
  return invalidRequest(`Missing required parameter: '${param}'.`, param, "missing_required_parameter");
}

/** The error object that OpenAI puts into bodies and frames. */
export function errorObject(error: WireError): {
  message: string;
  type: string;
  param: string | null;
  code: string | null;
} {
  return {
    message: error.message,
    type: error.type ?? typeOf(error.status),
    param: error.param ?? null,
    code: error.code ?? codeOf(error.status),
  };
}

/** An OpenAI error as an HTTP answer. */
export function openaiErrorResponse(error: WireError): ErrorResponse {
  const wait = error.retryAfterSeconds === undefined ? {} : { "retry-after": String(error.retryAfterSeconds) };
  return {
    status: error.status,
    headers: { ...wait, ...error.headers },
    body: error.body ?? { error: errorObject(error) },
  };
}

function typeOf(status: number): string {
  if (status === 429) return "requests";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

function codeOf(status: number): string | null {
  return status === 429 ? "rate_limit_exceeded" : null;
}
