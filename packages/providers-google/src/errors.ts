import {
  apiError,
  beginningOf,
  filledObject,
  isJsonObject,
  jsonObjects,
  jsonText,
  modelFailure,
} from "@bailiwick/core/provider";
import type { FailureMoment, ModelError, StatusFailure } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";

/** An error response: the SDK's error, and the parts of the response that it drops. */
export class FailedAnswerError extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, thrown: unknown) {
    super(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
    this.status = status;
    this.headers = headers;
  }
}

/**
 * The typed error for any error of a request.
 *
 * @param error - The error of the SDK, of `fetch`, or of this adapter.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function toModelError(error: unknown, { modelId }: Pick<ModelContext, "modelId">, moment: FailureMoment): Error {
  return modelFailure(error, { provider: "google", modelId, readFailure }, moment);
}

function readFailure(error: unknown): StatusFailure | undefined {
  if (!(error instanceof FailedAnswerError)) return undefined;
  const { status, headers, message, cause } = error;
  const said = errorFromText(message) ?? { message };
  return { ...failureOf(said, status), status, headers, requestId: requestIdOf(headers), body: message, cause };
}

/** An error object in bodies and stream frames. */
export interface ErrorObject {
  readonly message?: unknown;
  /** HTTP status. */
  readonly code?: unknown;
  /** The vendor's name for it, such as `RESOURCE_EXHAUSTED`. */
  readonly status?: unknown;
  readonly details?: unknown;
}

/** True if the vendor cannot read a signature that was sent back to it. A missing one is another case. */
export function saysUnreadable(error: unknown): boolean {
  return (
    error instanceof FailedAnswerError &&
    error.status === 400 &&
    /(corrupted|invalid) thought[ _]signature|thought[ _]signature is (not valid|invalid)/i.test(
      beginningOf(error.message),
    )
  );
}

/** Statuses by the vendor's error names, for errors without a number. */
const statusOfWord: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ABORTED: 409,
  RESOURCE_EXHAUSTED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

/**
 * The typed error for an error inside an answer with status 200.
 *
 * @param error - The error object.
 * @param context - The model.
 * @param moment - Further facts about the request.
 */
export function embeddedError(error: ErrorObject, context: ModelContext, moment: FailureMoment): ModelError {
  const word = jsonText(error.status);
  const status =
    typeof error.code === "number" && error.code >= 400 && error.code < 600 ? error.code : (statusOfWord[word] ?? 500);
  return apiError({
    ...failureOf(error, status),
    provider: "google",
    model: context.modelId,
    status,
    body: JSON.stringify({ error }),
    apiKey: moment.apiKey,
    partial: moment.partial,
  });
}

/**
 * The error object of a body or a frame: directly, under `error`, or in an array.
 *
 * @param body - Parsed JSON.
 */
export function errorIn(body: unknown): ErrorObject | undefined {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return undefined;
  const error = filledObject(first["error"]);
  if (error !== undefined) return error;
  return Boolean(first["message"]) && ("code" in first || "status" in first) ? first : undefined;
}

/** The error object in the SDK's message, which is the body as JSON; a body that is not JSON is the message. */
function errorFromText(text: string, depth = 0): ErrorObject | undefined {
  try {
    const error = errorIn(JSON.parse(text));
    const inner = error === undefined || depth > 0 ? undefined : errorFromText(jsonText(error.message), depth + 1);
    return inner ?? error;
  } catch {
    return undefined;
  }
}

/** The text of the error object. */
function failureOf(
  error: ErrorObject,
  status: number,
): Pick<StatusFailure, "codes" | "message" | "retryAfterMs" | "quotaSpent"> {
  const details = jsonObjects(error.details);
  return {
    codes: [jsonText(error.status), ...details.map(({ reason }) => jsonText(reason))],
    message: jsonText(error.message) || JSON.stringify(error),
    retryAfterMs: retryDelay(details),
    quotaSpent: status === 429 ? isSpent(details) : undefined,
  };
}

function requestIdOf(headers: Headers): string | null {
  return headers.get("x-goog-request-id") ?? headers.get("x-request-id");
}

/** The delay that `google.rpc.RetryInfo` demands, in milliseconds: a protobuf duration such as `34.4s`. */
function retryDelay(details: readonly Readonly<Record<string, unknown>>[]): number | undefined {
  const info = details.find((detail) => jsonText(detail["@type"]).endsWith("google.rpc.RetryInfo"));
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(jsonText(info?.["retryDelay"]))?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

/**
 * True if waiting does not help. The vendor reports "you exceeded your current quota" for a limit per minute too; the
 * details name the limit. `undefined` if they name none.
 */
function isSpent(details: readonly Readonly<Record<string, unknown>>[]): boolean | undefined {
  const quotas = details.flatMap((detail) => jsonObjects(detail["violations"]).map(({ quotaId }) => jsonText(quotaId)));
  if (quotas.some((quota) => /PerDay/i.test(quota))) return true;
  return quotas.some((quota) => quota !== "") || retryDelay(details) !== undefined ? false : undefined;
}
