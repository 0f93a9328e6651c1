import { expect, test } from "vitest";
import { agentWith } from "./agents.test.helper.ts";
import { loopback } from "./http-server.test.helper.ts";
import { mcp, oauth } from "./index.ts";

const redirectUrl = "http://localhost:8976/callback";
const piece = new Uint8Array(1024 * 1024).fill(32);

/** A body without an end; `pulled` counts its pieces, and `ended` is true when the client has let go of it. */
interface Endless {
  readonly type: string;
  pulled: number;
  ended: boolean;
}

function bodyOf(endless: Endless, isSilent: boolean): Response {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      endless.pulled += 1;
      if (isSilent && endless.pulled > 1) return new Promise(() => undefined);
      controller.enqueue(isSilent ? piece.subarray(0, 1) : piece);
      return undefined;
    },
    cancel: () => void (endless.ended = true),
  });
  return new Response(body, { headers: { "content-type": endless.type } });
}

const answered = (id: unknown, result: object): Response => Response.json({ jsonrpc: "2.0", id, result });

/** A server, with OAuth for the places of OAuth, whose answers to requests with `place` in their path or their method have no end. */
async function hostile(place: string, endless: Endless, isSilent: boolean) {
  return loopback(async (request) => {
    const { pathname, origin } = new URL(request.url);
    const text = request.method === "POST" ? await request.text() : "";
    const { id, method = "" } = (pathname === "/mcp" && text !== "" ? JSON.parse(text) : {}) as {
      readonly id?: unknown;
      readonly method?: string;
    };
    const isSigned = place === "initialize" || place === "tools/call";
    if (pathname.includes(place) || (isSigned && method === place)) return bodyOf(endless, isSilent);
    if (pathname.includes("oauth-protected-resource"))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname.includes("well-known"))
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    if (pathname === "/register")
      return Response.json({ client_id: "one", redirect_uris: [redirectUrl] }, { status: 201 });
    if (pathname === "/token") return Response.json({ access_token: "token", token_type: "Bearer" });
    if (!isSigned)
      return new Response(null, {
        status: 401,
        headers: { "www-authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"` },
      });
    if (method === "initialize")
      return answered(id, {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "hostile", version: "1" },
      });
    if (method === "tools/list") return answered(id, { tools: [{ name: "send", inputSchema: { type: "object" } }] });
    return new Response(null, { status: request.method === "GET" ? 405 : 202 });
  });
}

const places = ["oauth-protected-resource", "/register", "/token", "initialize", "tools/call"];
const types = ["application/json", "text/event-stream"];
const cases = places.flatMap((place) => types.map((type) => [place, type] as const));

/** Connects, signs in, and lets an agent call the tool. */
async function attempt(url: string, options: { readonly connectTimeoutMs?: number; readonly timeoutMs?: number }) {
  const auth = oauth({ clientName: "Desk", redirectUrl });
  await using server = mcp({
    name: "hostile",
    url,
    auth,
    protocol: "legacy",
    tools: { send: { sideEffectClass: "external-stateful" } },
    ...options,
  });
  await server.connect().catch(() => undefined);
  const state = new URL(auth.pendingUrl ?? "http://none").searchParams.get("state") ?? "";
  await server.finishAuthorization(`${redirectUrl}?code=1&state=${state}`).catch(() => undefined);
  const { agent } = agentWith([server], [{ toolCalls: [{ name: "send", arguments: {} }] }, "Done."]);
  return await agent.run("Send it.").then(
    ({ toolCalls: [call] }) => (call?.isError === false ? "done" : "failed"),
    () => "no connection",
  );
}

test.each(cases)(
  "an answer to %s as %s without an end is not read to its end [mcp.answer-size]",
  async (place, type) => {
    const endless: Endless = { type, pulled: 0, ended: false };
    await using server = await hostile(place, endless, false);
    const outcome = await attempt(server.url, { connectTimeoutMs: 2_000, timeoutMs: 2_000 });
    await expect.poll(() => endless.ended).toBe(true);
    // The limit of each attempt, and what sockets keep. Metadata is asked for more than once.
    expect(endless.pulled).toBeGreaterThan(0);
    expect(outcome).not.toBe("done");
  },
);

test.each(cases)(
  "an answer to %s as %s that stays open ends with the connection [mcp.answer-size]",
  async (place, type) => {
    const endless: Endless = { type, pulled: 0, ended: false };
    await using server = await hostile(place, endless, true);
    await attempt(server.url, { connectTimeoutMs: 300, timeoutMs: 300 });
    await expect.poll(() => endless.ended).toBe(true);
  },
);
