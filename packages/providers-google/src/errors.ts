import {
  apiError,
  ConfigurationError,
  ModelAbortedError,
  ModelConnectionError,
  ModelError,
  ModelResponseError,
} from "@bailiwick/core";
import type { ModelResponse } from "@bailiwick/core";
import { isObject, objectsOf, textOf } from "./json.ts";
import type { ModelContext } from "./model-context.ts";
import { errorIn } from "./stray-error.ts";

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

/** An answer with an error status: what the SDK threw for it, and what it did not keep. */
export class FailedAnswer extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, headers: Headers, thrown: unknown) {
    super(thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown });
    this.status = status;
    this.headers = headers;
  }
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
  const common = { provider: "google", model: context.modelId, partial, cause: error };
  if (moment.aborted === true) {
    return new ModelAbortedError(`The call to ${context.modelId} was aborted.`, {
      ...common,
      cause: moment.reason ?? error,
    });
  }
  if (error instanceof ModelError || error instanceof ConfigurationError) return error;
  if (error instanceof FailedAnswer) return statusError(error, context, moment);
  if (isConnectionFailure(error)) {
    const reason = rootMessage(error);
    const refused = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ECONNABORTED/.test(reason);
    return new ModelConnectionError(`The connection to google failed: ${reason}. Check the network and the base URL.`, {
      ...common,
      retryable: !shown,
      mayHaveRun: !refused,
    });
  }
  if (error instanceof SyntaxError) {
    return new ModelResponseError(`An answer of ${context.modelId} could not be read: ${error.message}`, {
      ...common,
      retryable: !shown,
    });
  }
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** An error object as it stands in bodies and stream frames. */
export interface ErrorObject {
  readonly message?: unknown;
  /** HTTP status. */
  readonly code?: unknown;
  /** The vendor's word for it, such as `RESOURCE_EXHAUSTED`. */
  readonly status?: unknown;
  readonly details?: unknown;
}

/** Statuses of the vendor's words, for errors that have no number. */
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
 * @param moment - What is known besides.
 */
export function embeddedError(error: ErrorObject, context: ModelContext, moment: FailureMoment): ModelError {
  const word = textOf(error.status);
  const status =
    typeof error.code === "number" && error.code >= 400 && error.code < 600 ? error.code : (statusOfWord[word] ?? 500);
  return failure(error, context, moment, { status, body: JSON.stringify({ error }) });
}

function statusError(answer: FailedAnswer, context: ModelContext, moment: FailureMoment): ModelError {
  const error = errorOf(answer.message);
  return failure(error ?? { message: answer.message }, context, moment, {
    status: answer.status,
    headers: answer.headers,
    body: answer.message,
    cause: answer.cause,
  });
}

/** The error object in the SDK's message, which is the body as JSON; a body that was no JSON is its message. */
function errorOf(text: string, depth = 0): ErrorObject | undefined {
  try {
    const error = errorIn(JSON.parse(text));
    const inner = error === undefined || depth > 0 ? undefined : errorOf(textOf(error.message), depth + 1);
    return inner ?? error;
  } catch {
    return undefined;
  }
}

interface WhereFrom {
  readonly status: number;
  readonly body: string;
  readonly headers?: Headers | undefined;
  readonly cause?: unknown;
}

function failure(
  error: ErrorObject,
  context: ModelContext,
  moment: FailureMoment,
  { status, body, headers, cause }: WhereFrom,
): ModelError {
  const details = objectsOf(error.details);
  return apiError({
    provider: "google",
    model: context.modelId,
    status,
    codes: [textOf(error.status), ...details.map(({ reason }) => textOf(reason))],
    message: textOf(error.message) || JSON.stringify(error),
    requestId: headers?.get("x-goog-request-id") ?? headers?.get("x-request-id"),
    headers,
    retryAfterMs: retryDelay(details),
    quotaSpent: status === 429 ? isSpent(details) : undefined,
    body,
    apiKey: moment.apiKey,
    shown: moment.shown,
    partial: moment.partial,
    ...(cause === undefined ? {} : { cause }),
  });
}

/** The delay that `google.rpc.RetryInfo` demands, in milliseconds: a protobuf duration such as `34.4s`. */
function retryDelay(details: readonly Readonly<Record<string, unknown>>[]): number | undefined {
  const info = details.find((detail) => textOf(detail["@type"]).endsWith("google.rpc.RetryInfo"));
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textOf(info?.["retryDelay"]))?.[1];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

/**
 * Whether waiting is no help. The vendor says "you exceeded your current quota" for a limit per minute too; which one
 * it was stands in the details. `undefined` when they do not tell.
 */
function isSpent(details: readonly Readonly<Record<string, unknown>>[]): boolean | undefined {
  const quotas = details.flatMap((detail) => objectsOf(detail["violations"]).map(({ quotaId }) => textOf(quotaId)));
  if (quotas.some((quota) => /PerDay/i.test(quota))) return true;
  return quotas.some((quota) => quota !== "") || retryDelay(details) !== undefined ? false : undefined;
}

function isConnectionFailure(error: unknown): boolean {
  // undici says "terminated" and "fetch failed" with a TypeError; the SDK's time-out aborts.
  return (
    error instanceof TypeError ||
    (isObject(error) && (error["name"] === "AbortError" || error["name"] === "TimeoutError")) ||
    (error instanceof Error && "code" in error && /^(E[A-Z]+|UND_ERR)/.test(String(error.code)))
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
