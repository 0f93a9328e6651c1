import { BailiwickError } from "@bailiwick/core";
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { authorizationErrorIn, isSessionExpired, isUnauthorized } from "./explain.ts";
import type { OpenClient } from "./open-client.ts";
import { CallPaused } from "./call-paused.ts";
import { streamEndedCode } from "./whole-streams.ts";

/**
 * The use of a connection after a request on it failed: it stays in use, has to answer a ping before its next request,
 * or gets no further request.
 */
export type Fate = "kept" | "doubted" | "retired";

/** Answers of a server that only concern the request. */
const ownCodes: ReadonlySet<string> = new Set([
  SdkErrorCode.InvalidResult,
  SdkErrorCode.UnsupportedResultType,
  SdkErrorCode.CapabilityNotSupported,
  SdkErrorCode.MethodNotSupportedByProtocolVersion,
]);

/**
 * Decides about a connection after a request on it failed. The other requests on it are not concerned.
 *
 * @param signal - The signal of the request.
 */
export function fateAfter(error: unknown, open: OpenClient, signal: AbortSignal): Fate {
  if (error instanceof CallPaused) return "kept";
  if (signal.aborted) {
    // A tool's time limit aborts with this name, like `AbortSignal.timeout()`.
    const isLate = (signal.reason as { readonly name?: unknown } | null | undefined)?.name === "TimeoutError";
    if (isLate) return withoutAnswer(open);
    return open.hasSession ? "doubted" : "kept";
  }
  if (isUnauthorized(error)) return "kept";
  if (SdkHttpError.isInstance(error)) return afterStatus(error, open);
  if (ProtocolError.isInstance(error)) return error.code === streamEndedCode ? "retired" : "kept";
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return withoutAnswer(open);
    return ownCodes.has(error.code) ? "kept" : "retired";
  }
  return BailiwickError.isInstance(error) || authorizationErrorIn(error) !== undefined ? "kept" : "retired";
}

/** A program keeps its state if it still answers; a server over HTTP may have forgotten the session. */
function withoutAnswer(open: OpenClient): Fate {
  return open.ended === undefined ? "retired" : "doubted";
}

function afterStatus(error: SdkHttpError, open: OpenClient): Fate {
  return isSessionExpired(error, open) || error.status >= 500 ? "retired" : "kept";
}
