import { memorySessions, memoryStore, tool, type Clock, type Message, type RunEvent } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, collect, counter, failureOf, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

test("after a handoff each agent's message has its own id, and each model call ends before its run does [field-bug:PB-events-05]", async () => {
  const second = new Agent({
    ...base,
    name: "second",
    description: "Takes over.",
    model: scriptedModel(["From the second."], { modelId: "m2" }),
  });
  const first = new Agent({
    ...base,
    name: "first",
    model: scriptedModel([{ text: "From the first.", toolCalls: [{ name: "transfer_to_second", arguments: {} }] }], {
      modelId: "m1",
    }),
    handoffs: [second],
  });
  const { events, error } = await collect(first.stream("go"));
  expect(error).toBeUndefined();
  const flat = events.map((event): RunEvent => (event.type === "agent.event" ? event.event : event));
  const answers = flat.flatMap((event) => (event.type === "model.result" ? [event.message] : []));
  expect(answers).toHaveLength(2);
  expect(new Set(answers.map(({ id }) => id)).size).toBe(2);
  const open: string[] = [];
  for (const event of events) {
    const inner = event.type === "agent.event" ? event.event : event;
    const of = event.type === "agent.event" ? "second" : "first";
    if (inner.type === "model.intent") open.push(of);
    if (inner.type === "finish") expect(open.pop()).toBe(of);
    if (inner.type === "run.end") expect(open).not.toContain(of);
  }
  expect(open).toEqual([]);
});

/** A clock that counts its timers and advances only when the test moves it. */
function countingClock(): Clock & { readonly timers: Set<number>; readonly waits: number[] } {
  const timers = new Set<number>();
  const waits: number[] = [];
  let next = 0;
  return {
    timers,
    waits,
    now: () => 0,
    setTimer: (_callback, delayMs) => {
      const id = (next += 1);
      timers.add(id);
      waits.push(delayMs);
      return () => void timers.delete(id);
    },
  };
}

test("a vendor's delay above the cap fails at once with the delay, and an abort ends a wait and its timer [field-bug:PB-retry-02]", async () => {
  const tooLong = scriptedModel(() => ({ faults: { error: { status: 429, retryAfterSeconds: 600 } } }));
  expect(await failureOf(new Agent({ ...base, model: tooLong, clock: countingClock() }).run("go"))).toMatchObject({
    status: 429,
    retryAfterMs: 600_000,
  });
  expect(tooLong.requests).toHaveLength(1);

  const clock = countingClock();
  const controller = new AbortController();
  const waiting = scriptedModel(() => ({ faults: { error: { status: 429, retryAfterSeconds: 5 } } }));
  const run = new Agent({ ...base, model: waiting, clock }).run("go", { signal: controller.signal });
  while (!clock.waits.includes(5_000)) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  expect((await run).status).toBe("cancelled");
  expect(waiting.requests).toHaveLength(1);
  expect(clock.timers.size).toBe(0);
});

test("a resumed run uses the dependencies passed to resume, and a state that cannot be restored is refused when written [field-bug:PB-serialization-01]", async () => {
  const store = memoryStore();
  const seen: number[] = [];
  const use = tool({
    name: "use",
    description: "Uses.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: (_input, ctx) => {
      const { count } = ctx.dependencies as { readonly count: () => number };
      seen.push(count());
      ctx.setState("fn", count);
    },
  });
  const agent = new Agent({
    ...base,
    store,
    model: scriptedModel([{ toolCalls: [{ name: "use", arguments: {} }] }, "Done."]),
    tools: [use],
    dependencies: { count: (): number => 1 },
  });
  const first = await agent.run("go");
  const decisions = first.interruptions.map((asked) => asked.approve());
  const result = await agent.resume(first.runId, decisions, { dependencies: { count: () => 2 } });
  expect(seen).toEqual([2]);
  expect(result.toolCalls[0]).toMatchObject({
    isError: true,
    error: { message: expect.stringContaining('setState("fn") was given a function') as string },
  });
});

test("dependencies are not stored, and only the chosen keys of the session's state are [field-bug:PB-serialization-03]", async () => {
  const store = memoryStore();
  const sessions = memorySessions();
  const client = { password: "in-the-client", toJSON: () => ({ leaked: "by-toJSON" }) };
  const note = tool({
    name: "note",
    description: "Notes.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, ctx) => ctx.setState("plan", "gold"),
  });
  const agent = new Agent({
    ...base,
    store,
    session: sessions,
    model: scriptedModel([{ toolCalls: [{ name: "note", arguments: {} }] }, "Done."]),
    tools: [note],
    dependencies: { client },
  });
  const { runId } = await agent.run("go", { sessionId: "s" });
  const stored = JSON.stringify([await store.load(runId), await store.getRun(runId), await sessions.load("s", {})]);
  expect(stored).not.toMatch(/in-the-client|by-toJSON/);
  expect((await sessions.load("s", {})).state).toMatchObject({ plan: "gold" });
});

test("a message converted for one request is reused for all later ones [field-bug:PB-performance-01]", async () => {
  const history = Array.from({ length: 1_000 }, (_, index): Message => ({
    id: `m${index}`,
    role: "user",
    // Half of a character, which no vendor accepts: each of these has to be converted.
    content: `note ${index} \ud800 ${"x".repeat(500)}`,
  }));
  const model = scriptedModel((request) => (request.turn < 20 ? addCall(request.turn, 1) : "Done."));
  await new Agent({ ...base, model, tools: [add], maxTurns: 30 }).run("go", { messages: history });
  expect(model.requests).toHaveLength(21);
  for (const [turn, { messages }] of model.requests.entries()) {
    const before = model.requests[turn - 1]?.messages ?? [];
    const changed = before.filter((message, index) => messages[index] !== message);
    expect(changed).toEqual([]);
  }
});

test("after any number of requests, a long session has each message once [field-bug:PB-performance-02]", async () => {
  const { write } = counter();
  // Each call's id has to be shortened, so no message is sent unchanged.
  const model = scriptedModel(
    (request) => (request.turn < 40 ? writeCall(`${request.turn} ${"y".repeat(10_000)}`) : "Done."),
    { capabilities: { toolCallId: { maxLength: 4 } } },
  );
  const result = await new Agent({ ...base, model, tools: [write], maxTurns: 50 }).run("go");
  const distinct = new Set(model.requests.flatMap(({ messages }) => messages));
  expect(distinct.size).toBeLessThanOrEqual(result.messages.length);
});

test("an error for a session of another tenant names the session and its tenant, and none is created [field-bug:PB-session-18]", async () => {
  const session = memorySessions();
  const agent = new Agent({ ...base, session, model: scriptedModel(["one", "two"]) });
  await agent.run("secret words", { sessionId: "s", tenantId: "north" });
  for (const tenantId of ["south", undefined]) {
    const error = await failureOf(session.branch("s", { tenantId }));
    expect(error).toMatchObject({
      code: "SESSION_NOT_FOUND",
      message: expect.stringContaining(tenantId ?? "without a tenant") as string,
    });
    expect((await session.list({ tenantId })).map(({ id }) => id)).toEqual([]);
  }
});
