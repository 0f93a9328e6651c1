import { apiError, modelFailure } from "@bailiwick/core";
import type { FailureMoment, ModelError, StatusFailure } from "@bailiwick/core";
import { APIConnectionError, APIError } from "openai/core/error";
import type { ModelContext } from "./model-context.ts";

/**
 * The typed error for anything that a request threw.
 *
 * @param error - What was thrown, by the SDK, by `fetch`, or here.
 * @param context - The model.
 * @param moment - What is known besides.
 */
export function toModelError(error: unknown, context: ModelContext, moment: FailureMoment): Error {
  const { modelId, compat } = context;
  return modelFailure(error, { provider: compat.provider, modelId, readFailure }, moment);
}

function readFailure(error: unknown): StatusFailure | "connection" | undefined {
  if (error instanceof APIError && error.status !== undefined) {
    const body = bodyOf(error);
    return {
      status: error.status,
      codes: [error.code, error.type, codeIn(body)],
      message: messageIn(body) ?? error.message,
      requestId: error.requestID,
      headers: error.headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
  }
  return error instanceof APIConnectionError ? "connection" : undefined;
}

/** An error object as it stands in answers and stream frames. */
export interface ErrorObject {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
}

/** Statuses that OpenAI gives errors which arrive inside a stream. */
const statusOfCode: Readonly<Record<string, number>> = {
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  invalid_api_key: 401,
  model_not_found: 404,
  server_error: 500,
  internal_error: 500,
  overloaded: 503,
  server_is_overloaded: 503,
  slow_down: 503,
  timeout: 504,
  vector_store_timeout: 504,
};

/**
 * The typed error for an error inside an answer with status 200.
 *
 * @param error - The error object.
 * @param context - The model.
 * @param moment - What is known besides.
 */
export function embeddedError(
  error: ErrorObject,
  context: ModelContext,
  moment: FailureMoment & { readonly headers?: Headers | undefined },
): ModelError {
  const code = typeof error.code === "string" ? error.code : undefined;
  const type = typeof error.type === "string" ? error.type : undefined;
  const number = [error.code, error.status].find(
    (value) => typeof value === "number" && value >= 400 && value < 600,
  ) as number | undefined;
  const known = [code, type].flatMap((word) =>
    word !== undefined && Object.hasOwn(statusOfCode, word) ? [statusOfCode[word]] : [],
  )[0];
  const message = typeof error.message === "string" ? error.message : JSON.stringify(error);
  return apiError({
    provider: context.compat.provider,
    model: context.modelId,
    // A failure without a name is the vendor's own, unless it blames the request.
    status:
      number ??
      known ??
      (type === "invalid_request_error" || /^invalid|_invalid$|unsupported/.test(code ?? "") ? 400 : 500),
    codes: [code, type],
    message,
    body: JSON.stringify(error),
    requestId: moment.headers?.get("x-request-id"),
    apiKey: moment.apiKey,
    shown: moment.shown,
    partial: moment.partial,
  });
}

/** The vendor's error: OpenAI nests it under `error`, some servers send it bare, in an array, or as text. */
function bodyOf(error: APIError): unknown {
  return error.error ?? error.message.replace(/^\d{3} /, "");
}

function messageIn(body: unknown): string | undefined {
  if (typeof body === "string") return body === "" ? undefined : body;
  if (typeof body !== "object" || body === null) return undefined;
  const { message, failed_generation: failed } = body as { message?: unknown; failed_generation?: unknown };
  if (typeof message !== "string") return undefined;
  return typeof failed === "string" ? `${message} The model wrote: ${failed}` : message;
}

function codeIn(body: unknown): string | undefined {
  const code = typeof body === "object" && body !== null ? (body as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : undefined;
}
