import { Agent, env, tool } from "@bailiwick/agent";
import type { MemoryEntry } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { studio, type StudioQueue, type StudioTools } from "@bailiwick/studio";
import { scriptedModel } from "@bailiwick/testing";
import { schedule } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { z } from "zod";
import { client } from "./client.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

test("a schedule is shown, paused and resumed; a viewer of one tenant has the schedules of the tenant [schedule.owner]", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const agent = new Agent({ name: "digest", model: scriptedModel([]), store });
  await schedule({ id: "morning", agent, everyMs: 60_000, input: "Write the digest." });
  const { read, post } = client(studio({ store, agents: [agent] }));
  const schedules = async () => (await read<StudioQueue>("queue")).schedules;
  expect(await schedules()).toMatchObject([{ id: "morning", agentName: "digest", paused: false }]);
  expect((await post("schedules/morning/pause", {})).status).toBe(200);
  expect(await schedules()).toMatchObject([{ paused: true }]);
  expect((await post("schedules/morning/resume", {})).status).toBe(200);
  expect(await schedules()).toMatchObject([{ paused: false }]);
  expect((await post("schedules/evening/pause", {})).status).toBe(404);
  const tenant = client(studio({ store, authorize: () => ({ tenantId: "t1" }) }));
  await schedule({ id: "of-t1", agent, everyMs: 60_000, input: "Write the digest.", tenantId: "t1", userId: "ana" });
  expect((await tenant.read<StudioQueue>("queue")).schedules).toMatchObject([{ id: "of-t1", userId: "ana" }]);
  expect((await tenant.post("schedules/of-t1/pause", {})).status).toBe(200);
  expect((await tenant.post("schedules/morning/pause", {})).status).toBe(404);
  expect(await schedules()).toMatchObject([
    { id: "morning", paused: false },
    { id: "of-t1", paused: true },
  ]);
});

test("a memory is edited with its label, keeps its history, and is deleted with it", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const entry: MemoryEntry = {
    id: "m1",
    kind: "semantic",
    text: "Ada lives in Ulm.",
    name: "home town",
    scope: { tenantId: undefined, userId: "ada" },
    label: { integrity: "untrusted", readers: "public" },
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "r1", seq: 3 },
  };
  await store.memories.put(entry);
  const { read, send } = client(studio({ store }));
  const edited = await send("PUT", "memories/m1?user=ada", { text: "Ada lives in Bonn." });
  const { memory } = (await edited.json()) as { readonly memory: MemoryEntry };
  expect(memory).toMatchObject({ text: "Ada lives in Bonn.", label: entry.label, source: entry.source });
  const { memories } = await read<{ memories: MemoryEntry[] }>("memories?user=ada");
  expect(memories.map(({ text }) => text)).toEqual(["Ada lives in Bonn."]);
  const { history } = await read<{ history: MemoryEntry[] }>(`memories/${memory.id}/history?user=ada`);
  expect(history.map(({ text }) => text)).toEqual(["Ada lives in Ulm."]);
  expect((await send("PUT", `memories/${memory.id}?user=ben`, { text: "x" })).status).toBe(404);
  expect((await send("PUT", "memories/m1?user=ada", { text: "Again." })).status).toBe(409);
  expect((await send("PUT", `memories/${memory.id}?user=ada`, { text: " " })).status).toBe(400);
  expect((await send("DELETE", `memories/${memory.id}?user=ada`, {})).status).toBe(200);
  expect((await read<{ memories: MemoryEntry[] }>("memories?user=ada")).memories).toEqual([]);
});

test("each tool has its rules, and the numbers of its calls, also of those in inner agents", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({ at: z.string() }),
    sideEffectClass: "read-only",
    execute: ({ at }) => {
      if (at === "nothing") throw new Error("There is nothing.");
      return at;
    },
  });
  const pay = tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    secretsAllowed: ["BANK_KEY"],
    execute: () => "Paid.",
  });
  const calls = (name: string, input: object) => ({ toolCalls: [{ name, arguments: input }] });
  const inner = new Agent({
    name: "inner",
    model: scriptedModel([calls("look", { at: "nothing" }), calls("look", { at: "this" }), "It is here."]),
    tools: [look],
    store,
    logger: quiet,
  });
  const outer = new Agent({
    name: "outer",
    model: scriptedModel([calls("inner", { input: "Look." }), calls("pay", {}), "Done."]),
    tools: [inner.asTool(), pay],
    secrets: env({ from: { BANK_KEY: "a-key-of-the-test" } }),
    store,
    logger: quiet,
  });
  const { runId, interruptions } = await outer.run("Look, then pay.");
  await outer.resume(runId, [interruptions[0]!.reject("Not today.")]);
  const { read } = client(studio({ store, agents: [outer, inner] }));
  const { tools, overRuns } = await read<StudioTools>("tools");
  const of = (name: string) => tools.find(({ explanation }) => explanation.name === name);
  expect(overRuns).toBe(1);
  expect(of("look")).toMatchObject({ agentId: "inner", calls: 2, errors: 1, rejections: 0 });
  expect(of("look")?.p50).toBeGreaterThanOrEqual(0);
  expect(of("look")?.p95).toBeGreaterThanOrEqual(of("look")?.p50 ?? Number.POSITIVE_INFINITY);
  expect(of("pay")).toMatchObject({
    agentId: "outer",
    calls: 1,
    rejections: 1,
    explanation: { approval: "always", sandbox: "none", secrets: ["BANK_KEY"], sideEffectClass: "external-stateful" },
  });
});

test("the queue shows the error of a failed run, reads it once, and reads it again after a retry", async () => {
  await using store = sqliteStore({ path: ":memory:" });
  const failing = new Agent({ name: "failing", model: scriptedModel([]), store, logger: quiet });
  const failed: unknown = await failing.run("It fails.").catch((error: unknown) => error);
  const { runId } = failed as { readonly runId: string };
  let loads = 0;
  const counted = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "load") loads += 1;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const { read } = client(studio({ store: counted, agents: [failing] }));
  const failures = async () => (await read<StudioQueue>("queue")).failed.map(({ failure }) => failure);
  expect(await failures()).toMatchObject([
    { code: "SCRIPT_EXHAUSTED", message: expect.stringContaining("add a step") as string },
  ]);
  expect(loads).toBe(1);
  await failures();
  expect(loads).toBe(1);
  await failing.resume(runId).catch(() => undefined);
  await failures();
  expect(loads).toBe(2);
});
