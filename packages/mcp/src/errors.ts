import { BailiwickError } from "@bailiwick/core";

/** Failures between this process and an MCP server. */
export type McpErrorCode =
  /** The server cannot be reached, or did not answer in time. */
  | "MCP_UNAVAILABLE"
  /** The server's process could not be started, or ended. */
  | "MCP_SERVER_ENDED"
  /** The server's answer is invalid in the protocol, or the server supports no known version of it. */
  | "MCP_PROTOCOL"
  /** The server answered that it does not support the request. */
  | "MCP_REFUSED"
  /** The server needs an authorization by a person. */
  | "MCP_AUTHORIZATION_REQUIRED"
  /** A callback that was not begun here or was changed, or an authorization server that refused the client. */
  | "MCP_AUTHORIZATION_REFUSED"
  /** The server would run without a sandbox, which its operator has not allowed. */
  | "MCP_SANDBOX_REQUIRED"
  /** The connection was closed. */
  | "MCP_CLOSED";

/** Details of the failure. */
export interface McpErrorDetails {
  /** The error of the MCP client. */
  readonly cause?: unknown;
  /** The address at which a person gives the authorization, for `MCP_AUTHORIZATION_REQUIRED`. */
  readonly authorizationUrl?: string | undefined;
  /** Exit code of the process, for `MCP_SERVER_ENDED`; `null` if a signal ended it. */
  readonly exitCode?: number | null | undefined;
  /** The end of the process's error stream. */
  readonly lastWords?: string | undefined;
}

/** A failure between this process and an MCP server. */
export class McpError extends BailiwickError {
  declare readonly code: McpErrorCode;
  /** The name that the server was given here. */
  readonly server: string;
  /** Address at which a person authorizes the client; set for `MCP_AUTHORIZATION_REQUIRED`. */
  readonly authorizationUrl: string | undefined;
  /** Exit code of the server's process, if it ended. */
  readonly exitCode: number | null | undefined;
  /** The end of what the server's process wrote to standard error. */
  readonly lastWords: string | undefined;

  constructor(code: McpErrorCode, server: string, message: string, details: McpErrorDetails = {}) {
    super(code, message, "cause" in details ? { cause: details.cause } : undefined);
    this.server = server;
    this.authorizationUrl = details.authorizationUrl;
    this.exitCode = details.exitCode;
    this.lastWords = details.lastWords;
  }
}
