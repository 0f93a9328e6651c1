import { sqliteStore, type SqliteStore } from "@bailiwick/store-sqlite";
import { Agent } from "@bailiwick/agent";
import { studio, type StudioInbox, type StudioInfo, type StudioQueue, type StudioRunPage } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { schedule } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { client } from "./client.fixture.ts";
import { runRoutes, writes } from "./routes.fixture.ts";
import { shopAgent } from "./shop.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A waiting run of one tenant, with a memory and a schedule. */
async function world(store: SqliteStore) {
  const agent = shopAgent(store);
  const { runId } = await agent.run("Handle my newest mail.", { tenantId: "t1", userId: "ada" });
  const idle = new Agent({
    name: "digest",
    model: scriptedModel([]),
    store,
    logger: quiet,
  });
  await idle.run("It fails.", { tenantId: "t1" }).catch(() => undefined);
  await idle.enqueue("It waits.", { tenantId: "t1" });
  await schedule({ id: "morning", agent: idle, everyMs: 60_000, input: "Write the digest.", tenantId: "t1" });
  await store.memories.put({
    id: "m1",
    kind: "semantic",
    text: "Ada lives in Ulm.",
    scope: { tenantId: "t1", userId: "ada" },
    label: { integrity: "untrusted", readers: "public" },
    validFrom: 1,
    recordedAt: 1,
    source: { runId, seq: 3 },
  });
  const intent = (await store.load(runId)).find(({ type }) => type === "model.intent")?.seq;
  return { agents: [agent, idle], runId, intent };
}

test("each route that writes asks for its action, and a viewer without it changes nothing [studio.permissions]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { agents, runId } = await world(store);
  const before = [await store.load(runId), await store.getRun(runId)];
  let asked: string[] = [];
  const { send } = client(
    studio({
      store,
      agents,
      authorize(_request, { action }) {
        asked.push(action);
        return action === "read" ? { tenantId: "t1", allTenants: true } : null;
      },
    }),
  );
  for (const [action, method, path, body] of writes(runId)) {
    asked = [];
    const response = await send(method, path, body);
    expect([path, response.status, asked]).toEqual([path, 403, [action]]);
  }
  expect([await store.load(runId), await store.getRun(runId)]).toEqual(before);
  expect(await store.memories.get("m1", { tenantId: "t1", userId: "ada" })).toMatchObject({
    text: "Ada lives in Ulm.",
  });
});

test("a viewer of another tenant finds nothing: no run, no question, no memory, no number [studio.tenants]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { agents, runId, intent } = await world(store);
  const guide = new Agent({
    name: "guide",
    instructions: ({ tenantId }) => `You write for ${tenantId}.`,
    model: scriptedModel(["Hello."]),
    store,
    logger: quiet,
  });
  const opened = studio({
    store,
    agents: [...agents, guide],
    authorize: (request) => ({ userId: "olga", tenantId: request.headers.get("x-tenant") ?? undefined }),
  });
  const { ask } = client(opened);
  const as =
    (tenant: string) =>
    async (path: string, init: RequestInit = {}) =>
      ask(`api/${path}`, { ...init, headers: { "x-tenant": tenant, "content-type": "application/json" } });
  const [own, other] = [as("t1"), as("t2")];
  for (const path of runRoutes(runId, intent)) {
    expect((await own(path)).status, path).not.toBe(404);
    expect([path, (await other(path)).status]).toEqual([path, 404]);
  }
  for (const [, method, path, body] of writes(runId)) {
    if (!path.includes(runId) && !path.startsWith("memories")) continue;
    const response = await other(path, { method, body: JSON.stringify(body) });
    expect([path, response.status]).toEqual([path, 404]);
  }
  const play = await other("agents/shop/play", {
    method: "POST",
    body: JSON.stringify({
      messages: [{ id: "m1", role: "user", content: "Hello." }],
      effects: "simulate",
      fromRunId: runId,
    }),
  });
  expect(play.status).toBe(404);
  const json = async <Answer>(response: Promise<Response>): Promise<Answer> =>
    (await (await response).json()) as Answer;
  const { memory } = await json<{ memory: { id: string } }>(
    own("memories/m1?user=ada", { method: "PUT", body: JSON.stringify({ text: "Ada lives in Bonn." }) }),
  );
  for (const [viewer, total] of [
    [own, 1],
    [other, 0],
  ] as const) {
    const { counts } = await json<StudioInfo>(viewer("info"));
    expect([counts.suspended ?? 0, counts.failed ?? 0, counts.queued ?? 0]).toEqual([total, total, total]);
    expect((await json<StudioInbox>(viewer("inbox"))).questions).toHaveLength(total);
    expect((await json<StudioRunPage>(viewer("runs"))).runs).toHaveLength(total * 3);
    const { failed, queued, schedules, agents: depths } = await json<StudioQueue>(viewer("queue"));
    expect([failed.length, queued.length, schedules.length, depths]).toEqual([total, total, total, []]);
    const { tools } = await json<{ tools: readonly { calls: number }[] }>(viewer("tools"));
    expect(tools.reduce((sum, { calls }) => sum + calls, 0)).toBe(total * 2);
    // The tenant of the address does not count for a viewer of one tenant.
    const { memories } = await json<{ memories: unknown[] }>(viewer("memories?user=ada&tenant=t1"));
    expect(memories).toHaveLength(total);
    const { history } = await json<{ history: unknown[] }>(viewer(`memories/${memory.id}/history?user=ada&tenant=t1`));
    expect(history).toHaveLength(total);
  }
  await guide.run("Hello.", { tenantId: "t1" });
  for (const [viewer, text] of [
    [own, "You write for t1."],
    [other, undefined],
  ] as const) {
    const { newest } = await json<{ newest?: { text: string } }>(viewer("agents/guide/prompt"));
    expect(newest?.text).toBe(text);
  }
});

test("without authorize only the token is answered, by this machine alone [studio.permissions]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { agents, runId } = await world(store);
  const { ask } = client(studio({ store, agents, token: "a-token-of-the-test" }));
  const status = async (headers: Record<string, string>) => (await ask(`api/runs/${runId}`, { headers })).status;
  expect(await status({ authorization: "Bearer a-token-of-the-test" })).toBe(200);
  for (const shown of ["a-token-of-the-tesT", "a-token-of-the-tes", "a-token-of-the-test-", ""])
    expect([shown, await status({ authorization: `Bearer ${shown}` })]).toEqual([shown, 403]);
  const elsewhere = await studio({ store, token: "a-token-of-the-test" }).fetch(
    new Request("http://studio.example/api/info", {
      headers: { host: "studio.example", authorization: "Bearer a-token-of-the-test" },
    }),
  );
  expect(elsewhere.status).toBe(403);
});

test("pages of runs follow each other without a gap, and each filter keeps its runs [studio.runs]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = shopAgent(store);
  const other = new Agent({ name: "echo", model: scriptedModel(() => "Yes."), store, logger: quiet });
  const ids = [(await agent.run("Handle my newest mail.", { userId: "ada", sessionId: "s1" })).runId];
  for (const user of ["ben", "cem"]) ids.push((await other.run(`From ${user}.`, { userId: user })).runId);
  const { read, ask } = client(studio({ store, agents: [agent, other] }));
  const found = async (query: string) =>
    (await read<StudioRunPage>(`runs?${query}`)).runs.map(({ runId }) => ids.indexOf(runId));
  const first = await read<StudioRunPage>("runs?limit=2");
  const second = await read<StudioRunPage>(`runs?limit=2&after=${encodeURIComponent(first.next ?? "")}`);
  expect([...first.runs, ...second.runs].map(({ runId }) => ids.indexOf(runId))).toEqual([2, 1, 0]);
  expect(second.next).toBeUndefined();
  expect(await found("user=ben")).toEqual([1]);
  expect(await found("agent=shop")).toEqual([0]);
  expect(await found("session=s1")).toEqual([0]);
  expect(await found("state=completed")).toEqual([2, 1]);
  expect(await found("text=cem")).toEqual([2]);
  expect(await found("cost=0.000001")).toEqual([0]);
  const created = (await store.getRun(ids[1] ?? ""))?.createdAt ?? 0;
  expect(await found(`before=${created}&text=mail`)).toEqual([0]);
  expect(await found(`from=${Date.now() + 60_000}`)).toEqual([]);
  for (const wrong of ["state=gone", "cost=much", "limit=-1", `text=${"x".repeat(501)}`, "after=not-a-cursor"])
    expect([wrong.slice(0, 20), (await ask(`api/runs?${wrong}`)).status]).toEqual([wrong.slice(0, 20), 400]);
});

test("a question that another person has taken in the meantime stays theirs [studio.assigned]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { agents, runId } = await world(store);
  const { read, post } = client(studio({ store, agents }));
  const { questions } = await read<StudioInbox>("inbox");
  const questionId = questions[0]?.interruption.id;
  expect((await post(`runs/${runId}/assign`, { questionId, from: "", to: "olga" })).status).toBe(200);
  expect((await post(`runs/${runId}/assign`, { questionId, from: "", to: "eve" })).status).toBe(409);
  expect((await read<StudioInbox>("inbox")).questions).toMatchObject([{ assignee: "olga" }]);
  expect((await post(`runs/${runId}/assign`, { questionId, from: "olga", to: "" })).status).toBe(200);
});

test("each answer, also a refusal, forbids foreign scripts, frames and type sniffing [studio.headers]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const { ask } = client(studio({ store }));
  for (const path of ["", "api/info", "api/runs/none", "api/none", "assets/none.js"]) {
    const { headers } = await ask(path);
    expect(headers.get("content-security-policy"), path).toMatch(/default-src 'none'.*frame-ancestors 'none'/u);
    expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    if (path.startsWith("api")) expect(headers.get("cache-control"), path).toBe("no-store");
  }
});
