import type { McpHttpServing } from "./mcp-server.ts";

const local = ["localhost", "127.0.0.1", "[::1]"];

/** Refuses a web page that has no business here, and a name that somebody else gave this server. */
export function refusalOf(
  request: Request,
  { allowedHosts = local, allowedOrigins = [] }: Pick<McpHttpServing, "allowedHosts" | "allowedOrigins">,
): Response | undefined {
  const { hostname } = new URL(request.url);
  if (!allowedHosts.includes(hostname)) return refused(`The host "${hostname}" is not served here.`);
  const origin = request.headers.get("origin");
  if (origin !== null && !allowedOrigins.includes(origin)) return refused(`Pages of "${origin}" may not call here.`);
  return undefined;
}

function refused(message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status: 403 });
}
