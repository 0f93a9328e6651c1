import { memoryStore, tool, type Decision, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { handClock } from "./durable-world.test.helper.ts";
import { drivenNow } from "./drive-due.test.helper.ts";
import { add, counter, failureOf, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const hour = 3_600_000;

/** A writer without a key that sleeps before its effect, and counts its effects. */
function sleeper(naps: number = 1): { readonly remind: Tool; readonly log: string[] } {
  const log: string[] = [];
  const remind = tool({
    name: "remind",
    description: "Reminds later.",
    inputSchema: z.object({ text: z.string() }),
    sideEffectClass: "external-stateful",
    execute: async ({ text }, ctx) => {
      log.push("begins");
      for (let nap = 0; nap < naps; nap += 1) await ctx.sleep({ ms: hour });
      log.push(`reminds: ${text}`);
      return "reminded";
    },
  });
  return { remind, log };
}

const remindCall = { toolCalls: [{ name: "remind", arguments: { text: "tea" } }] };

test("a tool's sleep outlives its process, and another process wakes the tool at its time [run.durable-sleep] [run.stop.sleeping]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const { remind, log } = sleeper();
  const make = (script: Parameters<typeof scriptedModel>[0]) =>
    new Agent({ name: "agent", logger: quiet, clock, store, tools: [remind], model: scriptedModel(script) });
  const first = await make([remindCall]).run("go");
  expect(first).toMatchObject({ status: "sleeping", stopReason: "sleeping", interruptions: [], wakeAt: 1_000 + hour });
  expect(await store.getRun(first.runId)).toMatchObject({ state: "sleeping", dueAt: 1_000 + hour });
  const there = make(["Done."]);
  expect((await there.inspect(first.runId)).events.find(({ type }) => type === "run.suspended")).toMatchObject({
    reason: "sleeping",
    wakeAt: 1_000 + hour,
  });

  expect(await drivenNow(there)).toEqual([]);
  clock.pass(hour / 2);
  expect(await there.resume(first.runId)).toMatchObject({
    status: "sleeping",
    stopReason: "sleeping",
    wakeAt: 1_000 + hour,
  });
  expect(await store.getRun(first.runId)).toMatchObject({ state: "sleeping", dueAt: 1_000 + hour });
  expect(log).toEqual(["begins"]);

  clock.pass(hour / 2);
  const [woken] = await drivenNow(there);
  expect(woken).toMatchObject({ runId: first.runId, status: "completed", text: "Done." });
  expect(woken?.wakeAt).toBeUndefined();
  expect(log).toEqual(["begins", "begins", "reminds: tea"]);
  expect(woken?.toolCalls).toHaveLength(1);
});

test("each sleep happens once, and a second sleep starts when it is reached [run.durable-sleep.again]", async () => {
  const clock = handClock();
  const { remind, log } = sleeper(2);
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    clock,
    store: memoryStore({ clock }),
    tools: [remind],
    model: scriptedModel([remindCall, "Done."]),
  });
  const { runId } = await agent.run("go");
  clock.pass(hour);
  expect(await agent.resume(runId)).toMatchObject({ stopReason: "sleeping", wakeAt: 1_000 + 2 * hour });
  clock.pass(hour);
  expect((await agent.resume(runId)).text).toBe("Done.");
  expect(log).toEqual(["begins", "begins", "begins", "reminds: tea"]);
});

test("other calls of the turn run, and decisions are accepted while a call sleeps [run.durable-sleep.people-first]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const { remind } = sleeper();
  const { write, ran } = counter({ needsApproval: true });
  const model = scriptedModel([
    {
      toolCalls: [
        ...remindCall.toolCalls,
        { name: "add", arguments: { a: 1, b: 2 } },
        { name: "write", arguments: { line: "a" } },
      ],
    },
    "Done.",
  ]);
  const agent = new Agent({ name: "agent", logger: quiet, clock, store, tools: [remind, add, write], model });
  const first = await agent.run("go");
  expect(first).toMatchObject({ stopReason: "awaiting_approval", wakeAt: 1_000 + hour });
  expect(first.toolCalls.map(({ toolName }) => toolName)).toEqual(["add"]);
  const decisions = first.interruptions.map((asked): Decision => asked.approve());
  expect(await agent.resume(first.runId, decisions)).toMatchObject({ stopReason: "sleeping" });
  expect(ran).toEqual(["a"]);
  clock.pass(hour);
  const [woken] = await drivenNow(agent);
  expect(woken?.messages.flatMap((message) => (message.role === "tool" ? [message.toolName] : []))).toEqual([
    "remind",
    "add",
    "write",
  ]);
  expect(ran).toEqual(["a"]);
});

test("a sleep of an agent used as a tool suspends the outer run, and a cancel ends it [run.durable-sleep.nested]", async () => {
  const clock = handClock();
  const store = memoryStore({ clock });
  const { remind, log } = sleeper();
  const inner = new Agent({
    name: "inner",
    logger: quiet,
    clock,
    tools: [remind],
    model: scriptedModel([remindCall, "inner done", remindCall]),
  });
  const outerCall = { toolCalls: [{ name: "ask_inner", arguments: { input: "go" } }] };
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    clock,
    store,
    tools: [inner.asTool({ name: "ask_inner", description: "Asks." })],
    model: scriptedModel([outerCall, "Done.", outerCall]),
  });
  const first = await outer.run("go");
  expect(first).toMatchObject({ stopReason: "sleeping", wakeAt: 1_000 + hour });
  expect(await outer.resume(first.runId)).toMatchObject({ stopReason: "sleeping" });
  clock.pass(hour);
  expect((await drivenNow(outer)).map(({ text }) => text)).toEqual(["Done."]);
  expect(log).toEqual(["begins", "begins", "reminds: tea"]);

  const second = await outer.run("again");
  await outer.cancel(second.runId);
  clock.pass(hour);
  expect(await drivenNow(outer)).toEqual([]);
  expect(log.at(-1)).toBe("begins");
});

type Pauses = Readonly<Record<"ask" | "sleep", (given?: unknown) => Promise<unknown>>>;

const schema = z.object({ ok: z.boolean() });
const notPauses: Readonly<Record<string, readonly [code: string, pause: (ctx: Pauses) => Promise<unknown>]>> = {
  "a sleep of no number": ["INVALID_SLEEP", (ctx) => ctx.sleep({ ms: Number.NaN })],
  "a sleep without a time": ["INVALID_SLEEP", (ctx) => ctx.sleep()],
  "a sleep of a number alone": ["INVALID_SLEEP", (ctx) => ctx.sleep(30)],
  "a sleep of a text": ["INVALID_SLEEP", (ctx) => ctx.sleep({ ms: "30" })],
  "a sleep until a date": ["INVALID_SLEEP", (ctx) => ctx.sleep({ wakeAt: new Date(0) })],
  "a question of nothing": ["INVALID_OPTION", (ctx) => ctx.ask()],
  "a question of a text alone": ["INVALID_OPTION", (ctx) => ctx.ask("Sure?")],
  "a question without a schema": ["INVALID_OPTION", (ctx) => ctx.ask({ question: "Sure?" })],
  "a question with another value as its schema": [
    "INVALID_OPTION",
    (ctx) => ctx.ask({ question: "Sure?", schema: "x" }),
  ],
  "a question that is not a text": ["INVALID_OPTION", (ctx) => ctx.ask({ question: 5, schema })],
};

test.each(Object.entries(notPauses))(
  "%s is an error of the tool that says what to pass [tool.context.pauses]",
  async (_what, [code, pause]) => {
    const bad = tool({
      name: "bad",
      description: "Pauses.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: (_input, ctx) => pause(ctx as unknown as Pauses),
    });
    const agent = new Agent({
      name: "agent",
      logger: quiet,
      tools: [bad],
      model: scriptedModel([{ toolCalls: [{ name: "bad", arguments: {} }] }, "Done."]),
    });
    expect((await agent.run("go")).toolCalls[0]).toMatchObject({
      isError: true,
      error: { code, message: expect.stringMatching(/called ctx\.(ask|sleep) without a \w+: pass \{ /u) },
    });
  },
);

test.each([["alone", false] as const, ["inside another run", true] as const])(
  "a worker ends a sleeping run at its deadline, %s, and its tool does not continue [run.durable-sleep.deadline]",
  async (_where, inside) => {
    let now = 0;
    const clock = { now: () => now, setTimer: () => () => undefined };
    const store = memoryStore({ clock });
    let woken = 0;
    const nap = tool({
      name: "nap",
      description: "Sleeps for a minute.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      execute: async (_input, ctx) => {
        await ctx.sleep({ ms: 60_000 });
        return (woken += 1);
      },
    });
    const one = { store, clock, logger: quiet, flow: "off" as const };
    const sleeper = new Agent({
      ...one,
      name: "sleeper",
      tools: [nap],
      model: scriptedModel([{ toolCalls: [{ name: "nap", arguments: {} }] }, "Done."]),
    });
    const calls = { toolCalls: [{ name: "sleeper", arguments: { input: "go" } }] };
    const outer = new Agent({
      ...one,
      name: "outer",
      tools: [sleeper.asTool()],
      model: scriptedModel([calls, "Done."]),
    });
    const agent = inside ? outer : sleeper;
    const { runId } = await agent.enqueue("go", { deadlineAt: 5_000 });
    expect(await agent.resume(runId)).toMatchObject({ status: "sleeping", wakeAt: 60_000 });
    now = 4_999;
    await drivenNow(agent);
    expect((await store.getRun(runId))?.state).toBe("sleeping");
    now = 5_000;
    await drivenNow(agent);
    expect((await store.getRun(runId))?.state).toBe("failed");
    expect(await failureOf(agent.resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
    expect(woken).toBe(0);
  },
);
