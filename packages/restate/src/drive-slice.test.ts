import { createAgentRuntime, memoryStore, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { driveSlice } from "./drive-slice.ts";
import { restateRuns } from "./index.ts";
import { checkRestate, type RestateOptions } from "./options.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const never = { draining: new AbortController().signal, attemptEnded: new AbortController().signal };
const ingressUrl = "http://127.0.0.1:8080/";

function clerk(store: RunStore): AgentRuntime {
  const rest = tool({
    name: "rest",
    description: "Rests.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    async execute(_input, context) {
      await context.sleep({ ms: 60_000 });
      return "rested";
    },
  });
  const model = scriptedModel(({ lastUserText }) => {
    if (lastUserText === "rest") return { toolCalls: [{ name: "rest", arguments: {} }] };
    if (lastUserText === "overload") return { faults: { error: { status: 503 } } };
    return "Done.";
  });
  const retry = { maxRetries: 0 };
  return createAgentRuntime({ name: "clerk", model, tools: [rest], store, logger: quiet, flow: "off", retry });
}

function setUp(more: Partial<RestateOptions> = {}) {
  const store = memoryStore();
  const agent = clerk(store);
  return { store, agent, options: checkRestate({ agents: [agent], store, ingressUrl, logger: quiet, ...more }) };
}

test("a slice drives a run to its end, and a repeated call changes nothing [restate.drive] [feature:S182]", async () => {
  const { store, agent, options } = setUp();
  const { runId } = await agent.enqueue("hello");
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "completed" });
  const { epoch } = (await store.getRun(runId)) ?? {};
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "completed" });
  expect((await store.getRun(runId))?.epoch).toBe(epoch);
  await expect(driveSlice(options, "unknown", {}, never)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
});

test("a slice resumes a dead process's run without waiting for its lease [restate.gone]", async () => {
  const { store, agent, options } = setUp();
  const { runId } = await agent.enqueue("hello");
  await store.acquire(runId, "dead", 3_600_000);
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "completed" });
});

test("a sleeping run continues in a later call [restate.sleep]", async () => {
  const { agent, options } = setUp();
  const { runId } = await agent.enqueue("rest");
  for (let times = 0; times < 2; times += 1) {
    const driven = await driveSlice(options, runId, {}, never);
    expect(driven.status).toBe("sleeping");
    expect(driven.againMs).toBeGreaterThan(50_000);
  }
  const later = await agent.enqueue("hello", { delayMs: 60_000 });
  const driven = await driveSlice(options, later.runId, {}, never);
  expect(driven.status).toBe("running");
  expect(driven.againMs).toBeGreaterThan(50_000);
});

test("a run released after its step continues in another call [restate.slice]", async () => {
  const { store, agent, options } = setUp();
  const { runId } = await agent.enqueue("hello");
  const signals = { ...never, draining: AbortSignal.abort() };
  expect(await driveSlice(options, runId, {}, signals)).toEqual({ status: "running", againMs: 0 });
  expect((await store.getRun(runId))?.state).toBe("queued");
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "completed" });
});

test("a run with a temporary failure is retried a few times, with growing delays [restate.retry]", async () => {
  const { store, agent, options } = setUp({ attempts: 2 });
  const { runId } = await agent.enqueue("overload");
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "running", againMs: 1_000, failures: 1 });
  const waiting = await store.getRun(runId);
  expect(waiting).toMatchObject({ state: "queued", dueAt: expect.any(Number) as number });
  const epoch = waiting?.epoch ?? 0;
  // The test does not wait until the time of the next attempt.
  await store.requeue(runId, epoch);
  expect(await driveSlice(options, runId, { failures: 1 }, never)).toMatchObject({ againMs: 2_000, failures: 2 });
  await store.requeue(runId, epoch + 1);
  expect(await driveSlice(options, runId, { failures: 2 }, never)).toEqual({ status: "failed" });
});

test("a run that crashes its process each time becomes stuck [restate.stuck]", async () => {
  const { store, agent, options } = setUp({ maxAttempts: 2 });
  const { runId } = await agent.enqueue("hello");
  for (let times = 0; times < 3; times += 1)
    await store.acquire(runId, "dead", 3_600_000, undefined, (await store.getRun(runId))?.epoch);
  await expect(driveSlice(options, runId, {}, never)).rejects.toMatchObject({ code: "RUN_STUCK" });
  expect((await store.listRuns({ state: "stuck", allTenants: true })).map(({ id }) => id)).toEqual([runId]);
  expect(await driveSlice(options, runId, {}, never)).toEqual({ status: "stuck" });
});

test("enqueue, decide and wakeDue send only ids, and a run is stored even if its id could not be sent [restate.ids]", async () => {
  const sent: string[] = [];
  let away = false;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    if (away) return new Response(null, { status: 503 });
    const request = new Request(url, init);
    sent.push(`${request.url} ${await request.text()}`);
    return Response.json({});
  };
  const store = memoryStore();
  const agent = clerk(store);
  const runs = restateRuns({ agents: [agent], store, ingressUrl, fetch, logger: quiet });
  const { runId } = await runs.enqueue(agent, "a secret", { delayMs: 2_500 });
  expect(sent).toEqual([`http://127.0.0.1:8080/bailiwick/${runId}/drive/send?delay=2500ms {}`]);
  away = true;
  await expect(runs.enqueue(agent, "another", { idempotencyKey: "k" })).rejects.toMatchObject({
    code: "RESTATE_UNAVAILABLE",
  });
  away = false;
  sent.length = 0;
  expect(await runs.wakeDue()).toBe(2);
  expect(sent).toHaveLength(2);
  expect(sent.join("\n")).not.toContain("secret");
});

test("invalid options are refused at construction [restate.options]", () => {
  const store = memoryStore();
  const right: RestateOptions = { agents: [clerk(store)], store, ingressUrl };
  for (const wrong of [
    { agents: [] },
    { agents: [clerk(memoryStore())] },
    { agents: [clerk(store), clerk(store)] },
    { ingressUrl: "nowhere" },
    { name: "a/b" },
    { sliceMs: 0 },
    { longestStepMs: 10 },
    { attempts: -1 },
    { retries: 1 },
  ])
    expect(() => restateRuns({ ...right, ...wrong }), JSON.stringify(Object.keys(wrong))).toThrow("restateRuns()");
});
