import { memoryStore, tool, type RunStore } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { drivenNow } from "./drive-due.test.helper.ts";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

interface Shop {
  readonly count: number;
  readonly client: { readonly secret: string; send(line: string): string };
}

function shopOf(count: number): Shop {
  return { count, client: { secret: "hunter2", send: (line) => `${line} ${count}` } };
}

function sellingAgent(store = memoryStore() as RunStore, dependencies?: Shop) {
  const sell = tool({
    name: "sell",
    description: "Sells.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: ({ line }, ctx) => (ctx.dependencies as Shop).client.send(line),
  });
  const model = scriptedModel((request) =>
    request.toolResults.length === 0 ? { toolCalls: [{ name: "sell", arguments: { line: "tulips" } }] } : "Sold.",
  );
  return new Agent({ name: "agent", logger: quiet, flow: "off", model, tools: [sell], store, dependencies });
}

test("a run resumes with newly given dependencies; without any it is refused, and can be resumed later [field-bug:PB-serialization-01]", async () => {
  const store = memoryStore();
  const first = await sellingAgent(store).run("go", { dependencies: shopOf(1) });
  const decisions = first.interruptions.map((one) => one.approve());
  expect(await failureOf(sellingAgent(store).resume(first.runId, decisions))).toMatchObject({
    code: "DEPENDENCIES_MISSING",
    message: expect.stringContaining("resume(runId, decisions, { dependencies })"),
  });
  expect(await store.getRun(first.runId)).toMatchObject({ state: "suspended" });
  const done = await sellingAgent(store).resume(first.runId, decisions, { dependencies: shopOf(2) });
  expect(done).toMatchObject({ status: "completed", toolCalls: [{ output: "tulips 2" }] });
});

test("a run whose process died before its first record needs its dependencies, and keeps its metadata [field-bug:PB-serialization-01]", async () => {
  const store = memoryStore();
  const dying = faultyStore(store, ({ operation }) =>
    operation === "create" ? { crash: true, written: true } : undefined,
  );
  void sellingAgent(dying)
    .run("go", { dependencies: shopOf(1), metadata: { ticket: "T-1" } })
    .catch(() => undefined);
  await dying.crashed;
  const id = (await store.listRuns({}))[0]?.id ?? "";
  expect(await sellingAgent(store).inspect(id)).toMatchObject({ events: [], metadata: { ticket: "T-1" } });
  const gone = { formerIsGone: true };
  expect(await failureOf(sellingAgent(store).resume(id, [], gone))).toMatchObject({ code: "DEPENDENCIES_MISSING" });
  const waiting = await sellingAgent(store).resume(id, [], { dependencies: shopOf(2) });
  expect(waiting).toMatchObject({ status: "suspended", interruptions: [{ toolName: "sell" }] });
});

test("the agent's own dependencies suffice for resumed runs, and a cancel needs none [field-bug:PB-serialization-01]", async () => {
  const store = memoryStore();
  const given = { dependencies: shopOf(1) };
  const [first, second] = [await sellingAgent(store).run("go", given), await sellingAgent(store).run("go", given)];
  const done = await sellingAgent(store, shopOf(3)).resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(done.toolCalls).toMatchObject([{ output: "tulips 3" }]);
  await sellingAgent(store).cancel(second.runId);
  expect(await store.getRun(second.runId)).toMatchObject({ state: "cancelled" });
});

test("a dead process's run is not resumed without its dependencies, and waits for a process that has them [field-bug:PB-serialization-01]", async () => {
  let now = Date.now();
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const hanging = new Agent({
    name: "agent",
    logger: quiet,
    flow: "off",
    model: scriptedModel([{ faults: { hangAfterEvents: 0 } }]),
    store,
  });
  void hanging.run("go", { dependencies: shopOf(1) }).catch(() => undefined);
  await expect.poll(async () => (await store.listRuns({}))[0]?.head.seq ?? 0).toBeGreaterThan(0);
  now += 60_000;
  expect(await drivenNow(sellingAgent(store))).toEqual([]);
  expect(await store.queueDepth()).toMatchObject([{ delayed: 1 }]);
  now += 60_000;
  expect(await drivenNow(sellingAgent(store, shopOf(4)))).toMatchObject([{ status: "suspended" }]);
});

test("a run's dependencies are not stored, except those declared as data [field-bug:PB-serialization-03]", async () => {
  const store = memoryStore();
  const shop = shopOf(1);
  const { runId } = await sellingAgent(store).run("go", { dependencies: shop, metadata: { count: shop.count } });
  const events = await store.load(runId);
  expect(events[0]).toMatchObject({ type: "run.start", metadata: { count: 1 } });
  const written = JSON.stringify([events, await store.getRun(runId)]);
  expect(written).not.toContain("hunter2");
  expect(written).not.toContain("client");
});
