import { ProtocolError } from "@modelcontextprotocol/client";
import { McpError } from "../errors.ts";
import type { McpOptions } from "../options.ts";
import { streamEndedCode } from "./whole-streams.ts";
import type { Asking, Connection } from "./connection.ts";
import { explainOpening, isConnectionLost, isSessionExpired } from "./explain.ts";
import type { OpenClient } from "./open-client.ts";

/** The signal of a request, and its time limit in milliseconds. */
export interface RequestLimits {
  readonly signal: AbortSignal;
  readonly timeout: number;
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
  asking: Asking,
  ask: (open: OpenClient, limits: RequestLimits) => Promise<T>,
): Promise<T> {
  const limits = { signal: asking.signal, timeout: options.timeoutMs ?? 60_000 };
  for (let attempt = 1; ; attempt += 1) {
    let used: OpenClient | undefined;
    let isGone = false;
    const request = (open: OpenClient): Promise<T> => {
      used = open;
      return ask(open, limits).catch((error: unknown) => {
        isGone = isSessionExpired(error, open) || isConnectionLost(error);
        throw error;
      });
    };
    try {
      return await connection.use(asking, request);
    } catch (error) {
      asking.signal.throwIfAborted();
      if (used === undefined) throw error;
      if (isGone && attempt === 1) continue;
      if (ProtocolError.isInstance(error) && error.code !== streamEndedCode) throw refused(options, error);
      throw await explainOpening(error, options, used.ended);
    }
  }
}

function refused({ name }: McpOptions, error: ProtocolError): McpError {
  return new McpError("MCP_REFUSED", name, `The MCP server "${name}" refused the request: ${error.message}`, {
    cause: error,
  });
}
