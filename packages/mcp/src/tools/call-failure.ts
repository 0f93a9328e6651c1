import { BailiwickError, OutcomeUnknownError, ToolError } from "@bailiwick/core";
import type { ToolErrorOptions } from "@bailiwick/core";
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
  const server = `The MCP server "${options.name}"`;
  const settled = (one: unknown): CallFailure => ({ error: one, mayRepeat: false });
  // A cancelled call is reported by the pipeline, and the tool's own error is reported already.
  if (signal.aborted || (BailiwickError.isInstance(error) && settledCodes.has(error.code))) return settled(error);
  if (isUnauthorized(error)) return settled(authorizationRequired(error, options));
  const refused = authorizationRefused(error, options);
  if (refused !== undefined) return settled(refused);
  if (SdkHttpError.isInstance(error)) return httpFailure(error, call, server);
  if (ProtocolError.isInstance(error) && error.code !== streamEndedCode) {
    const kind = error.code === invalidParams ? "invalid_input" : "execution_failed";
    return settled(new ToolError(error.message, { kind, cause: error }));
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.RequestTimeout) {
    const limit = `${server} did not answer within ${options.timeoutMs ?? 60_000} ms, nor report progress. If it needs longer, raise timeoutMs.`;
    return settled(new OutcomeUnknownError(limit, { kind: "timeout", cause: error }));
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult) {
    const odd = `${server} answered, but not with a result of the protocol. Report it to the operator of the server.`;
    return settled(new OutcomeUnknownError(odd, { cause: error }));
  }
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.UnsupportedResultType) {
    const asks = `${server} wants something answered first, which this client does not offer. Set "elicitation", "sampling" or "roots" of mcp(), as the server's documentation says.`;
    return settled(new ToolError(asks, { cause: error, recoverable: false }));
  }
  if (wasNeverSent(error)) {
    const gone = `${server} cannot be reached, so nothing was done: ${reasonOf(error)}. Try again later.`;
    return { error: new ToolError(gone, later(error)), mayRepeat: isRead };
  }
  const lost = `The connection to the MCP server "${options.name}" was lost before the answer to this call came: ${reasonOf(error)}. The next call uses a new connection.`;
  return { error: new OutcomeUnknownError(lost, { cause: error }), mayRepeat: isRead };
}

function httpFailure(error: SdkHttpError, { open, isRead }: FailedCall, server: string): CallFailure {
  const { status } = error;
  const settled = (one: unknown): CallFailure => ({ error: one, mayRepeat: false });
  if (isSessionExpired(error, open)) {
    const expired = `${server} no longer knows the session, so nothing was done, and this call was not sent again. Call again: the next call opens a new session.`;
    return { error: new ToolError(expired, later(error)), mayRepeat: isRead };
  }
  if (status === 429) {
    const many = `${server} gets too many calls (HTTP 429), so nothing was done. Try again later.`;
    return settled(new ToolError(many, { ...later(error), kind: "rate_limited" }));
  }
  if (status >= 400 && status < 500) {
    const what = `${server} refused the call with HTTP ${status}, so nothing was done. Check the address, the headers and the rights of this client.`;
    return settled(new ToolError(what, { cause: error, recoverable: false }));
  }
  // A proxy may report this for a call that the server is still executing.
  const unknown = `${server} answered with HTTP ${status}. The next call uses a new connection.`;
  return settled(new OutcomeUnknownError(unknown, { cause: error }));
}

/** Another call may succeed. */
function later(cause: unknown): ToolErrorOptions {
  return { cause, recoverable: true, recoveryHint: "retry_later" };
}

function wasNeverSent(error: unknown): boolean {
  if (SdkError.isInstance(error) && error.code === SdkErrorCode.NotConnected) return true;
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    if (neverSent.has((at as { readonly code?: unknown }).code)) return true;
    if (at instanceof AggregateError) return at.errors.every(wasNeverSent);
  }
  return false;
}
