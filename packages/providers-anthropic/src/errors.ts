import {
  apiError,
  beginningOf,
  ConfigurationError,
  isJsonObject,
  jsonText,
  modelFailure,
} from "@bailiwick/core/provider";
import type { FailureMoment, ModelError, StatusFailure } from "@bailiwick/core/provider";
import { AnthropicError, APIConnectionError, APIError } from "@anthropic-ai/sdk";
import type { ModelContext } from "./model-context.ts";

/**
 * The typed error for any error of a request.
 *
 * @param error - The error of the SDK, of `fetch`, or of this adapter.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function toModelError(error: unknown, { modelId }: ModelContext, moment: FailureMoment): Error {
  return modelFailure(error, { provider: "anthropic", modelId, readFailure }, moment);
}

function readFailure(error: unknown): StatusFailure | Error | "connection" | undefined {
  if (error instanceof APIError && error.status !== undefined) {
    const body: unknown = error.error;
    return {
      status: error.status,
      codes: [error.errorCode, error.type],
      message: error.apiMessage ?? error.message,
      requestId: error.requestID,
      headers: error.headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
  }
  if (error instanceof APIConnectionError) return "connection";
  if (!isMissingKey(error)) return undefined;
  return new ConfigurationError(
    "API_KEY_MISSING",
    'No key for anthropic: set ANTHROPIC_API_KEY, or give anthropic() or the call an "apiKey".',
    { cause: error },
  );
}

/** True if the vendor cannot read thinking that was sent back to it. */
export function saysUnreadable(error: unknown): boolean {
  return (
    error instanceof APIError &&
    error.status === 400 &&
    /invalid `?signature`? in `?thinking`? block/i.test(beginningOf(error.message))
  );
}

/** Statuses for Anthropic errors that arrive inside a stream, by their type. */
const statusOfType: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/**
 * The typed error for an error inside an answer with status 200.
 *
 * @param frame - The event or body: `{ type: "error", error }`, or the error object alone.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function embeddedError(
  frame: Readonly<Record<string, unknown>>,
  context: ModelContext,
  moment: FailureMoment & { readonly headers?: Headers | undefined },
): ModelError {
  const error = isJsonObject(frame["error"]) ? frame["error"] : frame;
  const type = jsonText(error["type"]);
  const details = isJsonObject(error["details"]) ? jsonText(error["details"]["error_code"]) : "";
  return apiError({
    provider: "anthropic",
    model: context.modelId,
    status: statusOfType[type] ?? 500,
    codes: [details, type],
    message: jsonText(error["message"]) || JSON.stringify(error),
    body: JSON.stringify(frame),
    requestId: (jsonText(frame["request_id"]) || moment.headers?.get("request-id")) ?? undefined,
    apiKey: moment.apiKey,
    partial: moment.partial,
  });
}

function isMissingKey(error: unknown): boolean {
  return (
    error instanceof Error &&
    !(error instanceof AnthropicError) &&
    error.message.startsWith("Could not resolve authentication")
  );
}
