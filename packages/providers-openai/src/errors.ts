import {
  apiError,
  beginningOf,
  filledObject,
  isJsonObject,
  jsonText,
  modelFailure,
  ModelResponseError,
} from "@bailiwick/core/provider";
import type { FailureMoment, ModelError, StatusFailure } from "@bailiwick/core/provider";
import { APIConnectionError, APIError } from "openai/core/error";
import type { ModelContext } from "./model-context.ts";

/** The part of a model's context that its errors name. */
export type FailingContext = Pick<ModelContext, "modelId" | "compat" | "api" | "ownAddress">;

/**
 * The typed error for any error of a request.
 *
 * @param error - The error of the SDK, of `fetch`, or of this adapter.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function toModelError(error: unknown, context: FailingContext, moment: FailureMoment): Error {
  const { modelId, compat } = context;
  return modelFailure(
    error,
    { provider: compat.provider, modelId, readFailure: (thrown) => withAdvice(readFailure(thrown), context) },
    moment,
  );
}

/** The error for a body that is not an answer of the API, such as the page of a proxy. */
export function foreignAnswer({ compat, modelId }: FailingContext, what: string, body: unknown): ModelResponseError {
  return new ModelResponseError(`The answer of ${modelId} is not ${what}. Check the base URL.`, {
    provider: compat.provider,
    model: modelId,
    retryable: true,
    body: JSON.stringify(body),
  });
}

/** The error for a stream that ended without the end of its answer. */
export function cutStream(
  { compat, modelId }: FailingContext,
  { partial }: Pick<FailureMoment, "partial">,
): ModelResponseError {
  return new ModelResponseError(`The stream of ${modelId} ended before the answer was complete.`, {
    provider: compat.provider,
    model: modelId,
    retryable: true,
    partial,
  });
}

/** A server that was given by its address and has no such path may lack the Responses API altogether. */
function withAdvice<Failure extends StatusFailure | "connection" | undefined>(
  failure: Failure,
  { api, ownAddress }: FailingContext,
): Failure {
  if (typeof failure !== "object" || failure.status !== 404 || api !== "responses" || !ownAddress) return failure;
  if (failure.codes?.includes("model_not_found") === true) return failure;
  const advice = 'This server may only speak Chat Completions: pass `api: "chat"` to openai().';
  return { ...failure, advice };
}

function readFailure(error: unknown): StatusFailure | "connection" | undefined {
  if (error instanceof APIError && error.status !== undefined) {
    const body = bodyOf(error);
    return {
      status: error.status,
      codes: [error.code, error.type, codeIn(body)],
      message: messageIn(body) ?? error.message,
      requestId: requestIdIn(error.headers),
      headers: error.headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
  }
  return error instanceof APIConnectionError ? "connection" : undefined;
}

/** The id of a request for the vendor's support; Azure and OpenRouter use their own names for it. */
function requestIdIn(headers: Headers | undefined): string | null | undefined {
  return headers?.get("x-request-id") ?? headers?.get("apim-request-id") ?? headers?.get("x-generation-id");
}

/** An error object in answers and stream frames. */
export interface ErrorObject {
  readonly message?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly status?: unknown;
  readonly status_code?: unknown;
}

/**
 * Returns the error in a chunk, or in a body with status 200: its field `error` (an object or a text), or the body
 * itself.
 *
 * @param body - Parsed JSON.
 */
export function errorIn(body: Readonly<Record<string, unknown>>): ErrorObject | undefined {
  const error = filledObject(body["error"]);
  if (error !== undefined) return error;
  const text = jsonText(body["error"]);
  if (text !== "") return { message: text };
  if (isJsonObject(body["base_resp"])) return minimaxError(body["base_resp"]);
  return body["object"] === "error" && typeof body["message"] === "string" ? body : undefined;
}

/** HTTP statuses for the error numbers of MiniMax (https://platform.minimax.io/docs/api-reference/errorcode). */
const minimaxStatuses: Readonly<Record<number, number>> = {
  1002: 429,
  1004: 401,
  1008: 402,
  1026: 400,
  1027: 400,
  2013: 400,
};

/** MiniMax answers an error with status 200 and a number. */
function minimaxError({
  status_code: code,
  status_msg: message,
}: Readonly<Record<string, unknown>>): ErrorObject | undefined {
  return code ? { status: minimaxStatuses[code as number] ?? 500, message } : undefined;
}

/** True if the vendor cannot read encrypted reasoning that was sent back to it. */
export function saysUnreadable(error: unknown): boolean {
  if (!(error instanceof APIError) || error.status !== 400) return false;
  return (
    error.code === "invalid_encrypted_content" ||
    /encrypted content .*could not be verified/i.test(beginningOf(error.message))
  );
}

/** Codes for an invalid request: the same request would be refused again. */
const refused = /^invalid|_invalid$|unsupported|_policy|image_(too|parse|file|content|not)|empty_image|download_image/;

/** Statuses for OpenAI errors that arrive inside a stream. */
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
  engine_overloaded_error: 503,
  rate_limit_error: 429,
  rate_limit_reached_error: 429,
  exceeded_current_quota_error: 429,
  usage_limit_reached: 429,
  timeout: 504,
  vector_store_timeout: 504,
};

/**
 * The typed error for an error inside an answer with status 200.
 *
 * @param error - The error object.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function embeddedError(
  error: ErrorObject,
  context: ModelContext,
  moment: FailureMoment & { readonly headers?: Headers | undefined },
): ModelError {
  const code = typeof error.code === "string" ? error.code : undefined;
  const type = typeof error.type === "string" ? error.type : undefined;
  // Azure writes the number as text.
  const number = [error.code, error.status, error.status_code]
    .map((value) => (typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value))
    .find((value): value is number => typeof value === "number" && value >= 400 && value < 600);
  const known = [code, type].flatMap((word) =>
    word !== undefined && Object.hasOwn(statusOfCode, word) ? [statusOfCode[word]] : [],
  )[0];
  return apiError({
    provider: context.compat.provider,
    model: context.modelId,
    // An error without a name is the vendor's fault, unless it blames the request.
    status: number ?? known ?? (type === "invalid_request_error" || refused.test(code ?? "") ? 400 : 500),
    codes: [code, type],
    message: messageIn(error) ?? JSON.stringify(error),
    body: JSON.stringify(error),
    requestId: requestIdIn(moment.headers),
    apiKey: moment.apiKey,
    partial: moment.partial,
  });
}

/** The vendor's error, or the text of a body that is not JSON. */
function bodyOf(error: APIError): unknown {
  const { message, status } = error;
  return error.error ?? (message.startsWith(`${status} `) ? message.slice(4) : message);
}

function messageIn(body: unknown): string | undefined {
  if (typeof body === "string") return body === "" ? undefined : body;
  if (typeof body !== "object" || body === null) return undefined;
  const { message: said, detail, failed_generation: failed, metadata } = body as Readonly<Record<string, unknown>>;
  const message = said ?? detail;
  if (message == null) return undefined;
  if (typeof message !== "string") return JSON.stringify(message);
  // OpenRouter only reports that there was an error, with the upstream vendor's message beside it.
  const raw = isJsonObject(metadata) ? metadata["raw"] : undefined;
  const behind = raw == null ? "" : ` ${typeof raw === "string" ? raw : JSON.stringify(raw)}`;
  return typeof failed === "string" ? `${message} The model wrote: ${failed}` : `${message}${behind}`;
}

function codeIn(body: unknown): string | undefined {
  const code = typeof body === "object" && body !== null ? (body as { code?: unknown }).code : undefined;
  return typeof code === "string" ? code : undefined;
}
