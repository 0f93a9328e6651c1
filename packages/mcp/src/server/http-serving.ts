import { ConfigurationError } from "@bailiwick/core";
import { askForRequest, checkedCaller } from "@bailiwick/core/extension";
import type { SessionLimits } from "./http-sessions.ts";
import type { McpCaller } from "./served-agent.ts";

/** Access of clients over HTTP. */
export interface McpHttpServing {
  /**
   * Returns the caller from the request's credentials, or a response, such as 401. There is no default: `anyone` admits
   * every client. Any other answer, a failure, and an answer after 30 seconds refuse the request.
   */
  readonly authorize: (request: Request) => McpCaller | Response | Promise<McpCaller | Response>;
  /**
   * Host names under which the server may be called, without port. Default: `localhost`, `127.0.0.1` and `[::1]`, so
   * that no web page can reach a server on the user's machine under another name.
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of web pages that may call, such as `https://app.example`. Default: none; other clients send no origin. On
   * loopback, pages of the server's own origin may always call.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Limits of the sessions of clients of 2025-11-25 and earlier. */
  readonly sessions?: SessionLimits | undefined;
}

const local = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Refuses host names that no request can have, such as one with a port.
 *
 * @throws ConfigurationError `INVALID_MCP_OPTION`
 */
export function checkAllowedHosts(server: string, hosts: readonly string[] = []): void {
  for (const host of hosts) {
    const url = `http://${host}`;
    const meant = URL.canParse(url) ? new URL(url).hostname : undefined;
    if (meant === host) continue;
    throw new ConfigurationError(
      "INVALID_MCP_OPTION",
      `mcpServer() "${server}": allowedHosts has "${host}", which no request can have as its host name. Write the name in small letters, without scheme and port${meant === undefined ? "" : `, such as "${meant}"`}.`,
    );
  }
}

/**
 * Refuses requests with an origin or a host name that is not allowed (cross-site requests and DNS
 * rebinding).
 */
export function refusalOf(
  request: Request,
  { allowedHosts = local, allowedOrigins = [] }: Pick<McpHttpServing, "allowedHosts" | "allowedOrigins">,
): Response | undefined {
  const url = new URL(request.url);
  const { hostname } = url;
  if (!allowedHosts.includes(hostname)) return refused(`The host "${hostname}" is not served here.`);
  const origin = request.headers.get("origin");
  if (origin !== null && !allowedOrigins.includes(origin) && !isOwnLoopback(origin, url))
    return refused(`Pages of "${origin}" may not call here.`);
  return undefined;
}

/**
 * Asks `authorize` for the caller. A failure, and an answer that is neither a caller nor a response, refuses the request:
 * no client becomes an anonymous caller by an error.
 */
export async function callerOfRequest(
  request: Request,
  authorize: McpHttpServing["authorize"],
  onError: (error: unknown) => void,
): Promise<McpCaller | Response> {
  try {
    const given = await askForRequest("authorize", request.signal, () => authorize(request));
    if (given instanceof Response) return given;
    return checkedCaller(given, "http()") ?? refused("This MCP server does not accept this caller.");
  } catch (error) {
    onError(error);
    return answered(500, "The request failed inside the server.");
  }
}

/** A page of this server on this machine; under another name it would have been refused as a host. */
function isOwnLoopback(origin: string, { port, hostname }: URL): boolean {
  if (!local.includes(hostname) || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  return local.includes(page.hostname) && page.port === port;
}

function refused(message: string): Response {
  return answered(403, message);
}

function answered(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status });
}
