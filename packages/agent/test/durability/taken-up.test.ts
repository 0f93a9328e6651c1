import { memorySessions, memoryStore, type RunStore } from "@bailiwick/core";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { agentOf, handClock, shapeOf, toEnd, truthful, type Effects } from "./durable-world.test.helper.ts";
import { drivenNow } from "./drive-due.test.helper.ts";
import { counter, failureOf, openAgent, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

/** A run of a process that died while its writers ran, and the clock of its store. */
async function deadRun() {
  const clock = handClock();
  const store = memoryStore({ clock });
  const effects: Effects = [];
  const dying = faultyStore(store, ({ operation, args }) =>
    operation === "append" && (args[1] as readonly { readonly type: string }[])[0]?.type === "tool.outcome"
      ? { crash: true }
      : undefined,
  );
  void agentOf("writers", { store: dying, effects, clock })
    .run("Go.")
    .catch(() => undefined);
  await dying.crashed;
  clock.pass(60_000);
  const [run] = await store.listRuns({});
  return { store, clock, effects, runId: run?.id ?? "" };
}

test("a refused decision leaves a dead process's run recoverable, and an ended run unchanged [run.left-as-found] [run.resume] [people.binding.unknown-id]", async () => {
  const { store, clock, effects, runId } = await deadRun();
  const agent = agentOf("writers", { store, effects, clock });
  const unknown = [{ id: "nothing", type: "approve" }] as const;
  expect(await failureOf(agent.resume(runId, unknown))).toMatchObject({ code: "UNKNOWN_DECISION" });
  expect(await store.getRun(runId)).toMatchObject({ state: "queued" });
  const [asked] = await drivenNow(agent);
  expect(asked).toMatchObject({ status: "suspended", stopReason: "awaiting_outcome" });
  expect(await failureOf(agent.resume(runId, unknown))).toMatchObject({ code: "UNKNOWN_DECISION" });
  expect(await store.getRun(runId)).toMatchObject({ state: "suspended", waitingOn: [asked?.interruptions[0]?.id] });
  expect((await agent.resume(runId, asked && truthful(effects, asked))).status).toBe("completed");

  for (const [script, state] of [
    [
      () => {
        throw new Error("The model is away.");
      },
      "failed",
    ],
    [() => writeCall(), "stopped"],
  ] as const) {
    const stopping = new Agent({
      ...openAgent,
      store,
      maxTurns: 1,
      model: scriptedModel(script),
      tools: [counter().write],
    });
    const id = await stopping.run("Go.").then(
      (output) => output.runId,
      (error: { readonly runId: string }) => error.runId,
    );
    expect(await store.getRun(id)).toMatchObject({ state });
    expect(await failureOf(stopping.resume(id, unknown))).toMatchObject({ code: "UNKNOWN_DECISION" });
    expect(await store.getRun(id)).toMatchObject({ state });
  }
});

test("a refused decision leaves a sleeping run asleep until its time, and a delayed one queued for its time [run.left-as-found] [people.binding.unknown-id]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const nap = tool({
    name: "nap",
    description: "Naps.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: (_input, ctx) => ctx.sleep({ ms: 60_000 }),
  });
  const agent = new Agent({
    ...openAgent,
    clock,
    store,
    tools: [nap],
    model: scriptedModel(() => ({ toolCalls: [{ name: "nap", arguments: {} }] })),
  });
  const asleep = await agent.run("Sleep.");
  const delayed = await agent.enqueue("Later.", { delayMs: 120_000 });
  for (const [runId, state, ms] of [
    [asleep.runId, "sleeping", 60_000],
    [delayed.runId, "queued", 120_000],
  ] as const) {
    const before = await store.getRun(runId);
    expect(before).toMatchObject({ state, dueAt: clock.now() + ms });
    expect(await failureOf(agent.resume(runId, [{ id: "nothing", type: "approve" }]))).toMatchObject({
      code: "UNKNOWN_DECISION",
    });
    expect(await store.getRun(runId)).toMatchObject({ state, dueAt: before?.dueAt });
  }
});

test("a process without a required tool leaves the run to a process that has it [run.resume.tool-missing]", async () => {
  const { store, clock, effects, runId } = await deadRun();
  const without = new Agent({ name: "outer", logger: quiet, clock, store, model: scriptedModel(["x"]) });
  const errors: unknown[] = [];
  expect(await drivenNow(without, { onRun: ({ error }) => void errors.push(error) })).toEqual([]);
  expect(errors).toMatchObject([{ code: "TOOL_MISSING" }]);
  clock.pass(60_000);
  const [output] = await drivenNow(agentOf("writers", { store, effects, clock }));
  expect(output).toMatchObject({ runId, stopReason: "awaiting_outcome" });
});

test("a run that is refused at its start is not resumed by another process later [run.left-as-found]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const agent = new Agent({ ...openAgent, clock, store, model: scriptedModel(["x"]) });
  const refused = agent.run("Go.", { output: 5 as never, idempotencyKey: "once" });
  expect(await failureOf(refused)).toMatchObject({ code: "INVALID_JSON_SCHEMA" });
  clock.pass(60_000);
  expect(await drivenNow(agent)).toEqual([]);
  expect((await agent.run("Go.", { idempotencyKey: "once" })).text).toBe("x");
  const [run] = await store.listRuns({});
  expect(
    await failureOf(agent.resume(run?.id ?? "", [{ id: "x", type: "approve" }], { output: 5 as never })),
  ).toMatchObject({ code: "INVALID_JSON_SCHEMA" });
  expect(await store.listRuns({})).toMatchObject([{ state: "completed" }]);
});

test("after a full disk, the same process can resume the run once there is free space, before its lease expires [run.left-as-found] [effects.journal-unavailable]", async () => {
  for (const take of ["resume", "recover", "another process"] as const) {
    let full = false;
    const clock = handClock();
    const whole = memoryStore({ clock });
    const writes = new Set(["append", "release", "create", "renew", "signal"]);
    const store = faultyStore(whole, ({ operation }) =>
      full && writes.has(operation) ? { error: "full-disk" } : undefined,
    );
    const effects: Effects = [];
    const agent = agentOf("writers", { store, effects, clock });
    const handle = agent.stream("Go.");
    for await (const event of handle) {
      if (event.type !== "tool.intent") continue;
      full = true;
      break;
    }
    expect(await failureOf(handle.result)).toMatchObject({
      code: "JOURNAL_UNAVAILABLE",
      cause: { code: "STORE_FULL" },
    });
    if (take !== "another process") expect(await whole.getRun(handle.runId)).toMatchObject({ state: "running" });
    expect(await failureOf(agent.resume(handle.runId))).toMatchObject({
      code: "JOURNAL_UNAVAILABLE",
      cause: { code: "STORE_FULL" },
    });
    full = false;
    // Another process finds the run that this one gives back.
    if (take === "another process") expect(await drivenNow(agent, { signal: AbortSignal.abort() })).toEqual([]);
    const driver = take === "another process" ? agentOf("writers", { store: whole, effects, clock }) : agent;
    const taken = take === "resume" ? await driver.resume(handle.runId) : (await drivenNow(driver))[0];
    if (taken === undefined) throw new Error("The run was not found.");
    expect((await toEnd(driver, taken, effects, clock)).status).toBe("completed");
    expect(effects.filter((line) => line.startsWith("plain"))).toHaveLength(1);
  }
});

test("a session that could not be written is written at once by the process that resumes the run [seams.store.session-elsewhere]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const kept = memorySessions();
  let away = true;
  const session = {
    ...kept,
    append: async (...given: Parameters<typeof kept.append>) => {
      if (away) throw new Error("The sessions are away.");
      await kept.append(...given);
    },
  };
  const agent = new Agent({ ...openAgent, clock, store, session, model: scriptedModel(["Hello.", "Again."]) });
  expect(await failureOf(agent.run("Hi.", { sessionId: "s" }))).toMatchObject({
    message: expect.stringContaining("The sessions are away.") as string,
  });
  away = false;
  expect(await drivenNow(agent)).toMatchObject([{ status: "completed", text: "Hello." }]);
  expect((await kept.load("s")).messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
});

test("an inner agent continues although its lease outlasts that of the outer run [effects.at-least-once]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const effects: Effects = [];
  let inside = false;
  const dying = faultyStore(store, ({ operation, args }) => {
    if (operation === "create" && (args[0] as { readonly parent?: unknown }).parent !== undefined) {
      inside = true;
      clock.pass(9_000);
    }
    const isEnd =
      operation === "append" &&
      (args[1] as readonly { readonly type: string }[]).some(({ type }) => type === "tool.outcome");
    return inside && isEnd && (args[0] as { readonly runId: string }).runId.length === 32
      ? { crash: true, written: true }
      : undefined;
  });
  const first = agentOf("an agent that is a tool", { store: dying, effects, clock });
  void first.run("Go.").catch(() => undefined);
  await dying.crashed;
  clock.pass(22_000);
  expect(await store.queueDepth()).toMatchObject([{ running: 1 }]);
  // In the process that resumes it, time continues.
  const ticking = {
    ...clock,
    setTimer: (callback: () => void, delayMs: number) => {
      const timer = setTimeout(() => {
        clock.pass(delayMs);
        callback();
      }, 1);
      return () => clearTimeout(timer);
    },
  };
  const second = agentOf("an agent that is a tool", { store, effects, clock: ticking });
  const [found] = await drivenNow(second);
  if (found === undefined) throw new Error("The run was not found.");
  const output = await toEnd(second, found, effects, clock);
  expect(JSON.stringify(shapeOf(output))).toContain("inner is done.");
  expect(effects.filter((line) => line.startsWith("inner_"))).toHaveLength(2);
});

test("if several processes cancel a run at once, it is cancelled and each of them learns it", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const effects: Effects = [];
  const make = (): Agent => agentOf("approvals", { store, effects, clock });
  const { runId } = await make().run("Go.");
  await Promise.all([make().cancel(runId), make().cancel(runId), make().cancel(runId)]);
  expect((await make().inspect(runId)).output).toMatchObject({ status: "cancelled" });
  expect(await store.getRun(runId)).toMatchObject({ state: "cancelled" });
});

test("a tool of a resumed run sees the conversation that its call came from", async () => {
  const seen: string[][] = [];
  const store: RunStore = memoryStore();
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    needsApproval: true,
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    execute: (_input, ctx) => {
      seen.push(ctx.messages.map(({ role, content }) => `${role}: ${typeof content === "string" ? content : ""}`));
      return "seen";
    },
  });
  const make = (onApproval: boolean): Agent =>
    new Agent({
      ...openAgent,
      store,
      instructions: "Be kind.",
      model: scriptedModel(({ toolResults }) =>
        toolResults.length === 0 ? { toolCalls: [{ name: "look", arguments: {} }] } : "Done.",
      ),
      tools: [look],
      ...(onApproval && { onApproval: () => ({ approved: true }) }),
    });
  const first = await make(false).run("Look.");
  await make(false).resume(
    first.runId,
    first.interruptions.map((one) => one.approve()),
  );
  expect(seen).toEqual([["system: Be kind.", "user: Look."]]);
});
