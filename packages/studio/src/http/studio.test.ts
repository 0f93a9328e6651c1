import { memoryStore, type Agent } from "@bailiwick/agent";
import type {
  StudioAuthority,
  StudioInfo,
  StudioQuestion,
  StudioRunDetail,
  StudioRunPage,
  StudioTools,
} from "@bailiwick/studio";
import { studio } from "@bailiwick/studio";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { expect, test } from "vitest";
import { client } from "./client.fixture.ts";
import { shopAgent } from "./shop.fixture.ts";

const base = "http://127.0.0.1:4311";

async function waitingRun(agent: Agent): Promise<string> {
  const { runId, status } = await agent.run("Handle my newest mail.", { userId: "ada" });
  expect(status).toBe("suspended");
  return runId;
}

test("the studio answers neither a caller without its token, nor another site, nor another machine", async () => {
  const opened = studio({ store: memoryStore() });
  const { ask } = client(opened);
  const codeOf = async (response: Response): Promise<string> =>
    ((await response.json()) as { readonly error: { readonly code: string } }).error.code;
  expect(await codeOf(await ask("api/runs", { headers: { authorization: "Bearer wrong" } }))).toBe("TOKEN_MISSING");
  expect(await codeOf(await ask("api/runs", { headers: { origin: "http://elsewhere.example" } }))).toBe(
    "ORIGIN_REFUSED",
  );
  const foreign = new Request("http://desk.example/api/runs", { headers: { authorization: `Bearer ${opened.token}` } });
  expect(await codeOf(await opened.fetch(foreign))).toBe("HOST_REFUSED");
  expect((await ask("api/runs")).status).toBe(200);
});

test("the link's token becomes a cookie that scripts cannot read, and leaves the address", async () => {
  const opened = studio({ store: memoryStore(), token: "a-token-of-the-test" });
  expect(opened.link(`${base}/`)).toBe(`${base}/?token=a-token-of-the-test`);
  const entered = await opened.fetch(new Request(opened.link(`${base}/`), { headers: { host: "127.0.0.1:4311" } }));
  expect([entered.status, entered.headers.get("location")]).toEqual([302, "./"]);
  const cookie = entered.headers.get("set-cookie") ?? "";
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/u);
  const headers = { host: "127.0.0.1:4311", cookie: cookie.split(";")[0] ?? "" };
  expect((await opened.fetch(new Request(`${base}/api/info`, { headers }))).status).toBe(200);
  const restarted = studio({ store: memoryStore(), token: "a-token-of-the-test" });
  expect((await restarted.fetch(new Request(`${base}/api/info`, { headers }))).status).toBe(200);
  const another = studio({ store: memoryStore(), token: "a-token-of-another" });
  expect((await another.fetch(new Request(`${base}/api/info`, { headers }))).status).toBe(403);
  expect(entered.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("a run is searched, inspected and decided with an edit, and shows who decided and the change [studio.decided]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const sent: unknown[] = [];
  const agent = shopAgent(store, sent, { mode: "enforce", planner: false });
  const runId = await waitingRun(agent);
  const opened = studio({ store, agents: [agent], authorize: () => ({ userId: "olga", allTenants: true }) });
  const { read, post } = client(opened);

  expect(await read<StudioInfo>("info")).toMatchObject({ agents: ["shop"], userId: "olga", counts: { suspended: 1 } });
  const found = await read<StudioRunPage>("runs?text=newest+mail&tool=pay&state=suspended&agent=shop");
  expect(found.runs).toMatchObject([{ runId, tools: ["read_mail", "pay"], modelCalls: 2, waiting: 1, userId: "ada" }]);
  expect(found.runs[0]?.costUsd).toBeGreaterThan(0);
  expect((await read<StudioRunPage>("runs?tool=fax")).runs).toEqual([]);

  const detail = await read<StudioRunDetail>(`runs/${runId}`);
  expect(detail.spans.map(({ kind, title, state }) => [kind, title, state])).toEqual([
    ["model", "scripted-1", "good"],
    ["tool", "read_mail", "good"],
    ["model", "scripted-1", "good"],
    ["tool", "pay", "open"],
    ["wait", "A person is asked about pay", "open"],
  ]);
  const [, , second] = detail.spans;
  const call = await read<{ messages: { role: string }[] }>(`runs/${runId}/model/${second?.records[0]}`);
  expect(call.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  const authority = await read<StudioAuthority>(`runs/${runId}/authority`);
  expect(authority.nodes).toContainEqual(
    expect.objectContaining({ column: "source", title: "read_mail", integrity: "untrusted" }),
  );
  expect(authority.decisions).toContainEqual(expect.objectContaining({ toolName: "pay", verdict: "ask" }));

  const { questions } = await read<{ questions: readonly StudioQuestion[] }>("inbox");
  expect(questions).toMatchObject([{ drivable: true, interruption: { toolName: "pay" } }]);
  const id = questions[0]?.interruption.id ?? "";
  const edited = { id, type: "approve", acknowledged: "suspicious", args: { to: "ada@shop.example", amount: 249 } };
  expect((await post(`runs/${runId}/decisions`, { decisions: [edited] })).status).toBe(202);
  await expect.poll(() => sent).toEqual([{ to: "ada@shop.example", amount: 249 }]);
  await expect.poll(async () => (await read<StudioRunDetail>(`runs/${runId}`)).run.state).toBe("completed");
  const after = await read<StudioRunDetail>(`runs/${runId}`);
  expect(after.decisions).toMatchObject([
    {
      type: "approve",
      decidedBy: "olga",
      channel: "studio",
      changes: [{ path: "to", from: "eve@evil.example", to: "ada@shop.example" }],
    },
  ]);
  expect(after.answer).toBe("I sent the money.");
  const { tools } = await read<StudioTools>("tools");
  expect(tools.find(({ explanation }) => explanation.name === "pay")).toMatchObject({ calls: 1, errors: 0 });
});

test("a viewer sees only the runs of their tenant, and can only do what authorize allows", async () => {
  const store = memoryStore();
  const agent = shopAgent(store);
  const { runId } = await agent.run("Handle my newest mail.", { tenantId: "t1", userId: "ada" });
  const opened = studio({
    store,
    agents: [agent],
    authorize: (request, { action }) =>
      action === "read" ? { userId: "olga", tenantId: request.headers.get("x-tenant") ?? undefined } : null,
  });
  const { ask, post } = client(opened);
  const statusOf = async (path: string, tenant: string): Promise<number> =>
    (await ask(path, { headers: { "x-tenant": tenant } })).status;
  expect(await statusOf(`api/runs/${runId}`, "t1")).toBe(200);
  for (const path of ["", "/records", "/authority", "/audit", "/model/1"])
    expect(await statusOf(`api/runs/${runId}${path}`, "t2"), path).toBe(404);
  const listed = await ask("api/runs", { headers: { "x-tenant": "t2" } });
  expect(await listed.json()).toEqual({ runs: [] });
  expect((await post(`runs/${runId}/decisions`, { decisions: [] })).status).toBe(403);
  expect((await ask(`api/runs/${runId}`, { method: "DELETE" })).status).toBe(403);
  expect(await store.getRun(runId)).toBeDefined();
});

test("a store without code is read and never written", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const runId = await waitingRun(shopAgent(store));
  const before = await store.getRun(runId);
  const { read, post } = client(studio({ store }));
  const { questions } = await read<{ questions: readonly StudioQuestion[] }>("inbox");
  expect(questions).toMatchObject([{ drivable: false, interruption: { toolName: "pay" } }]);
  const refused = await post(`runs/${runId}/decisions`, { decisions: [{ id: "x", type: "approve" }] });
  expect(await refused.json()).toMatchObject({ error: { code: "AGENT_MISSING" } });
  for (const path of ["", "/records", "/authority"]) await read(`runs/${runId}${path}`);
  expect(await store.getRun(runId)).toEqual(before);
});

test("invalid options are refused", () => {
  const store = memoryStore();
  expect(() => studio({ store, token: "short" })).toThrow(/at least 16 characters/u);
  expect(() => studio({ store, token: "a-token-of-the-test", authorize: () => null })).toThrow(
    /both "authorize" and "token"/u,
  );
  expect(() => studio({ store, tokens: "x" } as never)).toThrow(/tokens/u);
  for (const home of [
    { url: "javascript:alert(1)", title: "Shop" },
    { url: "data:text/html,x", title: "Shop" },
    { url: "/", title: " " },
  ])
    expect(() => studio({ store, home })).toThrow(/"home" with a title and a link/u);
  expect(() => studio({} as never)).toThrow(/needs a "store"/u);
});

test("a run that the agent's code cannot read is shown from its records, and does not hide the inbox", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = shopAgent(store);
  const readable = await waitingRun(agent);
  const created = await store.create(
    { id: "of-other-code", agentId: "shop", definitionHash: "d", sessionId: "s", input: "An old run." },
    { owner: "writer", ttlMs: 60_000 },
  );
  if (created.lease === undefined) throw new Error("The run has no lease.");
  const record = {
    seq: 1,
    at: 1,
    key: "k1",
    label: "system",
    runId: "of-other-code",
    type: "state.saved",
    stateKeys: [],
  };
  const head = await store.append(created.lease, [record as never]);
  await store.release({ ...created.lease, head }, { state: "suspended", waitingOn: ["q"] });
  const { read } = client(studio({ store, agents: [agent] }));
  const { questions } = await read<{ questions: readonly StudioQuestion[] }>("inbox");
  expect(questions.map(({ run }) => run.runId)).toEqual([readable]);
  const detail = await read<StudioRunDetail>("runs/of-other-code");
  expect(detail).toMatchObject({ drivable: false, problem: expect.stringMatching(/derives the key/u) as string });
});
