import { memoryStore, tool, type Decision, type Interruption, type RunStore, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { drivenNow } from "./drive-due.test.helper.ts";
import { handClock, type HandClock } from "./durable-world.test.helper.ts";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const minute = 60_000;

/** The reason for which a call of the holder waits. */
type Wait = "asks" | "sleeps";

/** Pays each bill under its own key, after a wait. */
function payTool(paid: string[], wait: Wait | undefined): Tool {
  return tool({
    name: "pay",
    description: "Pays a bill.",
    inputSchema: z.object({ bill: z.number() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: ({ bill }) => `bill-${bill}`,
    execute: async ({ bill }, ctx) => {
      if (wait === "sleeps") await ctx.sleep({ ms: 90 * minute });
      const account = wait === "asks" ? await ctx.ask({ question: "Which account?", schema: z.string() }) : "main";
      if (account === "none") throw new Error("no account");
      paid.push(`${bill} from ${account}: ${ctx.idempotencyKey ?? ""}`);
      return `paid from ${account}`;
    },
  }) as Tool;
}

const payCall = { toolCalls: [{ name: "pay", arguments: { bill: 7 } }] };

interface Setting {
  readonly clock: HandClock;
  readonly store: RunStore;
  readonly paid: string[];
  readonly agent: (wait?: Wait) => Agent;
}

function setting(): Setting {
  const clock = handClock();
  const store = memoryStore({ clock });
  const paid: string[] = [];
  const agent = (wait?: Wait): Agent => {
    const pay = payTool(paid, wait);
    const model = scriptedModel(({ messages }) => (messages.at(-1)?.role === "tool" ? "Done." : payCall));
    return new Agent({ name: "payer", logger: quiet, clock, store, tools: [pay], model });
  };
  return { clock, store, paid, agent };
}

function answer([question]: readonly Interruption[], value: string): readonly Decision[] {
  return question?.kind === "question" ? [question.answer(value)] : [];
}

test("a call whose key a run that waits for a person holds sleeps with its run, and gets the result after that run has ended [seams.store.ledger.asleep]", async () => {
  const { clock, store, paid, agent } = setting();
  const holder = await agent("asks").run("go");
  const second = await agent().run("go");
  expect(second).toMatchObject({ status: "sleeping", stopReason: "sleeping", interruptions: [], toolCalls: [] });
  expect(second.wakeAt).toBeGreaterThan(clock.now());
  expect(second.warnings).toMatchObject([
    { code: "idempotency_key_asleep", message: expect.stringContaining(`run "${holder.runId}"`) },
  ]);
  expect((await agent().inspect(second.runId)).events.find(({ type }) => type === "sleep.begun")).toMatchObject({
    keyHeldBy: holder.runId,
    wakeAt: second.wakeAt,
  });

  clock.pass(minute);
  expect(await drivenNow(agent())).toMatchObject([{ runId: second.runId, status: "sleeping" }]);
  await agent("asks").resume(holder.runId, answer(holder.interruptions, "savings"));
  expect(await store.getRun(second.runId)).toMatchObject({ state: "sleeping" });
  clock.pass(minute);
  expect(await drivenNow(agent())).toMatchObject([
    {
      runId: second.runId,
      status: "completed",
      toolCalls: [{ output: "paid from savings", isError: false, deduplicated: true }],
    },
  ]);
  expect(paid).toEqual(["7 from savings: bill-7"]);
});

test("the checks of a held key become rare, and at most five minutes pass between two [seams.store.ledger.asleep]", async () => {
  const { clock, agent } = setting();
  await agent("asks").run("go");
  const second = await agent().run("go");
  const waits: number[] = [];
  for (let wakeAt = second.wakeAt; waits.length < 9;) {
    waits.push(((wakeAt ?? 0) - clock.now()) / 1_000);
    clock.pass((wakeAt ?? 0) - clock.now());
    wakeAt = (await drivenNow(agent()))[0]?.wakeAt;
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
});

test("resume() of a run that waits for a key looks at once, before its time [seams.store.ledger.asleep]", async () => {
  const { agent, paid } = setting();
  const holder = await agent("asks").run("go");
  const second = await agent().run("go");
  expect(await agent().resume(second.runId)).toMatchObject({ status: "sleeping" });
  await agent("asks").resume(holder.runId, answer(holder.interruptions, "main"));
  expect(await agent().resume(second.runId)).toMatchObject({ toolCalls: [{ deduplicated: true }] });
  expect(paid).toHaveLength(1);
});

test.for(["cancelled", "failed"] as const)(
  "a call that slept for a key is made itself if the run that held it was %s without an effect [seams.store.ledger.asleep]",
  async (end) => {
    const { agent, paid } = setting();
    const holder = await agent("asks").run("go");
    const second = await agent().run("go");
    if (end === "cancelled") await agent("asks").cancel(holder.runId);
    else await agent("asks").resume(holder.runId, answer(holder.interruptions, "none"));
    expect(await agent().resume(second.runId)).toMatchObject({
      status: "completed",
      toolCalls: [{ output: "paid from main", isError: false }],
    });
    expect(paid).toEqual(["7 from main: bill-7"]);
  },
);

test("a run that sleeps in a tool holds its key: another run waits longer than it [seams.store.ledger.asleep]", async () => {
  const { clock, agent, paid } = setting();
  // One pass drives both runs: if the holder is driven when the other run looks, that run looks again after a moment.
  clock.setTimer = (callback, delayMs, options) => {
    const timer = options?.keepAlive === true ? setTimeout(callback, delayMs) : undefined;
    return () => clearTimeout(timer);
  };
  const holder = await agent("sleeps").run("go");
  const second = await agent().run("go");
  expect([holder.status, second.status]).toEqual(["sleeping", "sleeping"]);
  clock.pass(80 * minute);
  expect(await drivenNow(agent())).toMatchObject([{ runId: second.runId, status: "sleeping" }]);
  clock.pass(30 * minute);
  await drivenNow(agent("sleeps"));
  clock.pass(10 * minute);
  await drivenNow(agent("sleeps"));
  for (const { runId } of [holder, second])
    expect((await agent().inspect(runId)).output).toMatchObject({
      status: "completed",
      toolCalls: [{ isError: false }],
    });
  expect(paid).toHaveLength(1);
});

test("the other calls of the turn run while one waits for a key, and a person's decision does not wait for it [seams.store.ledger.asleep]", async () => {
  const { clock, store, agent, paid } = setting();
  const holder = await agent("asks").run("go");
  const log: string[] = [];
  const note = tool({
    name: "note",
    description: "Notes.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    execute: () => log.push("noted"),
  });
  const send = tool({
    name: "send",
    description: "Sends.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: () => log.push("sent"),
  });
  const calls = [{ name: "pay", arguments: { bill: 7 } }, ...["note", "send"].map((name) => ({ name, arguments: {} }))];
  const busy = new Agent({
    name: "busy",
    logger: quiet,
    clock,
    store,
    tools: [payTool(paid, undefined), note, send],
    model: scriptedModel(({ messages }) => (messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: calls })),
  });
  const waiting = await busy.run("go");
  expect(waiting).toMatchObject({ status: "suspended", stopReason: "awaiting_approval" });
  expect(log).toEqual(["noted"]);
  const [question] = waiting.interruptions;
  const decided = await busy.resume(waiting.runId, question?.kind === "approval" ? [question.approve()] : []);
  expect(decided).toMatchObject({ status: "sleeping", interruptions: [] });
  expect(log).toEqual(["noted", "sent"]);
  await agent("asks").resume(holder.runId, answer(holder.interruptions, "main"));
  const ended = await busy.resume(waiting.runId);
  expect(ended.status).toBe("completed");
  expect(ended.toolCalls.map(({ toolName, isError }) => `${toolName} ${isError}`)).toEqual([
    "note false",
    "send false",
    "pay false",
  ]);
  expect(paid).toHaveLength(1);
});

test("an agent used as a tool that waits for a key makes the outer run sleep [seams.store.ledger.asleep]", async () => {
  const { clock, store, agent, paid } = setting();
  const holder = await agent("asks").run("go");
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    clock,
    store,
    tools: [agent().asTool({ name: "ask_payer", description: "Pays." })],
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "ask_payer", arguments: { input: "go" } }] },
    ),
  });
  const second = await outer.run("go");
  expect(second).toMatchObject({ status: "sleeping" });
  await agent("asks").resume(holder.runId, answer(holder.interruptions, "main"));
  clock.pass(minute);
  expect(await drivenNow(outer)).toMatchObject([{ runId: second.runId, status: "completed" }]);
  expect(paid).toHaveLength(1);
});

test.each([1, 2])(
  "resume() of an outer run wakes an inner run %i agents deep that waits for a key, before its time [seams.store.ledger.asleep]",
  async (depth) => {
    const { clock, store, agent, paid } = setting();
    const holder = await agent("asks").run("go");
    const version = (): Agent => {
      let outer = agent();
      for (let level = 1; level <= depth; level += 1)
        outer = new Agent({
          name: `outer_${level}`,
          logger: quiet,
          clock,
          store,
          tools: [outer.asTool({ name: "ask_payer", description: "Pays." })],
          model: scriptedModel(({ messages }) =>
            messages.at(-1)?.role === "tool"
              ? "Done."
              : { toolCalls: [{ name: "ask_payer", arguments: { input: "go" } }] },
          ),
        });
      return outer;
    };
    const second = await version().run("go");
    expect(second).toMatchObject({ status: "sleeping" });
    // The key is still held: the run sleeps again.
    expect(await version().resume(second.runId)).toMatchObject({ status: "sleeping" });
    await agent("asks").resume(holder.runId, answer(holder.interruptions, "main"));
    expect(await version().resume(second.runId)).toMatchObject({ status: "completed" });
    expect(paid).toHaveLength(1);
  },
);

test("resume() of an outer run leaves an inner run asleep that waits for a time [run.durable-sleep.nested]", async () => {
  const { clock, store, agent, paid } = setting();
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    clock,
    store,
    tools: [agent("sleeps").asTool({ name: "ask_payer", description: "Pays." })],
    model: scriptedModel(({ messages }) =>
      messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "ask_payer", arguments: { input: "go" } }] },
    ),
  });
  const sleeping = await outer.run("go");
  const count = async (): Promise<number> =>
    (await outer.inspect(sleeping.runId)).events.filter(({ type }) => type === "child.suspended").length;
  const before = await count();
  expect(await outer.resume(sleeping.runId)).toMatchObject({ status: "sleeping", wakeAt: sleeping.wakeAt });
  expect([await count(), paid]).toEqual([before, []]);
});

test("two calls of a turn share a key: the second waits while the first one asks a person [seams.store.ledger.asleep]", async () => {
  const { clock, store, paid } = setting();
  const twice = { toolCalls: [...payCall.toolCalls, ...payCall.toolCalls] };
  const agent = new Agent({
    name: "payer",
    logger: quiet,
    clock,
    store,
    tools: [payTool(paid, "asks")],
    model: scriptedModel(({ messages }) => (messages.at(-1)?.role === "tool" ? "Done." : twice)),
  });
  const first = await agent.run("go");
  const again = await agent.resume(first.runId);
  expect(again).toMatchObject({ status: "suspended", stopReason: "awaiting_answer" });
  expect(again.interruptions).toHaveLength(1);
  const ended = await agent.resume(first.runId, answer(again.interruptions, "main"));
  expect(ended).toMatchObject({ status: "completed", toolCalls: [{ isError: false }, { deduplicated: true }] });
  expect(paid).toHaveLength(1);
});

test("a call inside the call that holds the same key fails at once: it would wait for itself [seams.store.ledger.asleep]", async () => {
  const { clock, store, paid, agent } = setting();
  const inner = agent();
  const payTwice = tool({
    ...(payTool(paid, undefined) as Parameters<typeof tool>[0]),
    execute: async (_input, ctx) => {
      const { toolCalls } = await inner.run("go", ctx.runOptions);
      return toolCalls.map(({ error }) => error?.code ?? "paid").join(", ");
    },
  });
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    clock,
    store,
    tools: [payTwice],
    model: scriptedModel(({ messages }) => (messages.at(-1)?.role === "tool" ? "Done." : payCall)),
  });
  expect((await outer.run("go")).toolCalls).toMatchObject([{ output: "IDEMPOTENCY_IN_PROGRESS" }]);
  expect(paid).toEqual([]);
});

test("with a separate ledger, the run that holds a key may be in another store: its call is awaited until the key expires [seams.store.ledger.elsewhere]", async () => {
  const clock = handClock();
  // Time passes only while a call waits for the key.
  clock.setTimer = (callback, delayMs, options) => {
    if (options?.keepAlive === true) setImmediate(() => (clock.pass(delayMs), callback()));
    return () => undefined;
  };
  const { ledger } = memoryStore({ clock });
  const paid: string[] = [];
  const agentOf = (store: RunStore, wait?: Wait): Agent =>
    new Agent({
      name: "payer",
      logger: quiet,
      clock,
      store,
      ledger,
      tools: [tool({ ...(payTool(paid, wait) as Parameters<typeof tool>[0]), timeoutMs: 1, idempotencyTtlMs: 4_000 })],
      leaseMs: 1_000,
      model: scriptedModel(({ messages }) => (messages.at(-1)?.role === "tool" ? "Done." : payCall)),
    });
  const [one, two] = [memoryStore({ clock }), memoryStore({ clock })];
  const holder = await agentOf(one, "asks").run("go");
  expect(holder.status).toBe("suspended");
  const second = await agentOf(two).run("go");
  expect(second).toMatchObject({ status: "sleeping" });
  expect(second.warnings.at(-1)?.message).toContain("is not in the store of this run");
  clock.pass((second.wakeAt ?? 0) - clock.now());
  expect(await drivenNow(agentOf(two))).toMatchObject([{ status: "completed", toolCalls: [{ isError: false }] }]);
  const late = await agentOf(one, "asks").resume(holder.runId, answer(holder.interruptions, "savings"));
  expect(late.toolCalls).toMatchObject([{ output: "paid from main", deduplicated: true }]);
  expect(paid).toHaveLength(1);
});

test("with a separate ledger, a result reaches runs of other stores, and a failed write of it stops the run before it ends [seams.store.ledger.elsewhere]", async () => {
  const { ledger } = memoryStore();
  const paid: string[] = [];
  const agentOn = (bill: number, more: Partial<typeof ledger> = {}): Agent =>
    new Agent({
      name: "payer",
      logger: quiet,
      store: memoryStore(),
      ledger: { ...ledger, ...more },
      tools: [payTool(paid, undefined)],
      model: scriptedModel(({ messages }) =>
        messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "pay", arguments: { bill } }] },
      ),
    });
  expect((await agentOn(7).run("go")).toolCalls).toMatchObject([{ output: "paid from main" }]);
  expect((await agentOn(7).run("go")).toolCalls).toMatchObject([{ output: "paid from main", deduplicated: true }]);
  expect(paid).toHaveLength(1);
  const away = agentOn(8, { put: () => Promise.reject(new Error("The ledger is away.")) });
  await expect(away.run("go")).rejects.toMatchObject({ code: "JOURNAL_UNAVAILABLE" });
});
