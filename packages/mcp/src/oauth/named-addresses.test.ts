import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Loopback } from "../http-server.test.helper.ts";
import { loopback } from "../http-server.test.helper.ts";
import { mcp, oauth } from "../index.ts";
import type { McpHttpOptions, TokenStore } from "../index.ts";

const server = "https://tracker.example/mcp";
const origin = new URL(server).origin;
const redirectUrl = "http://localhost:8976/callback";

/** A service of the operator's own network, which no server may cause requests to. */
let inside: Loopback;
let seen: { readonly path: string; readonly key: string | null }[] = [];
beforeAll(async () => {
  inside = await loopback((request) => {
    const { pathname, origin: own } = new URL(request.url);
    seen.push({ path: pathname, key: request.headers.get("x-api-key") });
    if (pathname.includes("oauth-protected-resource"))
      return Response.json({ resource: server, authorization_servers: [own] });
    if (pathname === "/register")
      return Response.json({ client_id: "one", redirect_uris: [redirectUrl] }, { status: 201 });
    return Response.json(metadata(own));
  });
});
afterAll(() => inside.stop());
beforeEach(() => {
  seen = [];
});

const metadata = (issuer: string, changes: object = {}): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  ...changes,
});

/** Answers of the named server; `at` is the address that it tries to have requested. */
type Answers = (path: string, at: string) => Response | undefined;
const challenge = (at: string): Response =>
  new Response(null, { status: 401, headers: { "www-authenticate": `Bearer resource_metadata="${at}"` } });
const denied = "EGRESS_DENIED";
/**
 * Outcome of the attempt: the protocol's client follows no redirect itself, and works without metadata of the resource.
 */
const ends: Readonly<Record<string, string>> = {
  resource_metadata: "MCP_AUTHORIZATION_REQUIRED",
  authorization_servers: denied,
  registration_endpoint: denied,
  authorization_endpoint: denied,
  "a redirect of metadata": "MCP_UNAVAILABLE",
  "a redirect of a message": "MCP_UNAVAILABLE",
};
const names: Readonly<Record<string, Answers>> = {
  resource_metadata: (path, at) =>
    path === "/mcp" ? challenge(`${at}/.well-known/oauth-protected-resource`) : undefined,
  authorization_servers: (path, at) =>
    path.includes("oauth-protected-resource")
      ? Response.json({ resource: server, authorization_servers: [at] })
      : undefined,
  registration_endpoint: (path, at) =>
    path.includes("oauth-authorization-server")
      ? Response.json(metadata(origin, { registration_endpoint: `${at}/register` }))
      : undefined,
  authorization_endpoint: (path, at) =>
    path.includes("oauth-authorization-server")
      ? Response.json(metadata(origin, { authorization_endpoint: `${at}/authorize` }))
      : undefined,
  "a redirect of metadata": (path, at) =>
    path.includes("oauth-authorization-server")
      ? new Response(null, { status: 307, headers: { location: `${at}/metadata` } })
      : undefined,
  "a redirect of a message": (path, at) =>
    path === "/mcp" ? new Response(null, { status: 307, headers: { location: `${at}/mcp` } }) : undefined,
};

function serving(answers: Answers, at: string): typeof fetch {
  return async (input) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const answer = answers(pathname, at);
    if (answer !== undefined) return answer;
    if (pathname === "/mcp") return challenge(`${origin}/.well-known/oauth-protected-resource`);
    if (pathname.includes("oauth-protected-resource"))
      return Response.json({ resource: server, authorization_servers: [origin] });
    if (pathname === "/register")
      return Response.json({ client_id: "one", redirect_uris: [redirectUrl] }, { status: 201 });
    return Response.json(metadata(origin));
  };
}

async function connecting(answers: Answers, at: string, options: Partial<McpHttpOptions> = {}): Promise<unknown> {
  const auth = oauth({ clientName: "Desk", redirectUrl });
  await using tracker = mcp({ name: "tracker", url: server, auth, fetch: serving(answers, at), ...options });
  return await tracker.connect().catch((error: unknown) => error);
}

for (const [place, answers] of Object.entries(names)) {
  test(`a server cannot make the client request a non-public URL: ${place} [mcp.named-addresses]`, async () => {
    const { port } = new URL(inside.url);
    for (const at of [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      "http://169.254.169.254",
      "https://10.0.0.1",
    ])
      expect(await connecting(answers, at), at).toMatchObject({ code: ends[place] });
    expect(seen).toEqual([]);
  });
}

test("a URL from a server must use https, even if it is public [mcp.named-addresses]", async () => {
  const error = await connecting(names["authorization_servers"] as Answers, "http://1.1.1.1");
  expect(error).toMatchObject({ code: denied, message: expect.stringContaining("must use https") as string });
});

const pages = ["file:///etc", "ms-msdt:", "shell:x", "chrome://settings", "about:blank", "ftp://x", "http://1.1.1.1"];
test.each(pages)("a person is not sent to %s [mcp.named-addresses.pages]", async (at) => {
  const sentTo: string[] = [];
  const listener = (url: URL) => void sentTo.push(url.href);
  const listening = oauth({ clientName: "Desk", redirectUrl, onAuthorization: listener });
  /** The provider of a developer: an object with private state. */
  class Provider implements OAuthClientProvider {
    readonly #own = oauth({ clientName: "Desk", redirectUrl });
    get redirectUrl() {
      return redirectUrl;
    }
    get clientMetadata() {
      return this.#own.clientMetadata;
    }
    state = () => this.#own.state?.() ?? "";
    clientInformation() {
      return this.#own.clientInformation();
    }
    saveClientInformation(...given: Parameters<NonNullable<OAuthClientProvider["saveClientInformation"]>>) {
      return this.#own.saveClientInformation?.(...given);
    }
    tokens() {
      return this.#own.tokens();
    }
    saveTokens(...given: Parameters<OAuthClientProvider["saveTokens"]>) {
      return this.#own.saveTokens(...given);
    }
    redirectToAuthorization(url: URL) {
      sentTo.push(url.href);
    }
    saveCodeVerifier(verifier: string) {
      return this.#own.saveCodeVerifier(verifier);
    }
    codeVerifier() {
      return this.#own.codeVerifier();
    }
  }
  const answers = names["authorization_endpoint"] as Answers;
  for (const auth of [listening, new Provider()]) {
    const error = await connecting(answers, at, { auth });
    expect(error).toMatchObject({ code: denied });
    expect(error).not.toHaveProperty("authorizationUrl", expect.any(String));
  }
  expect([sentTo, listening.pendingUrl]).toEqual([[], undefined]);
  for (const auth of [oauth({ clientName: "Desk", redirectUrl, onAuthorization: listener }), new Provider()])
    expect(await connecting(answers, origin, { auth })).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  expect(sentTo.map((url) => new URL(url).origin)).toEqual([origin, origin]);
});

const withTokenEndpoint: Answers = (path, at) =>
  path.includes("oauth-authorization-server")
    ? Response.json(metadata(origin, { token_endpoint: `${at}/token` }))
    : undefined;

test("a person is not asked to sign in if token_endpoint is refused [mcp.named-addresses]", async () => {
  const error = await connecting(withTokenEndpoint, new URL(inside.url).origin);
  expect(error).toMatchObject({ code: denied });
  expect(seen).toEqual([]);
});

/** A store whose keys a test reads. */
function openStore(): TokenStore & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: (key) => entries.get(key),
    set: (key, value) => void entries.set(key, value),
    delete: (key) => void entries.delete(key),
  };
}

test.each(Object.entries({ ...names, token_endpoint: withTokenEndpoint }))(
  "a token store gets nothing of a server that is refused for %s [mcp.named-addresses.unstored]",
  async (_place, answers) => {
    const at = new URL(inside.url).origin;
    const store = openStore();
    const auth = oauth({ clientName: "Desk", redirectUrl, store });
    const error = await connecting(answers, at, { auth });
    // Without its metadata a server can be used: what is stored is not what was refused.
    if ((error as { code?: string }).code !== "MCP_AUTHORIZATION_REQUIRED") {
      expect(store.entries).toEqual(new Map());
      expect(auth.pendingUrl).toBeUndefined();
    }
    const accepted = await connecting(() => undefined, at, { auth });
    expect(accepted).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
    expect([...store.entries.keys()]).toEqual(expect.arrayContaining(["discovery", "verifier", "state"]));
  },
);

test("a refused server leaves the tokens of an accepted one in the store [mcp.named-addresses.unstored]", async () => {
  const at = new URL(inside.url).origin;
  const store = openStore();
  const tokens = JSON.stringify({ access_token: "old", token_type: "Bearer" });
  store.entries.set("tokens", tokens);
  const auth = oauth({ clientName: "Desk", redirectUrl, store });
  for (const answers of [names["authorization_endpoint"] as Answers, withTokenEndpoint])
    expect(await connecting(answers, at, { auth })).toMatchObject({ code: denied });
  expect(store.entries).toEqual(new Map([["tokens", tokens]]));
});

test("a stored document that is refused today is deleted, and no code is sent [mcp.named-addresses.unstored]", async () => {
  const at = new URL(inside.url).origin;
  const store = openStore();
  const auth = oauth({ clientName: "Desk", redirectUrl, store });
  const options = { name: "tracker", url: server, auth, fetch: serving(withTokenEndpoint, at) };
  await using allowing = mcp({ ...options, allowHosts: [new URL(at).host] });
  await expect(allowing.connect()).rejects.toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  const state = new URL(auth.pendingUrl ?? "").searchParams.get("state") ?? "";
  await using tracker = mcp(options);
  const error = await tracker.finishAuthorization(`${redirectUrl}?code=1&state=${state}`).catch((one: unknown) => one);
  expect(error).toMatchObject({ cause: { code: denied } });
  expect(store.entries).toEqual(new Map());
  expect(seen.filter(({ path }) => path === "/token")).toEqual([]);
});

test("allowHosts allows a host in the operator's own network, without the server's API key [mcp.named-addresses]", async () => {
  const at = new URL(inside.url).origin;
  const headers = { "x-api-key": "of the tracker" };
  const sent: (string | null)[] = [];
  const answers: Answers = (path, named) => names["authorization_servers"]?.(path, named);
  const own = serving(answers, at);
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) return globalThis.fetch(input, init);
    sent.push(new Headers(init?.headers).get("x-api-key"));
    return own(input, init);
  };
  const allowHosts = [new URL(at).host];
  const error = await connecting(answers, at, { allowHosts, headers, fetch });
  expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  expect(seen.map(({ path }) => path)).toContain("/register");
  expect(new Set(seen.map(({ key }) => key))).toEqual(new Set([null]));
  expect(new Set(sent)).toEqual(new Set(["of the tracker"]));
});

test("mcp() refuses an entry of allowHosts that can match no host [mcp.named-addresses]", () => {
  expect(() => mcp({ name: "tracker", url: server, allowHosts: ["https://x.example/"] })).toThrow(/is not a host/u);
});
