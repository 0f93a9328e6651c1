import { createAgentRuntime, memoryStore, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "../sqlite-store.ts";
import { scriptedModel } from "@bailiwick/testing";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { driveDue, retryRun, worker, type DrivenRunReport } from "@bailiwick/worker";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface Ground extends AsyncDisposable {
  readonly store: RunStore;
  /** The same data, opened by another process. */
  readonly other: RunStore;
}

function inMemory(): Ground {
  const store = memoryStore();
  return { store, other: store, [Symbol.asyncDispose]: async () => undefined };
}

function inFile(): Ground {
  const folder = mkdtempSync(join(tmpdir(), "worker-"));
  const [store, other] = [
    sqliteStore({ path: join(folder, "runs.db") }),
    sqliteStore({ path: join(folder, "runs.db") }),
  ];
  return {
    store,
    other,
    async [Symbol.asyncDispose]() {
      await store.close();
      await other.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const grounds = [
  ["memory", inMemory],
  ["SQLite", inFile],
] as const;

function answering(
  store: RunStore,
  name = "agent",
  more: Partial<Parameters<typeof createAgentRuntime>[0]> = {},
): AgentRuntime {
  return createAgentRuntime({ name, model: scriptedModel(() => "Done."), store, logger: quiet, ...more });
}

/** An agent whose tool waits until it is released, and counts the calls that wait at once. */
function holding(store: RunStore, more: Partial<Parameters<typeof createAgentRuntime>[0]> = {}) {
  const begun: string[] = [];
  const waiting = new Map<string, () => void>();
  let most = 0;
  const hold = tool({
    name: "hold",
    description: "Holds.",
    inputSchema: z.object({ id: z.string() }),
    sideEffectClass: "read-only",
    async execute({ id }) {
      begun.push(id);
      most = Math.max(most, waiting.size + 1);
      await new Promise<void>((resolve) => waiting.set(id, resolve));
      waiting.delete(id);
      return id;
    },
  });
  const agent = answering(store, "holding", {
    model: scriptedModel(({ messages, lastUserText }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "hold", arguments: { id: lastUserText } }] },
    ),
    tools: [hold],
    ...more,
  });
  return { agent, begun, most: () => most, letGo: (id: string) => waiting.get(id)?.(), waiting };
}

for (const [where, makeGround] of grounds) {
  test(`a worker drives runs that were enqueued in its own process and in another one, in ${where} [worker.drives]`, async () => {
    await using ground = makeGround();
    const agent = answering(ground.store);
    const reports: DrivenRunReport[] = [];
    await using crew = worker({ agents: [agent], store: ground.store, stopOn: [], onRun: (run) => reports.push(run) });
    const here = await agent.enqueue("a");
    const there = await answering(ground.other).enqueue("b");
    await expect.poll(() => reports.length).toBe(2);
    expect(reports.map(({ runId }) => runId).sort()).toEqual([here.runId, there.runId].sort());
    expect(reports.every(({ output }) => output?.text === "Done.")).toBe(true);
    await crew.idle();
    expect((await ground.store.getRun(there.runId))?.state).toBe("completed");
  });

  test(`the same idempotency key finds the same run, and priority and time decide the order, in ${where} [worker.enqueue]`, async () => {
    await using ground = makeGround();
    const agent = answering(ground.store);
    const first = await agent.enqueue("a", { idempotencyKey: "k" });
    expect(await agent.enqueue("other", { idempotencyKey: "k" })).toEqual({ runId: first.runId, created: false });
    const urgent = await agent.enqueue("b", { priority: 5 });
    const later = await agent.enqueue("c", { delayMs: 3_600_000, priority: 9 });
    const order: string[] = [];
    await driveDue({ agents: [agent], store: ground.store, concurrency: 1, onRun: ({ runId }) => order.push(runId) });
    expect(order).toEqual([urgent.runId, first.runId]);
    expect((await ground.store.getRun(later.runId))?.state).toBe("queued");
    expect(await agent.resume(first.runId)).toMatchObject({ text: "Done." });
  });

  test(`a run that is cancelled before it began calls no model and ends as cancelled, in ${where} [worker.enqueue.cancelled]`, async () => {
    await using ground = makeGround();
    let calls = 0;
    const model = scriptedModel(({ messages }) => {
      calls += 1;
      return messages.some((message) => JSON.stringify(message).includes("in German")) ? "Fertig." : "Done.";
    });
    const agent = answering(ground.store, "agent", { model });
    const cancelled = await agent.enqueue("a", { delayMs: 3_600_000 });
    await agent.cancel(cancelled.runId, "Not needed.");
    expect((await agent.inspect(cancelled.runId)).output).toMatchObject({ status: "cancelled" });
    expect(calls).toBe(0);
    const steered = await agent.enqueue("b");
    await agent.steer(steered.runId, "Answer in German.");
    expect(await driveDue({ agents: [agent], store: ground.store })).toMatchObject([
      { runId: steered.runId, text: "Fertig." },
    ]);
    expect(calls).toBe(1);
  });

  test(`decide() stores decisions in a process that drives nothing, and a worker continues the run, in ${where} [run.decide]`, async () => {
    await using ground = makeGround();
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => "paid",
    });
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "pay", arguments: {} }] },
    );
    const [agent, web] = [ground.store, ground.other].map((store) =>
      answering(store, "payer", { model, tools: [pay], flow: "off" }),
    ) as [AgentRuntime, AgentRuntime];
    const { runId } = await agent.enqueue("go", { tenantId: "t1" });
    await using crew = worker({ agents: [agent], store: ground.store, stopOn: [] });
    await expect.poll(async () => (await ground.store.getRun(runId))?.state).toBe("suspended");
    const decisions = (await web.interruptions(runId)).map((one) => one.approve());
    await expect(web.decide(runId, decisions, { tenantId: "t2" })).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(web.decide(runId, [{ ...decisions[0], id: "unknown" } as never])).rejects.toMatchObject({
      name: "DecisionError",
    });
    for (let times = 0; times < 2; times += 1) await web.decide(runId, decisions, { tenantId: "t1" });
    await expect.poll(async () => (await ground.store.getRun(runId))?.state).toBe("completed");
    expect((await web.inspect(runId)).output?.status).toBe("completed");
    expect(crew.status().state).toBe("running");
  });

  test(`runs of one session are driven in order and one at a time, in ${where} [worker.session-order]`, async () => {
    await using ground = makeGround();
    const { agent, begun, most, letGo } = holding(ground.store, { session: ground.store.sessions });
    for (const id of ["1", "2", "3"]) await agent.enqueue(id, { sessionId: "s" });
    await agent.enqueue("apart", { sessionId: "t" });
    await using crew = worker({ agents: [agent], store: ground.store, stopOn: [], concurrency: 4 });
    await expect.poll(() => begun).toEqual(expect.arrayContaining(["1", "apart"]));
    letGo("apart");
    for (const id of ["1", "2", "3"]) {
      await expect.poll(() => begun.at(-1) === id || begun.includes(id)).toBe(true);
      letGo(id);
    }
    await crew.idle();
    expect(begun.filter((id) => id !== "apart")).toEqual(["1", "2", "3"]);
    expect(most()).toBeLessThanOrEqual(2);
  });

  test(`a chat in another process waits for the session's driven run, or is refused, in ${where} [worker.session-busy]`, async () => {
    await using ground = makeGround();
    const { agent, begun, letGo, waiting } = holding(ground.store, { session: ground.store.sessions });
    const second = answering(ground.other, "second", { session: ground.other.sessions });
    const running = agent.run("1", { sessionId: "s" });
    await expect.poll(() => begun).toEqual(["1"]);
    await expect(second.run("hi", { sessionId: "s", concurrentRuns: "refuse" })).rejects.toMatchObject({
      code: "SESSION_BUSY",
      retryable: true,
    });
    const queued = second.run("hi", { sessionId: "s" });
    await expect.poll(() => waiting.has("1")).toBe(true);
    letGo("1");
    expect(await running).toMatchObject({ status: "completed" });
    expect((await queued).messages.length).toBeGreaterThan(4);
  });

  test(`drain gives a run back after its turn, and another worker continues it at once, in ${where} [worker.drain]`, async () => {
    await using ground = makeGround();
    const { agent, begun, letGo } = holding(ground.store);
    const { runId } = await agent.enqueue("1");
    const first = worker({ agents: [agent], store: ground.store, stopOn: [] });
    await expect.poll(() => begun).toEqual(["1"]);
    const drained = first.drain();
    expect(first.status().state).toBe("draining");
    letGo("1");
    await drained;
    expect(await ground.store.getRun(runId)).toMatchObject({ state: "queued", attempts: 0 });
    const next = holding(ground.other);
    const outputs = await driveDue({ agents: [next.agent], store: ground.other });
    expect(outputs).toMatchObject([{ runId, text: "Done." }]);
    expect(next.begun).toEqual([]);
  });

  test(`a turn that does not finish within drainMs is stopped, and its effect is a question, in ${where} [worker.drain]`, async () => {
    await using ground = makeGround();
    let begun = 0;
    const send = tool({
      name: "send",
      description: "Sends.",
      inputSchema: z.object({}),
      sideEffectClass: "side-effecting",
      execute() {
        begun += 1;
        return new Promise<string>(() => undefined);
      },
    });
    const model = scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "send", arguments: {} }] },
    );
    const agent = answering(ground.store, "sender", { model, tools: [send] });
    const { runId } = await agent.enqueue("go");
    const crew = worker({ agents: [agent], store: ground.store, stopOn: [], drainMs: 20 });
    await expect.poll(() => begun).toBe(1);
    await crew.drain();
    expect((await ground.store.getRun(runId))?.state).toBe("queued");
    const [output] = await driveDue({ agents: [agent], store: ground.store });
    expect(output).toMatchObject({ status: "suspended" });
    expect(output?.interruptions).toMatchObject([{ kind: "unknown_outcome" }]);
    expect(begun).toBe(1);
  });

  test(`limits of the worker, of an agent and of a tenant hold, in ${where} [worker.limits]`, async () => {
    await using ground = makeGround();
    const { agent, begun, letGo } = holding(ground.store);
    for (const id of ["a1", "a2", "a3"]) await agent.enqueue(id, { tenantId: "a" });
    await agent.enqueue("b1", { tenantId: "b" });
    await using crew = worker({
      agents: [agent],
      store: ground.store,
      stopOn: [],
      concurrency: 3,
      tenants: { concurrency: 1 },
    });
    await expect.poll(() => begun.length).toBe(2);
    await crew.store.queueDepth();
    expect([...begun].sort()).toEqual(["a1", "b1"]);
    expect(await ground.store.queueDepth()).toMatchObject([{ agentId: "holding", queued: 2, running: 2 }]);
    for (const id of ["b1", "a1", "a2", "a3"]) {
      await expect.poll(() => begun).toContain(id);
      letGo(id);
    }
    await crew.idle();
  });

  test(`ready runs of an agent without a worker keep no other run waiting, and an alias drives them, in ${where} [worker.agents]`, async () => {
    await using ground = makeGround();
    const retired = answering(ground.store, "retired");
    for (let n = 0; n < 30; n += 1) await retired.enqueue(`old ${n}`);
    const agent = answering(ground.store, "new");
    const { runId } = await agent.enqueue("now");
    expect(await driveDue({ agents: [agent], store: ground.store, limit: 1 })).toMatchObject([{ runId }]);
    const renamed = await driveDue({ agents: [{ agent, aliases: ["retired"] }], store: ground.store, limit: 100 });
    expect(renamed).toHaveLength(30);
  });

  test(`a run of another definition waits for a worker that drives it, in ${where} [worker.definitions]`, async () => {
    await using ground = makeGround();
    const old = answering(ground.store, "agent", { instructions: "Old." });
    const today = answering(ground.store, "agent", { instructions: "New." });
    const { runId } = await old.enqueue("go");
    expect(await driveDue({ agents: [{ agent: today, definitions: "own" }], store: ground.store })).toEqual([]);
    expect(await driveDue({ agents: [{ agent: old, definitions: "own" }], store: ground.store })).toMatchObject([
      { runId },
    ]);
  });

  test(`a run that cannot be driven is tried later, and one that is stuck is retried or discarded by a person, in ${where} [worker.stuck]`, async () => {
    await using ground = makeGround();
    const { store } = ground;
    const agent = answering(store);
    const [poison, innocent] = [await agent.enqueue("poison"), await agent.enqueue("innocent")];
    for (let n = 0; n < 6; n += 1) {
      // A process that claims the run and dies immediately.
      const { runs } = await store.claim({
        owner: `dead-${n}`,
        ttlMs: 1,
        limit: 1,
        agents: [{ agentId: "agent" }],
        maxAttempts: 9,
        suspects: n > 1,
      });
      expect(runs.map(({ run }) => run.id)).toEqual([poison.runId]);
      await expect.poll(async () => ((await store.queueDepth())[0]?.running ?? 0) === 1).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const reports: DrivenRunReport[] = [];
    const outputs = await driveDue({ agents: [agent], store, logger: quiet, onRun: (run) => reports.push(run) });
    expect(outputs).toMatchObject([{ runId: innocent.runId }]);
    expect(reports.find(({ runId }) => runId === poison.runId)?.error).toMatchObject({ code: "RUN_STUCK" });
    expect(await store.listRuns({ state: "stuck" })).toMatchObject([{ id: poison.runId }]);
    await retryRun(store, poison.runId);
    expect(await driveDue({ agents: [agent], store })).toMatchObject([{ runId: poison.runId, text: "Done." }]);
    await expect(retryRun(store, poison.runId)).rejects.toMatchObject({ code: "RUN_NOT_RETRYABLE" });
  });

  test(`sleepers and delayed runs are driven at their time, in ${where} [worker.timers]`, async () => {
    await using ground = makeGround();
    const agent = answering(ground.store);
    const ended: string[] = [];
    await using crew = worker({
      agents: [agent],
      store: ground.store,
      stopOn: [],
      pollMs: 60_000,
      onRun: ({ runId }) => ended.push(runId),
    });
    await crew.idle();
    const { runId } = await agent.enqueue("later", { delayMs: 150 });
    expect(ended).toEqual([]);
    await expect.poll(() => ended).toEqual([runId]);
  });
}

test("invalid options of a worker are refused [worker.options]", () => {
  const store = memoryStore();
  const agent = answering(store);
  expect(() => worker({ agents: [], store })).toThrow(/"agents" must be a list/u);
  expect(() => worker({ agents: [agent], store: memoryStore() })).toThrow(/another store/u);
  expect(() => worker({ agents: [agent, agent], store })).toThrow(/two agents/u);
  expect(() => worker({ agents: [agent], store, concurency: 3 } as never)).toThrow(/concurrency/u);
  expect(() => worker({ agents: [agent], store, concurrency: 0 })).toThrow(/whole number of 1/u);
  expect(() => worker({ agents: [agent], store, stopOn: ["TERM"] })).toThrow(/not a name of a signal/u);
});
