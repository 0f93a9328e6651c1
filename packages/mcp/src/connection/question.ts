import type { SandboxPort } from "@bailiwick/core";
import { ProtocolError } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpOptions } from "../options.ts";
import { streamEndedCode } from "./whole-streams.ts";
import type { Connection } from "./connection.ts";
import { explainOpening, isConnectionLost, isSessionExpired, isUnauthorized } from "./explain.ts";
import type { OpenClient } from "./open-client.ts";

/** The user on whose behalf a server is called. */
export interface Asking {
  readonly signal: AbortSignal;
  readonly sandbox?: SandboxPort | undefined;
}

/**
 * Sends a request that changes nothing on the server. If the session has expired or the connection breaks, sends it
 * once more over a new one.
 *
 * @throws McpError; the signal's reason when it is aborted.
 */
export async function question<T>(
  connection: Connection,
  options: McpOptions,
  { signal, sandbox }: Asking,
  ask: (open: OpenClient) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const open = await connection.get(signal, sandbox);
    try {
      return await ask(open);
    } catch (error) {
      signal.throwIfAborted();
      if (ProtocolError.isInstance(error) && error.code !== streamEndedCode) throw refused(options, error);
      const mayRepeat = isSessionExpired(error, open) || isConnectionLost(error);
      if (!isUnauthorized(error)) await connection.drop(open);
      if (!mayRepeat || attempt > 1) throw await explainOpening(error, options, open.ended);
    }
  }
}

function refused({ name }: McpOptions, error: ProtocolError): McpError {
  return new McpError("MCP_REFUSED", name, `The MCP server "${name}" refused the request: ${error.message}`, {
    cause: error,
  });
}
