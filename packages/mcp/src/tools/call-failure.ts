import { BailiwickError, OutcomeUnknownError, ToolError } from "@bailiwick/core";
import { ProtocolError, ProtocolErrorCode, SdkError, SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import {
  authorizationRefused,
  authorizationRequired,
  isSessionExpired,
  isUnauthorized,
} from "../connection/explain.ts";
import { reasonOf } from "../reason.ts";
import type { OpenClient } from "../connection/open-client.ts";
import { streamEndedCode } from "../connection/whole-streams.ts";
import type { McpOptions } from "../options.ts";

/** The meaning of a failed call. */
export interface CallFailure {
  readonly error: unknown;
  /** The connection cannot be used again. */
  readonly isLost: boolean;
  /** The call may be sent again. */
  readonly mayRepeat: boolean;
}

/** Server and user of a call. */
export interface FailedCall {
  readonly options: McpOptions;
  readonly open: OpenClient;
  readonly signal: AbortSignal;
  readonly isRead: boolean;
}

/** Error codes that already state the outcome of the call. */
const settledCodes: ReadonlySet<string> = new Set(["TOOL_ERROR", "OUTCOME_UNKNOWN"]);

const invalidParams: number = ProtocolErrorCode.InvalidParams;

/** Failures before anything was sent. */
const neverSent: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/**
 * Outcome of a call that threw: refused by the server, executed and failed, or unknown. Only a read is repeated; a
 * writer whose answer was lost has an unknown outcome, and is never sent twice.
 */
export function failureOf(error: unknown, call: FailedCall): CallFailure {
  const { options, signal, isRead } = call;
  const settled = (one: unknown): CallFailure => ({ error: one, isLost: false, mayRepeat: false });
  // A cancelled call is reported by the pipeline, and the tool's own error is reported already.
  if (signal.aborted || (BailiwickError.isInstance(error) && settledCodes.has(error.code))) return settled(error);
  if (isUnauthorized(error)) return settled(authorizationRequired(error, options));
  const refused = authorizationRefused(error, options);
  if (refused !== undefined) return settled(refused);
  if (SdkHttpError.isInstance(error)) return httpFailure(error, call);
  if (ProtocolError.isInstance(error) && error.code !== streamEndedCode) {
    const kind = error.code === invalidParams ? "invalid_input" : "execution_failed";
    return settled(new ToolError(error.message, { kind, cause: error }));
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    const limit = `The server did not answer within ${options.timeoutMs ?? 60_000} ms, nor report progress.`;
    return settled(new OutcomeUnknownError(limit, { kind: "timeout", cause: error }));
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult)
    return settled(
      new OutcomeUnknownError("The server answered, but not with a result of the protocol.", { cause: error }),
    );
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.UnsupportedResultType)
    return settled(
      new ToolError("The server wants something answered first, which this client does not offer.", { cause: error }),
    );
  if (wasNeverSent(error)) {
    const gone = new ToolError(`The server cannot be reached, so nothing was done: ${reasonOf(error)}.`, {
      cause: error,
      recoveryHint: "retry_later",
    });
    return { error: gone, isLost: true, mayRepeat: isRead };
  }
  const lost = new OutcomeUnknownError("The connection to the server was lost before its answer came.", {
    cause: error,
  });
  return { error: lost, isLost: true, mayRepeat: isRead };
}

function httpFailure(error: SdkHttpError, { open, isRead }: FailedCall): CallFailure {
  const { status } = error;
  if (isSessionExpired(error, open)) {
    const expired = new ToolError(
      "The session at the server had expired, and this call was not sent again. The next call opens a new session.",
      { cause: error, recoveryHint: "retry_later" },
    );
    return { error: expired, isLost: true, mayRepeat: isRead };
  }
  if (status === 429)
    return {
      error: new ToolError("The server gets too many calls.", { kind: "rate_limited", cause: error }),
      isLost: false,
      mayRepeat: false,
    };
  if (status >= 400 && status < 500)
    return {
      error: new ToolError(`The server refused the call with HTTP ${status}.`, { cause: error }),
      isLost: false,
      mayRepeat: false,
    };
  // A proxy may report this for a call that the server is still executing.
  const unknown = new OutcomeUnknownError(`The server answered with HTTP ${status}.`, { cause: error });
  return { error: unknown, isLost: false, mayRepeat: false };
}

function wasNeverSent(error: unknown): boolean {
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.NotConnected) return true;
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if (neverSent.has((at as { readonly code?: unknown }).code)) return true;
    if (at instanceof AggregateError) return at.errors.every(wasNeverSent);
  }
  return false;
}
