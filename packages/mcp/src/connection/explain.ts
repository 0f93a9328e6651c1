import { BailiwickError } from "@bailiwick/core";
import type { SandboxExit } from "@bailiwick/core";
import {
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import type { Client } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import { reasonOf } from "../reason.ts";
import { authorizationUrlOf } from "../oauth/oauth.ts";
import type { McpOptions } from "../options.ts";
import { unreadableHint } from "../stdio/unreadable-paths.ts";
import { streamEndedCode } from "./whole-streams.ts";

/** The server's process, once it has ended. */
export type EndedProcess = Promise<SandboxExit & { readonly lastWords: string }> | undefined;

/** Address of a server, for people. */
function whereOf(options: McpOptions): string {
  return options.command === undefined ? (new URL(options.url).href.split("?")[0] ?? "") : options.command;
}

/** A typed error that explains why a connection could not be opened. */
export async function explainOpening(error: unknown, options: McpOptions, ended: EndedProcess): Promise<Error> {
  const own = ownErrorIn(error);
  if (own !== undefined) return own;
  const { name } = options;
  const where = `The MCP server "${name}" (${whereOf(options)})`;
  if (isUnauthorized(error)) return authorizationRequired(error, options);
  const refused = authorizationRefused(error, options);
  if (refused !== undefined) return refused;
  if (isTimeout(error)) {
    const exit = await endedBy(ended, error);
    const lastWords = exit?.lastWords ?? "";
    return new McpError(
      "MCP_UNAVAILABLE",
      name,
      `${where} did not answer within ${limitOf(error, options)} ms.${exit === undefined ? "" : quoted(lastWords)} Check that it runs. If it needs longer, raise connectTimeoutMs (connecting and listing) or timeoutMs (calls and reading).`,
      { cause: error, lastWords },
    );
  }
  const exit = await endedBy(ended, error);
  if (exit !== undefined && isClosed(error)) return endedError(where, options, exit, error);
  if (
    error instanceof SdkError &&
    error.code === SdkErrorCode.EraNegotiationFailed &&
    !isNetwork(error) &&
    !isServerError(error)
  ) {
    return new McpError(
      "MCP_PROTOCOL",
      name,
      `${where} and this client have no version of the protocol in common: ${error.message}.`,
      { cause: error },
    );
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.InvalidResult) {
    const what = `${where} answered, but not with a result of the protocol: ${reasonOf(error)}. Report it to the operator of the server.`;
    return new McpError("MCP_PROTOCOL", name, what, { cause: error });
  }
  if (SdkHttpError.isInstance(error)) {
    const what = `${where} answered with HTTP ${error.status}: ${reasonOf(error)}. Check its address and its log, or try again later.`;
    return new McpError("MCP_UNAVAILABLE", name, what, { cause: error });
  }
  const why = `${where} cannot be reached: ${reasonOf(error)}. Check that it runs and its address, or try again later.`;
  return new McpError("MCP_UNAVAILABLE", name, why, { cause: error });
}

/** An error of this framework, such as for a refused address, which the protocol's client may have wrapped. */
function ownErrorIn(error: unknown): BailiwickError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if (BailiwickError.isInstance(at)) return at;
  return undefined;
}

/** A person has to authorize first. */
export function authorizationRequired(error: unknown, options: McpOptions): McpError {
  const url = options.command === undefined ? authorizationUrlOf(options.auth) : undefined;
  const what =
    url === undefined
      ? `Set "auth: oauth({ … })", or its key in "headers".`
      : `A person authorizes it at ${url}. Pass the address to which the browser returns to finishAuthorization().`;
  return new McpError(
    "MCP_AUTHORIZATION_REQUIRED",
    options.name,
    `The MCP server "${options.name}" (${whereOf(options)}) requires authorization. ${what}`,
    { cause: error, authorizationUrl: url },
  );
}

/** The refusal of an authorization server, or of this client to use one; `undefined` for any other error. */
export function authorizationRefused(error: unknown, options: McpOptions): McpError | undefined {
  const refusal = authorizationErrorIn(error);
  if (refusal === undefined) return undefined;
  const where = `the MCP server "${options.name}" (${whereOf(options)})`;
  return new McpError(
    "MCP_AUTHORIZATION_REFUSED",
    options.name,
    `The authorization for ${where} failed, and nothing was sent to the server: ${reasonOf(refusal)}. Check the client's id, its secret or key, and the issuer.`,
    { cause: error },
  );
}

/** The error of the authorization in an error that may wrap it. */
export function authorizationErrorIn(error: unknown): Error | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1)
    if (at instanceof OAuthError || at instanceof OAuthClientFlowError) return at;
  return undefined;
}

function endedError(
  where: string,
  options: McpOptions,
  exit: SandboxExit & { readonly lastWords: string },
  cause: unknown,
): McpError {
  const how = exit.code === null ? `was ended by ${exit.signal ?? "a signal"}` : `ended with code ${exit.code}`;
  const hint = options.command === undefined ? "" : unreadableHint(options, exit.lastWords);
  return new McpError(
    "MCP_SERVER_ENDED",
    options.name,
    `${where} ${how} before it was ready.${quoted(exit.lastWords)}${hint}`,
    { cause, exitCode: exit.code, lastWords: exit.lastWords },
  );
}

function quoted(lastWords: string): string {
  return lastWords === "" ? " It printed nothing." : ` Its last output: ${JSON.stringify(gistOf(lastWords))}.`;
}

/** The error of a program without its stack, or else the end of what it wrote. */
function gistOf(lastWords: string): string {
  const error = /\b\w*Error(?: \[\w+\])?: .+?(?= +at \S+ ?\(| +Require stack:|$)/u.exec(lastWords)?.[0];
  return error?.slice(0, 500) ?? lastWords.slice(-500);
}

/** True if the server requires an authorization that is missing. */
export function isUnauthorized(error: unknown): boolean {
  if (UnauthorizedError.isInstance(error)) return true;
  return SdkHttpError.isInstance(error) && error.status === 401;
}

/** True if the server no longer has the session, so that it has not read the request. */
export function isSessionExpired(error: unknown, { client }: { readonly client: Client }): boolean {
  if (!SdkHttpError.isInstance(error) || client.transport?.sessionId === undefined) return false;
  const { status } = error;
  return status === 404 || (status === 400 && /session|not initialized/iu.test(String(error.data["text"])));
}

/** True if a request was lost with its connection, such as an idle one that the server had closed. */
export function isConnectionLost(error: unknown): boolean {
  if (ProtocolError.isInstance(error)) return error.code === streamEndedCode;
  if (!SdkError.isInstance(error)) return error instanceof Error && isNetwork(error);
  return error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected;
}

function isTimeout(error: unknown): error is SdkError {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

/** The end of the process, if it has ended or the error says that it ends. */
async function endedBy(ended: EndedProcess, failure: unknown): Promise<Awaited<EndedProcess>> {
  return isConnectionLost(failure) ? ended : Promise.race([ended, Promise.resolve(undefined)]);
}

/** The time limit that passed, in milliseconds. */
function limitOf(error: SdkError, options: McpOptions): number {
  const { timeout } = (error.data ?? {}) as { readonly timeout?: unknown };
  return typeof timeout === "number" ? timeout : (options.connectTimeoutMs ?? 30_000);
}

function isClosed(error: unknown): boolean {
  if (!(error instanceof SdkError)) return true;
  const codes: readonly string[] = [
    SdkErrorCode.ConnectionClosed,
    SdkErrorCode.EraNegotiationFailed,
    SdkErrorCode.SendFailed,
  ];
  return codes.includes(error.code);
}

function isNetwork(error: Error): boolean {
  return error.cause instanceof TypeError || (error.cause instanceof Error && "code" in error.cause);
}

/** True if the server failed with HTTP 5xx, so that the next attempt may succeed. */
function isServerError({ message }: SdkError): boolean {
  return /\bHTTP 5\d\d\b/u.test(message);
}
