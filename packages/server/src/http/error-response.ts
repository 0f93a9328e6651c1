import { BailiwickError } from "@bailiwick/core";
import { errorFacts } from "@bailiwick/core/extension";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { RequestError } from "./request-error.ts";

/**
 * Errors of the framework about the request. Of a store that is away only the code is shown, and every other error is
 * internal to the server.
 */
const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  RUN_NOT_FOUND: 404,
  RUN_BUSY: 409,
  RUN_EXPIRED: 409,
  TOOL_MISSING: 409,
  SESSION_BUSY: 409,
  CHAT_BUSY: 409,
  CONVERSATION_DELETED: 410,
  QUEUE_FULL: 429,
};

/**
 * An error as `{ error: { code, message } }`. Errors that are not about the request are a 500 without details.
 *
 * @param error - The thrown value.
 * @param context - Context of the request.
 * @param onError - Called with errors that are not shown.
 */
export function errorResponse(error: unknown, context: Context, onError: (error: unknown) => void): Response {
  const { status, ...shown } = shownError(error, ofPresent(context, onError));
  const { retryAfterMs } = Object(error) as { readonly retryAfterMs?: unknown };
  if (status === 429 && typeof retryAfterMs === "number")
    context.header("retry-after", String(Math.ceil(retryAfterMs / 1_000)));
  return context.json({ error: shown }, status);
}

/** The end of a wait because the caller has disconnected is not an error of the server. */
export function ofPresent(context: Context, onError: (error: unknown) => void): (error: unknown) => void {
  const { signal } = context.req.raw;
  return (error) => {
    const isEnd = error === signal.reason || (error instanceof Error && error.cause === signal.reason);
    if (!signal.aborted || !isEnd) onError(error);
  };
}

/** An error as a caller may see it. */
export interface ShownError {
  readonly status: ContentfulStatusCode;
  readonly code: string;
  readonly message: string;
}

/**
 * Returns the status and the text of an error.
 *
 * @param error - The error.
 * @param onError - Receives an error that is not about the request.
 */
export function shownError(error: unknown, onError: (error: unknown) => void): ShownError {
  if (BailiwickError.isInstance(error)) {
    const status = error instanceof RequestError ? error.status : "decisionId" in error ? 409 : statuses[error.code];
    if (status !== undefined) return { status, code: error.code, message: publicMessage(error) };
    const { origin, retryable, forRun } = errorFacts(error);
    if (origin === "host" && retryable && forRun === "giveBack") {
      onError(error);
      return { status: 503, code: error.code, message: "The server cannot do this now. Send the request again later." };
    }
  }
  onError(error);
  return { status: 500, code: "INTERNAL", message: "The server failed. Its log says more." };
}

/** Messages of the framework are for the developer; these name the store. */
function publicMessage(error: BailiwickError): string {
  return error.code === "RUN_NOT_FOUND" && !(error instanceof RequestError)
    ? "There is no such run. Check its id."
    : error.message;
}
