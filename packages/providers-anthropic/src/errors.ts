import {
  apiError,
  ConfigurationError,
  ModelAbortedError,
  ModelConnectionError,
  ModelError,
  ModelResponseError,
} from "@bailiwick/core";
import type { ModelResponse } from "@bailiwick/core";
import { AnthropicError, APIConnectionError, APIError } from "@anthropic-ai/sdk";
import { isObject, textOf } from "./json.ts";
import type { ModelContext } from "./model-context.ts";

/** What is known about the moment of a failure. */
export interface FailureMoment {
  /** The request's key, to keep it out of messages. */
  readonly apiKey?: string | undefined;
  /** Output had been shown. */
  readonly shown?: boolean | undefined;
  readonly partial?: ModelResponse | undefined;
  /** The request's signal did it. */
  readonly aborted?: boolean | undefined;
  /** The signal's reason. */
  readonly reason?: unknown;
}

/**
 * The typed error for anything that a request threw.
 *
 * @param error - What was thrown, by the SDK, by `fetch`, or here.
 * @param context - The model.
 * @param moment - What is known besides.
 */
export function toModelError(error: unknown, context: ModelContext, moment: FailureMoment): Error {
  const { shown = false, partial } = moment;
  const common = { provider: "anthropic", model: context.modelId, partial, cause: error };
  if (moment.aborted === true) {
    return new ModelAbortedError(`The call to ${context.modelId} was aborted.`, {
      ...common,
      cause: moment.reason ?? error,
    });
  }
  if (error instanceof ModelError || error instanceof ConfigurationError) return error;
  if (error instanceof APIError && error.status !== undefined) {
    const body: unknown = error.error;
    return apiError({
      ...common,
      status: error.status,
      codes: [error.errorCode, error.type],
      message: error.apiMessage ?? error.message,
      requestId: error.requestID,
      headers: error.headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
      apiKey: moment.apiKey,
      shown,
    });
  }
  if (error instanceof APIConnectionError || isConnectionFailure(error)) {
    const reason = rootMessage(error);
    const refused = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNABORTED/.test(reason);
    return new ModelConnectionError(
      `The connection to anthropic failed: ${reason}. Check the network and the base URL.`,
      { ...common, retryable: !shown, mayHaveRun: !refused },
    );
  }
  if (error instanceof SyntaxError) {
    return new ModelResponseError(`An answer of ${context.modelId} could not be read: ${error.message}`, {
      ...common,
      retryable: !shown,
    });
  }
  if (isMissingKey(error)) {
    return new ConfigurationError(
      "API_KEY_MISSING",
      'No key for anthropic: set ANTHROPIC_API_KEY, or give anthropic() or the call an "apiKey".',
      { cause: error },
    );
  }
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** Statuses that Anthropic gives errors which arrive inside a stream, by their type. */
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
 * @param moment - What is known besides.
 */
export function embeddedError(
  frame: Readonly<Record<string, unknown>>,
  context: ModelContext,
  moment: FailureMoment & { readonly headers?: Headers | undefined },
): ModelError {
  const error = isObject(frame["error"]) ? frame["error"] : frame;
  const type = textOf(error["type"]);
  const details = isObject(error["details"]) ? textOf(error["details"]["error_code"]) : "";
  return apiError({
    provider: "anthropic",
    model: context.modelId,
    status: statusOfType[type] ?? 500,
    codes: [details, type],
    message: textOf(error["message"]) || JSON.stringify(error),
    body: JSON.stringify(frame),
    requestId: (textOf(frame["request_id"]) || moment.headers?.get("request-id")) ?? undefined,
    apiKey: moment.apiKey,
    shown: moment.shown,
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

function isConnectionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("code" in error && /^(E[A-Z]+|UND_ERR)/.test(String(error.code))) return true;
  // Every `fetch` has its own words for it, and a TypeError of ours is none of them.
  return (
    error instanceof TypeError &&
    (error.cause !== undefined || /terminated|fetch|network|load failed|socket/i.test(error.message))
  );
}

function rootMessage(error: unknown): string {
  let current = error;
  const parts: string[] = [];
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    const code = "code" in current && typeof current.code === "string" ? `${current.code} ` : "";
    if (current.message !== "" || code !== "") parts.push(`${code}${current.message}`.trim());
    current = current.cause;
  }
  return [...new Set(parts)].join(": ").replace(/\.$/, "") || String(error);
}
