import { expect, test } from "vitest";
import { agentWith, resultsOf } from "../agents.test.helper.ts";
import { mcp, memoryTokens, oauth } from "../index.ts";
import type { McpError, TokenStore } from "../index.ts";
import { authorizedServer } from "./authorization-server.test.helper.ts";

const redirectUrl = "http://localhost:8976/callback";
const tools = { "*": { sideEffectClass: "read-only" } } as const;
const list = { toolCalls: [{ name: "list_issues", arguments: {} }] };

test("a person signs in once; the code is exchanged with PKCE, and tokens are refreshed automatically [feature:X102]", async () => {
  await using world = await authorizedServer();
  const opened: string[] = [];
  const store = memoryTokens();
  const auth = oauth({ clientName: "Desk", redirectUrl, store, onAuthorization: (url) => void opened.push(url.href) });
  await using tracker = mcp({ name: "tracker", url: world.url, tools, auth });
  const { agent } = agentWith([tracker], [list, "Done.", list, "Done."]);
  const error = (await agent.run("go").catch((thrown: unknown) => thrown)) as McpError;
  expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED", server: "tracker" });
  expect(opened).toEqual([error.authorizationUrl]);
  expect(world.registered).toMatchObject([{ redirect_uris: [redirectUrl] }]);
  await tracker.finishAuthorization(await world.approve(error.authorizationUrl ?? ""));
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  world.expireTokens();
  expect(resultsOf(await agent.run("go")).join()).toContain("#1 Broken link");
  expect(world.grants).toEqual(["authorization_code", "refresh_token"]);
  expect(opened).toHaveLength(1);
  // Another process with the same store needs no person.
  await using other = mcp({
    name: "tracker",
    url: world.url,
    tools,
    auth: oauth({ clientName: "Desk", redirectUrl, store }),
  });
  expect(await other.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
});

test("an unrequested, changed or repeated authorization response is refused [feature:X102]", async () => {
  await using world = await authorizedServer();
  const auth = oauth({ clientName: "Desk", redirectUrl });
  await using tracker = mcp({ name: "tracker", url: world.url, auth });
  const begin = async (): Promise<URL> => {
    const error = (await tracker.connect().catch((thrown: unknown) => thrown)) as McpError;
    return new URL(await world.approve(error.authorizationUrl ?? ""));
  };
  const refused = { code: "MCP_AUTHORIZATION_REFUSED" };
  const changes: readonly ((url: URL) => void)[] = [
    (url) => url.searchParams.set("state", "another"),
    (url) => url.searchParams.delete("state"),
    (url) => url.searchParams.set("code", "guessed"),
    (url) => url.searchParams.delete("code"),
    (url) => url.searchParams.set("iss", "https://evil.test"),
  ];
  for (const change of changes) {
    const url = await begin();
    change(url);
    await expect(tracker.finishAuthorization(url)).rejects.toMatchObject(refused);
  }
  const right = await begin();
  await tracker.finishAuthorization(right);
  await expect(tracker.finishAuthorization(right)).rejects.toMatchObject(refused);
  expect(await tracker.connect()).toMatchObject({ protocolVersion: "2026-07-28" });
});

test("tokens of different authorization servers are kept separate [feature:X102]", async () => {
  await using one = await authorizedServer();
  const kept = new Map<string, string>();
  const store: TokenStore = {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
  const auth = oauth({ clientName: "Desk", redirectUrl, store });
  await using tracker = mcp({ name: "tracker", url: one.url, auth });
  const error = (await tracker.connect().catch((thrown: unknown) => thrown)) as McpError;
  await tracker.finishAuthorization(await one.approve(error.authorizationUrl ?? ""));
  expect(await auth.tokens({ issuer: "https://evil.test" })).toBeUndefined();
  expect(await auth.clientInformation({ issuer: "https://evil.test" })).toBeUndefined();
  expect((await auth.tokens())?.access_token).toBeTypeOf("string");
});

test("a server that requires a sign-in gives an error that says so, if sign-in is not configured [feature:X102]", async () => {
  await using world = await authorizedServer();
  await using tracker = mcp({ name: "tracker", url: world.url });
  const error = await tracker.connect().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "MCP_AUTHORIZATION_REQUIRED" });
  expect((error as Error).message).toContain("auth: oauth(");
  await expect(tracker.finishAuthorization("http://localhost/?code=1")).rejects.toMatchObject({
    code: "MCP_AUTHORIZATION_REFUSED",
  });
  expect(() => oauth({ clientName: "", redirectUrl })).toThrow(/clientName/u);
});
