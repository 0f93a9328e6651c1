import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { Provider } from "oidc-provider";
import type { ClientMetadata, Configuration, KoaContextWithOIDC } from "oidc-provider";
import { loopback } from "../http-server.test.helper.ts";
import type { Loopback } from "../http-server.test.helper.ts";
import { trackerServer } from "../tracker.fixture.ts";

/** A real authorization server on loopback. */
export interface AuthorizationServer extends AsyncDisposable {
  readonly issuer: string;
  readonly provider: Provider;
  /** Bodies and credentials of the requests to its token and registration endpoints. */
  readonly received: { readonly path: string; readonly body: string; readonly authorization: string }[];
  /** Acts like a person's browser: signs in, consents, and returns the address that the browser comes back to. */
  approve(authorizationUrl: string): Promise<string>;
  /** Refuses all clients from now on. */
  refuse(): void;
  /** The token with this value, if it is still valid. */
  find(value: string): Promise<{ readonly aud: string | string[]; destroy(): Promise<void> } | undefined>;
}

/** Settings of an authorization server for tests. */
interface AuthorizationOptions {
  readonly clients?: readonly ClientMetadata[];
  /** Client metadata documents by their address, as the authorization server finds them. */
  readonly documents?: Readonly<Record<string, object>>;
}

/** Starts `oidc-provider`, a third-party authorization server. */
export async function authorizationServer({
  clients = [],
  documents = {},
}: AuthorizationOptions = {}): Promise<AuthorizationServer> {
  const received: { readonly path: string; readonly body: string; readonly authorization: string }[] = [];
  let isOpen = true;
  let answer: ReturnType<Provider["callback"]> | undefined;
  const server = createServer((incoming, outgoing) => void answer?.(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration: Configuration = {
    clients: [...clients],
    scopes: ["openid", "offline_access", "issues"],
    cookies: { keys: ["for tests"] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed("refresh_token"),
    findAccount: async (_ctx, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    clientBasedCORS: () => false,
    fetch: async (url) => {
      const document = documents[new URL(url instanceof Request ? url.url : url).href];
      return document === undefined ? new Response(null, { status: 404 }) : Response.json(document);
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => [],
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: "issues",
          audience: resource,
          accessTokenFormat: "opaque",
        }),
      },
      ...({ clientIdMetadataDocument: { enabled: true, ack: "draft-02" } } as object),
    },
  };
  const provider = new Provider(issuer, configuration);
  provider.use(async (ctx: KoaContextWithOIDC, next) => {
    const { pathname } = new URL(ctx.href);
    if (!isOpen && pathname === "/token") {
      ctx.status = 401;
      ctx.body = { error: "invalid_client" };
      return;
    }
    if (pathname.startsWith("/interaction/")) return interact(provider, ctx);
    await next();
    if (pathname !== "/token" && pathname !== "/reg") return;
    const body = ctx.oidc?.body ?? {};
    received.push({ path: pathname, body: JSON.stringify(body), authorization: ctx.get("authorization") });
  });
  answer = provider.callback();
  return {
    issuer,
    provider,
    received,
    async approve(authorizationUrl) {
      const cookies = new Map<string, string>();
      let at = new URL(authorizationUrl);
      for (let hop = 0; hop < 10 && at.origin === issuer; hop += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const response = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? [];
          cookies.set(name, value);
        }
        const location = response.headers.get("location");
        if (location === null) throw new Error(`HTTP ${response.status} at ${at.href}: ${await response.text()}`);
        at = new URL(location, at);
      }
      return at.href;
    },
    refuse: () => {
      isOpen = false;
    },
    async find(value) {
      const token = (await provider.AccessToken.find(value)) ?? (await provider.ClientCredentials.find(value));
      if (token === undefined || !token.isValid) return undefined;
      return { aud: token.aud ?? [], destroy: () => token.destroy() };
    },
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Signs the person in and consents to everything that the client requests. */
async function interact(provider: Provider, ctx: KoaContextWithOIDC): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(ctx.req, ctx.res);
  if (prompt.name === "login") return provider.interactionFinished(ctx.req, ctx.res, { login: { accountId: "ana" } });
  const grant =
    (grantId === undefined ? undefined : await provider.Grant.find(grantId)) ??
    new provider.Grant({ accountId: String(session?.accountId), clientId: String(params["client_id"]) });
  const { missingOIDCScope, missingResourceScopes } = prompt.details as {
    readonly missingOIDCScope?: readonly string[];
    readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
  };
  if (missingOIDCScope !== undefined) grant.addOIDCScope(missingOIDCScope.join(" "));
  for (const [resource, scopes] of Object.entries(missingResourceScopes ?? {}))
    grant.addResourceScope(resource, scopes.join(" "));
  return provider.interactionFinished(
    ctx.req,
    ctx.res,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  );
}

/** An MCP server that only accepts tokens for itself. */
export interface ProtectedServer extends Loopback {
  /** Tokens that came with requests, in order. */
  readonly tokens: string[];
  /** Accepts the tokens of another authorization server from now on. */
  moveTo(authority: AuthorizationServer): void;
}

/**
 * Starts an MCP server that takes only tokens of an authorization server, and only those for itself.
 *
 * @param named - The resource that its metadata names; default the server itself.
 */
export async function protectedServer(first: AuthorizationServer, named?: string): Promise<ProtectedServer> {
  let authority = first;
  const tokens: string[] = [];
  const handler = createMcpHandler(() => trackerServer());
  const server = await loopback(async (request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource"))
      return Response.json({
        resource: named ?? `${origin}/mcp`,
        authorization_servers: [authority.issuer],
        scopes_supported: ["issues"],
      });
    const token = /^Bearer (.+)$/u.exec(request.headers.get("authorization") ?? "")?.[1];
    if (token !== undefined) tokens.push(token);
    const found = token === undefined ? undefined : await authority.find(token);
    if (found !== undefined && [found.aud].flat().includes(`${origin}/mcp`)) return handler.fetch(request);
    const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return new Response(null, { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${where}"` } });
  });
  return {
    ...server,
    tokens,
    moveTo: (next) => {
      authority = next;
    },
  };
}
