import { BailiwickError } from "@bailiwick/core";

/** Failures between this process and an MCP server. */
export type McpErrorCode =
  /** The server cannot be reached, or did not answer in time. */
  | "MCP_UNAVAILABLE"
  /** The server's process could not be started, or ended. */
  | "MCP_SERVER_ENDED"
  /** The server answered with something that is not of the protocol, or speaks no version of it that is known here. */
  | "MCP_PROTOCOL"
  /** The server answered that it does not do what it was asked for. */
  | "MCP_REFUSED"
  /** The server wants an authorization that a person has to give first. */
  | "MCP_AUTHORIZATION_REQUIRED"
  /** A callback of an authorization that was not begun here, or was changed on its way. */
  | "MCP_AUTHORIZATION_REFUSED"
  /** The server would have to run unsandboxed, and nobody said that it may. */
  | "MCP_SANDBOX_REQUIRED"
  /** It was closed. */
  | "MCP_CLOSED";

/** More about what went wrong. */
export interface McpErrorDetails {
  readonly cause?: unknown;
  /** The address at which a person gives the authorization, for `MCP_AUTHORIZATION_REQUIRED`. */
  readonly authorizationUrl?: string | undefined;
  /** How the process ended, for `MCP_SERVER_ENDED`; `null` when a signal ended it. */
  readonly exitCode?: number | null | undefined;
  /** The end of what the process said on its error stream. */
  readonly lastWords?: string | undefined;
}

/** Something went wrong between this process and an MCP server. */
export class McpError extends BailiwickError {
  declare readonly code: McpErrorCode;
  /** The name that the server was given here. */
  readonly server: string;
  readonly authorizationUrl: string | undefined;
  readonly exitCode: number | null | undefined;
  readonly lastWords: string | undefined;

  constructor(code: McpErrorCode, server: string, message: string, details: McpErrorDetails = {}) {
    super(code, message, "cause" in details ? { cause: details.cause } : undefined);
    this.server = server;
    this.authorizationUrl = details.authorizationUrl;
    this.exitCode = details.exitCode;
    this.lastWords = details.lastWords;
  }
}
