import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { agentWith, resultsOf } from "../agents.test.helper.ts";
import { clientCredentials, mcp, memoryTokens, oauth } from "../index.ts";
import type { McpError } from "../index.ts";
import { authorizationServer, protectedServer } from "./oidc-provider.test.helper.ts";

const redirectUrl = "http://localhost:8976/callback";
const tools = { "*": { sideEffectClass: "read-only" } } as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };
const program = {
  client_id: "nightly",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [] as [],
  scope: "issues",
};

test("a client gets tokens with its secret, only for the server, and a new token after expiry [mcp.authorization] [mcp.client-credentials]", async () => {
  await using authority = await authorizationServer({ clients: [{ ...program, client_secret: "a secret" }] });
  await using server = await protectedServer(authority);
  const auth = clientCredentials({ clientId: "nightly", clientSecret: "a secret", issuer: authority.issuer });
  await using tracker = mcp({ name: "tracker", url: server.url, tools, auth });
  const { agent } = agentWith([tracker], [list, "Done.", list, "Done."]);
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(authority.received.map(({ path }) => path)).toEqual(["/token"]);
  expect(JSON.parse(authority.received[0]?.body ?? "{}")).toMatchObject({
    grant_type: "client_credentials",
    resource: server.url,
  });
  const [first = ""] = server.tokens;
  await (await authority.find(first))?.destroy();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(authority.received).toHaveLength(2);
  expect(new Set(server.tokens).size).toBe(2);
});

test("a client signs with its private key instead of a secret; another key is refused [mcp.authorization] [mcp.client-credentials]", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const registered = { ...publicKey.export({ format: "jwk" }), alg: "ES256", use: "sig" } as never;
  await using authority = await authorizationServer({
    clients: [{ ...program, token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [registered] } }],
  });
  await using server = await protectedServer(authority);
  const connect = async (key: typeof privateKey): Promise<unknown> => {
    const pem = key.export({ format: "pem", type: "pkcs8" }).toString();
    const auth = clientCredentials({
      clientId: "nightly",
      privateKey: pem,
      algorithm: "ES256",
      issuer: authority.issuer,
    });
    await using tracker = mcp({ name: "tracker", url: server.url, auth });
    return await tracker.connect().catch((error: unknown) => error);
  };
  expect(await connect(privateKey)).toMatchObject({ protocolVersion: "2026-07-28" });
  expect(authority.received[0]?.body).toContain("client_assertion");
  expect(authority.received[0]?.authorization).toBe("");
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  expect(await connect(other.privateKey)).toMatchObject({ code: "MCP_AUTHORIZATION_REFUSED" });
});

test("client credentials are sent only to their own authorization server [mcp.authorization] [mcp.client-credentials]", async () => {
  const clients = [{ ...program, client_secret: "a secret" }];
  await using authority = await authorizationServer({ clients });
  await using other = await authorizationServer({ clients });
  await using server = await protectedServer(other);
  const auth = clientCredentials({ clientId: "nightly", clientSecret: "a secret", issuer: authority.issuer });
  await using tracker = mcp({ name: "tracker", url: server.url, auth });
  await expect(tracker.connect()).rejects.toMatchObject({ code: "MCP_AUTHORIZATION_REFUSED", server: "tracker" });
  expect(other.received).toEqual([]);
});

test("a person signs in; tokens are refreshed with rotation, and after a refused refresh the person signs in again [mcp.authorization]", async () => {
  await using authority = await authorizationServer();
  await using server = await protectedServer(authority);
  const auth = oauth({ clientName: "Desk", redirectUrl, store: memoryTokens() });
  await using tracker = mcp({ name: "tracker", url: server.url, tools, auth });
  const { agent } = agentWith([tracker], [list, "Done.", list, "Done.", list, "Done.", list, "Done."]);
  const expire = async (): Promise<void> => (await authority.find(server.tokens.at(-1) ?? ""))?.destroy();
  const grants = () =>
    authority.received
      .filter(({ path }) => path === "/token")
      .map(({ body }) => (JSON.parse(body) as { grant_type: string }).grant_type);
  const error = (await agent.run("go").catch((thrown: unknown) => thrown)) as McpError;
  expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  await tracker.finishAuthorization(await authority.approve(error.authorizationUrl ?? ""));
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  const before = (await auth.tokens())?.refresh_token;
  await expire();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(grants()).toEqual(["authorization_code", "refresh_token"]);
  const refreshed = (await auth.tokens())?.refresh_token ?? "";
  expect(refreshed).not.toBe(before);
  await (await authority.provider.RefreshToken.find(refreshed))?.destroy();
  await expire();
  const { toolCalls } = await agent.run("go");
  expect(toolCalls).toMatchObject([{ isError: true, error: { code: "MCP_AUTHORIZATION_REQUIRED" } }]);
  await tracker.finishAuthorization(await authority.approve(auth.pendingUrl ?? ""));
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
});

test("a client metadata document is the client's id, and nothing is registered [mcp.authorization]", async () => {
  const clientMetadataUrl = "https://desk.example/client.json";
  const document = {
    client_id: clientMetadataUrl,
    client_name: "Desk",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  };
  await using authority = await authorizationServer({ documents: { [clientMetadataUrl]: document } });
  await using server = await protectedServer(authority);
  const auth = oauth({ clientName: "Desk", redirectUrl, clientMetadataUrl });
  await using tracker = mcp({ name: "tracker", url: server.url, auth });
  const error = (await tracker.connect().catch((thrown: unknown) => thrown)) as McpError;
  expect(new URL(error.authorizationUrl ?? "").searchParams.get("client_id")).toBe(clientMetadataUrl);
  await tracker.finishAuthorization(await authority.approve(error.authorizationUrl ?? ""));
  expect(await tracker.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
  expect(authority.received.map(({ path }) => path)).toEqual(["/token"]);
});

test("after a server moves to another authorization server, the user signs in there, and no old tokens are sent to it [mcp.authorization]", async () => {
  await using old = await authorizationServer();
  await using next = await authorizationServer();
  await using server = await protectedServer(old);
  const kept = new Map<string, string>();
  const store = {
    get: (key: string) => kept.get(key),
    set: (key: string, value: string) => void kept.set(key, value),
    delete: (key: string) => void kept.delete(key),
  };
  const auth = oauth({ clientName: "Desk", redirectUrl, store });
  const signIn = async (authority: typeof old): Promise<void> => {
    await using tracker = mcp({ name: "tracker", url: server.url, auth });
    const error = (await tracker.pins().catch((thrown: unknown) => thrown)) as McpError;
    expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
    expect(new URL(error.authorizationUrl ?? "").origin).toBe(authority.issuer);
    await tracker.finishAuthorization(await authority.approve(error.authorizationUrl ?? ""));
    expect(await tracker.pins()).toHaveProperty("list_issues");
  };
  await signIn(old);
  const tokens = await auth.tokens();
  const { client_id: clientId = "" } = (await auth.clientInformation({ issuer: old.issuer })) ?? {};
  server.moveTo(next);
  await signIn(next);
  expect(next.received.map(({ path }) => path)).toEqual(["/reg", "/token"]);
  const seen = JSON.stringify(next.received);
  for (const secret of [tokens?.access_token, tokens?.refresh_token, clientId]) {
    expect(secret).toBeTypeOf("string");
    expect(seen).not.toContain(secret);
  }
});

test("a token for one server is not accepted by another, and a server that claims another's URL gets none [mcp.authorization]", async () => {
  await using authority = await authorizationServer({ clients: [{ ...program, client_secret: "a secret" }] });
  await using server = await protectedServer(authority);
  await using neighbour = await protectedServer(authority);
  const credentials = () =>
    clientCredentials({ clientId: "nightly", clientSecret: "a secret", issuer: authority.issuer });
  await using tracker = mcp({ name: "tracker", url: server.url, auth: credentials() });
  await tracker.connect();
  const headers = { authorization: `Bearer ${server.tokens.at(-1) ?? ""}` };
  await using stolen = mcp({ name: "neighbour", url: neighbour.url, headers });
  await expect(stolen.connect()).rejects.toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  await using liar = await protectedServer(authority, server.url);
  const asked = authority.received.length;
  await using deceived = mcp({ name: "liar", url: liar.url, auth: credentials() });
  await expect(deceived.connect()).rejects.toThrow("liar");
  expect(authority.received).toHaveLength(asked);
  expect(liar.tokens).toEqual([]);
});

test("after a client's secret is revoked, a writer's call fails without an unknown outcome: nothing was sent [mcp.authorization]", async () => {
  await using authority = await authorizationServer({ clients: [{ ...program, client_secret: "a secret" }] });
  await using server = await protectedServer(authority);
  const auth = clientCredentials({ clientId: "nightly", clientSecret: "a secret", issuer: authority.issuer });
  await using tracker = mcp({ name: "tracker", url: server.url, auth });
  await tracker.connect();
  const create = { toolCalls: [{ name: "create_issue", arguments: { repo: "ours", title: "Broken" } }] };
  const { agent } = agentWith([tracker], [create, "Done."], { flow: "off" });
  await tracker.pins();
  await (await authority.find(server.tokens.at(-1) ?? ""))?.destroy();
  authority.refuse();
  const { toolCalls } = await agent.run("go");
  expect(toolCalls).toMatchObject([{ isError: true, error: { code: "MCP_AUTHORIZATION_REFUSED" } }]);
});
