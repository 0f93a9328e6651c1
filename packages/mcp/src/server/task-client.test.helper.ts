/** An answer of a server. */
export interface Answer {
  readonly result?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly code: number; readonly data?: unknown } | undefined;
}

/** Sends one request of protocol 2026-07-28, like a client that supports tasks and forms. */
export async function rpc(
  url: string,
  method: string,
  params: Readonly<Record<string, unknown>>,
  {
    tasks = true,
    user = "ana",
    tenant = "",
    signal = null,
  }: {
    readonly tasks?: boolean;
    readonly user?: string;
    readonly tenant?: string;
    readonly signal?: AbortSignal | null;
  } = {},
): Promise<Answer> {
  const extensions = tasks ? { "io.modelcontextprotocol/tasks": {} } : {};
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, extensions },
  };
  const response = await fetch(url, {
    method: "POST",
    signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": String(params["name"] ?? params["taskId"]),
      "x-user": user,
      ...(tenant !== "" && { "x-tenant": tenant }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const text = await response.text();
  const lines = text.startsWith("{") ? [text] : [...text.matchAll(/^data: (\{.*)$/gmu)].map(([, data]) => data ?? "");
  return JSON.parse(lines.at(-1) ?? "{}") as Answer;
}
