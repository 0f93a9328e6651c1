import { createHash, randomBytes } from "node:crypto";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { loopback } from "../http-server.test.helper.ts";
import { trackerServer } from "../tracker.fixture.ts";
import type { TrackerLog } from "../tracker.fixture.ts";

/** An authorization server, and an MCP server that only accepts its tokens. */
export interface Authorized extends AsyncDisposable {
  /** The MCP server. */
  readonly url: string;
  readonly log: TrackerLog;
  /** Grant types that clients requested, such as "authorization_code" or "refresh_token". */
  readonly grants: string[];
  readonly registered: { readonly redirect_uris: readonly string[] }[];
  /** Acts like a person's browser: authorizes, and returns to this address. */
  approve(authorizationUrl: string): Promise<string>;
  /** Invalidates the access tokens issued so far. */
  expireTokens(): void;
}

interface Code {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
}

/** OAuth 2.1 as the protocol requires it: discovery, registration, code with PKCE, refresh with rotation. */
export async function authorizedServer(): Promise<Authorized> {
  const log: TrackerLog = { calls: [], cancelled: [] };
  const codes = new Map<string, Code>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const grants: string[] = [];
  const registered: { readonly redirect_uris: readonly string[]; readonly client_id: string }[] = [];
  const secret = (): string => randomBytes(16).toString("hex");
  const tokens = (): Response => {
    const token = secret();
    const next = secret();
    access.add(token);
    refresh.add(next);
    return Response.json({ access_token: token, token_type: "Bearer", expires_in: 3600, refresh_token: next });
  };
  const refused = (error: string): Response => Response.json({ error }, { status: 400 });

  const authority = await loopback(async (request) => {
    const { pathname, searchParams, origin } = new URL(request.url);
    if (pathname.startsWith("/.well-known/")) {
      return Response.json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        authorization_response_iss_parameter_supported: true,
      });
    }
    if (pathname === "/register") {
      const client = { ...((await request.json()) as { redirect_uris: string[] }), client_id: secret() };
      registered.push(client);
      return Response.json(client, { status: 201 });
    }
    if (pathname === "/authorize") {
      const clientId = searchParams.get("client_id") ?? "";
      const redirectUri = searchParams.get("redirect_uri") ?? "";
      const client = registered.find((one) => one.client_id === clientId);
      if (client?.redirect_uris.includes(redirectUri) !== true || searchParams.get("code_challenge_method") !== "S256")
        return refused("invalid_request");
      const code = secret();
      codes.set(code, { challenge: searchParams.get("code_challenge") ?? "", redirectUri, clientId });
      const back = new URL(redirectUri);
      back.search = new URLSearchParams({ code, state: searchParams.get("state") ?? "", iss: origin }).toString();
      return new Response(null, { status: 302, headers: { location: back.href } });
    }
    const form = new URLSearchParams(await request.text());
    grants.push(form.get("grant_type") ?? "");
    if (form.get("grant_type") === "refresh_token")
      return refresh.delete(form.get("refresh_token") ?? "") ? tokens() : refused("invalid_grant");
    const code = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    const fits =
      code?.challenge === challenge &&
      code.redirectUri === form.get("redirect_uri") &&
      code.clientId === form.get("client_id");
    return fits ? tokens() : refused("invalid_grant");
  });

  const handler = createMcpHandler(() => trackerServer(log));
  const server = await loopback((request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [new URL(authority.url).origin] });
    const token = /^Bearer (.+)$/u.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token !== undefined && access.has(token)) return handler.fetch(request);
    const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return new Response(null, { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${where}"` } });
  });

  return {
    url: server.url,
    log,
    grants,
    registered,
    async approve(authorizationUrl) {
      const response = await fetch(authorizationUrl, { redirect: "manual" });
      return response.headers.get("location") ?? "";
    },
    expireTokens: () => access.clear(),
    async [Symbol.asyncDispose]() {
      await handler.close();
      await server.stop();
      await authority.stop();
    },
  };
}
