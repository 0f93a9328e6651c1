import { Agent, memorySessions, memoryStore, tool } from "@bailiwick/agent";
import type { SessionStore } from "@bailiwick/agent";
import { foldJournal } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const base = { name: "agent", logger: quiet };
const session = { sessionId: "s", userId: "ada" };

type Context = Parameters<NonNullable<Parameters<typeof tool>[0]["execute"]>>[1];

/** A tool that uses the session's state. */
const doing = (name: string, execute: (ctx: Context) => unknown) =>
  tool({
    name,
    description: name,
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    execute: (_input, ctx) => execute(ctx),
  });

const calling = (name: string) =>
  scriptedModel((request) => (request.messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name }] }));

test("updateState() applies the change to the newest value, journals it, and every run of the session sees it at once [state.update]", async () => {
  const sessions = memorySessions();
  const seen: unknown[] = [];
  const count = doing("count", async (ctx) => {
    await sessions.writeState("s", [{ key: "n", value: 41, expected: undefined }], { userId: "ada", runId: "other" });
    seen.push(
      await ctx.updateState<number>("n", (n = 0) => n + 1),
      ctx.getState("n"),
      await sessions.loadState("s", session),
    );
  });
  const agent = new Agent({ ...base, model: calling("count"), tools: [count], session: sessions });
  const output = await agent.run("go", session);
  expect([seen, output.warnings]).toEqual([[42, 42, { n: 42 }], []]);
  const { events } = await agent.inspect(output.runId);
  expect(events.filter(({ type }) => type === "state.changed")).toMatchObject([{ stateKey: "n", value: 42 }]);
});

test("updateState() in a repeated attempt is applied once [state.update]", async () => {
  const sessions = memorySessions();
  const once = doing("once", async (ctx) => {
    await ctx.updateState<number>("n", (n = 0) => n + 1);
    await ctx.updateState<number>("n", (n = 0) => n + 10);
    if (ctx.attempt < 3) throw new Error("again");
  });
  const retried = { ...once, retry: { maxAttempts: 3, initialDelayMs: 1 } };
  const agent = new Agent({ ...base, model: calling("once"), tools: [retried], session: sessions });
  await agent.run("go", session);
  expect(await sessions.loadState("s", session)).toEqual({ n: 11 });
});

test("updateState() after setState() in the same run starts from the set value [state.update]", async () => {
  const sessions = memorySessions();
  const both = doing("both", async (ctx) => {
    ctx.setState("n", 5);
    return ctx.updateState<number>("n", (n = 0) => n * 2);
  });
  const output = await new Agent({ ...base, model: calling("both"), tools: [both], session: sessions }).run(
    "go",
    session,
  );
  expect([await sessions.loadState("s", session), output.warnings]).toEqual([{ n: 10 }, []]);
});

test("updateState() refuses a promise, and the rejection of that promise does not end the process [state.update] [state.json]", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  const late = doing("late", async (ctx) => {
    await ctx.updateState<unknown>("n", () => Promise.reject(new Error("boom")));
  });
  const output = await new Agent({ ...base, model: calling("late"), tools: [late] }).run("go");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  expect(output.toolCalls[0]).toMatchObject({
    isError: true,
    error: { message: expect.stringContaining("was given a Promise") as string },
  });
  expect(unhandled).toEqual([]);
});

test("a run without a session keeps its state private [state.update]", async () => {
  const both = doing("both", async (ctx) => {
    ctx.setState("n", 5);
    return ctx.updateState<number>("n", (n = 0) => n * 2);
  });
  const output = await new Agent({ ...base, model: calling("both"), tools: [both] }).run("go");
  expect(output.toolCalls[0]).toMatchObject({ output: 10 });
});

test("runs of one session that change different keys lose no change and cause no conflict [state.per-key]", async () => {
  const sessions = memorySessions();
  const open: (() => void)[] = [];
  const waiting = (key: string) =>
    new Agent({
      ...base,
      session: sessions,
      model: calling("set"),
      tools: [
        doing("set", async (ctx) => {
          ctx.setState(key, key);
          await new Promise<void>((resolve) => void (open.push(resolve) === 3 && open.forEach((each) => each())));
        }),
      ],
    }).run("go", session);
  const outputs = await Promise.all(["a", "b", "c"].map(waiting));
  expect(await sessions.loadState("s", session)).toEqual({ a: "a", b: "b", c: "c" });
  expect(outputs.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test("setState() saves the values of a failed run, once, and the resumed run continues from them [state.saved]", async () => {
  const store = memoryStore();
  const { sessions } = store;
  let fails = true;
  const set = doing("set", (ctx) => ctx.setState("n", (ctx.getState<number>("n") ?? 0) + 1));
  const model = scriptedModel((request) => {
    if (request.messages.at(-1)?.role !== "tool") return { toolCalls: [{ name: "set" }] };
    if (fails) throw new Error("down");
    return "Done.";
  });
  const agent = new Agent({
    ...base,
    model,
    tools: [set],
    store,
    session: sessions,
    retry: { maxRetries: 0 },
  });
  const failed = await agent.run("go", session).catch((error: unknown) => error as { runId: string });
  expect(await sessions?.loadState("s", session)).toEqual({ n: 1 });
  fails = false;
  const output = await agent.resume(failed.runId);
  expect([output.status, output.warnings, await sessions?.loadState("s", session)]).toEqual([
    "completed",
    [],
    { n: 1 },
  ]);
});

test("a run fails if the store fails to save its state, and a resume saves it [state.saved]", async () => {
  const store = memoryStore();
  const sessions = store.sessions;
  let broken = true;
  const failing: SessionStore = {
    ...sessions,
    writeState: (...args) => (broken ? Promise.reject(new Error("disk")) : sessions.writeState(...args)),
  };
  const set = doing("set", (ctx) => ctx.setState("n", 1));
  const agent = new Agent({ ...base, model: calling("set"), tools: [set], store, session: failing });
  const failed = await agent.run("go", session).catch((error: unknown) => error as Error & { runId: string });
  expect(failed).toMatchObject({ message: expect.stringContaining("disk") as string });
  broken = false;
  expect((await agent.resume((failed as { runId: string }).runId)).status).toBe("completed");
  expect(await sessions.loadState("s", session)).toEqual({ n: 1 });
});

test("state set after a handoff belongs to the session, and both agents read each other's values [state.handoff]", async () => {
  const sessions = memorySessions();
  await sessions.append("s", [], { ...session, runId: "r0", seq: 1, state: { plan: "gold", total: 1 } });
  const seen: unknown[] = [];
  const write = doing("write", async (ctx) => {
    seen.push(ctx.sessionState);
    ctx.setState("by", "billing");
    await ctx.updateState<number>("total", (total = 0) => total + 1);
  });
  const bill = scriptedModel([{ toolCalls: [{ name: "write" }] }, "done"]);
  const billing = new Agent({ ...base, name: "billing", model: bill, tools: [write] });
  const prepare = doing("prepare", (ctx) => ctx.setState("prepared", true));
  const front = scriptedModel([{ toolCalls: [{ name: "prepare" }] }, { toolCalls: [{ name: "transfer_to_billing" }] }]);
  const agent = new Agent({
    ...base,
    name: "front",
    model: front,
    tools: [prepare],
    handoffs: [billing],
    session: sessions,
  });
  const output = await agent.run("refund me", session);
  expect([output.status, output.warnings]).toEqual(["completed", []]);
  expect(seen).toEqual([{ plan: "gold", total: 1, prepared: true }]);
  const stored = await sessions.loadState("s", session);
  expect(stored).toEqual({ plan: "gold", total: 2, prepared: true, by: "billing" });
  const { sessionState } = foldJournal((await agent.inspect(output.runId)).events);
  expect(sessionState).toMatchObject({ total: 2, by: "billing" });
});

const lossy: readonly (readonly [unknown, string])[] = [
  [new Map([["a", 1]]), "a Map"],
  [new Set([1]), "a Set"],
  [/x/u, "a RegExp"],
  [new Error("e"), "an Error"],
  [new Uint8Array([1]), "bytes of Uint8Array"],
  [new ArrayBuffer(1), "bytes of ArrayBuffer"],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "Infinity"],
  [new Date(0), "a Date"],
  [new URL("https://example.com"), "a URL"],
  [1n, "a bigint"],
  [() => 1, "a function"],
  [Symbol("s"), "a symbol"],
  [[undefined], "undefined"],
  [{ [Symbol("s")]: 1 }, "a member whose name is a symbol"],
  [{ toJSON: () => 1 }, "toJSON"],
  [
    new (class Money {
      readonly cents = 1;
    })(),
    "a Money",
  ],
];

test.each(lossy)("metadata, variables and state refuse %s with its path [state.json]", async (value, named) => {
  const sessions = memorySessions();
  const set = doing("set", (ctx) => ctx.setState("k", { deep: [value] }));
  const update = doing("update", (ctx) => ctx.updateState("k", () => ({ deep: [value] })));
  const agent = (name: string) => new Agent({ ...base, model: calling(name), tools: [set, update], session: sessions });
  for (const options of [{ metadata: { deep: [value] } }, { extraVars: { deep: [value] } }]) {
    const refused = agent("set").run("go", { ...session, ...options });
    await expect(refused).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(named) as string,
    });
    await expect(refused).rejects.toThrow("deep[0]");
  }
  for (const name of ["set", "update"]) {
    const { toolCalls } = await agent(name).run("go", session);
    expect(toolCalls[0]).toMatchObject({ isError: true, error: { message: expect.stringContaining(named) as string } });
    expect(JSON.stringify(toolCalls)).toContain("deep[0]");
  }
  expect(await sessions.loadState("s", session)).toEqual({});
});

test.each(lossy)(
  "arguments from a hook, a guardrail or an approver refuse %s with its path [state.json]",
  async (value, named) => {
    let ran = 0;
    const act = tool({
      name: "act",
      description: "Acts.",
      inputSchema: z.object({ deep: z.any() }),
      sideEffectClass: "pure",
      execute: () => void (ran += 1),
    });
    const model = (): ReturnType<typeof scriptedModel> =>
      scriptedModel((request) =>
        request.messages.at(-1)?.role === "tool" ? "Done." : { toolCalls: [{ name: "act", arguments: { deep: 1 } }] },
      );
    const args = { deep: [value] };
    const changing = [
      { loopHooks: { beforeToolExec: () => ({ args }) } },
      { guardrails: { toolInput: [{ name: "g", validate: () => ({ pass: true as const, replace: args }) }] } },
      { approval: { policy: "all" as const, onApproval: () => ({ approved: true, args }) } },
    ];
    for (const settings of changing) {
      const { toolCalls } = await new Agent({ ...base, model: model(), tools: [act], ...settings }).run("go");
      expect(toolCalls[0]).toMatchObject({
        isError: true,
        error: { message: expect.stringContaining(named) as string },
      });
      expect(JSON.stringify(toolCalls[0])).toContain("deep[0]");
    }
    const asking = new Agent({ ...base, model: model(), tools: [act], approval: { policy: "all" } });
    const { runId, interruptions } = await asking.run("go");
    const edited = asking.resume(
      runId,
      interruptions.map((asked) => asked.approve({ args })),
    );
    await expect(edited).rejects.toMatchObject({
      code: "EDIT_INVALID",
      message: expect.stringContaining(named) as string,
    });
    await expect(edited).rejects.toThrow("deep[0]");
    expect(await asking.interruptions(runId)).toHaveLength(1);
    expect(ran).toBe(0);
  },
);

test("an assignment to ctx.sessionState throws, and names setState() and updateState() [messages.run-context.assignment]", async () => {
  const failures: unknown[] = [];
  const attempt = (write: () => void): void => {
    try {
      write();
      failures.push(undefined);
    } catch (error) {
      failures.push(error);
    }
  };
  const shown: unknown[] = [];
  const assign = doing("assign", (ctx) => {
    ctx.setState("visits", { count: 1 });
    const state = ctx.sessionState as Record<string, { count: number }>;
    attempt(() => (state["visits"] = { count: 2 }));
    attempt(() => (state["other"] = { count: 2 }));
    shown.push(structuredClone(ctx.sessionState), { ...ctx.sessionState }, JSON.stringify(ctx.sessionState));
    attempt(() => ((state["visits"] as { count: number }).count = 2));
    return ctx.getState("visits");
  });
  const output = await new Agent({ ...base, model: calling("assign"), tools: [assign] }).run("go", session);
  expect(output.toolCalls[0]?.output).toEqual({ count: 1 });
  expect(shown).toEqual([{ visits: { count: 1 } }, { visits: { count: 1 } }, '{"visits":{"count":1}}']);
  const refused = { code: "STATE_READ_ONLY", message: expect.stringContaining("ctx.setState(") };
  expect(failures).toMatchObject([refused, refused, { name: "TypeError" }]);
});

test("any value that metadata and state accept reads back the same in another process [state.json]", async () => {
  const anything = fc.anything({
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withBigInt: true,
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), anything), async (value) => {
      const store = memoryStore();
      const set = doing("set", (ctx) => ctx.setState("k", value));
      const sessions = store.sessions;
      const agent = new Agent({ ...base, model: calling("set"), tools: [set], store, session: sessions });
      const output = await agent.run("go", { ...session, metadata: { value } }).catch(() => undefined);
      if (output === undefined || output.toolCalls[0]?.isError === true) return;
      const [start] = (await agent.inspect(output.runId)).events;
      const stored = JSON.parse(JSON.stringify([start, await sessions.loadState("s", session)])) as [
        { metadata: { value: unknown } },
        { k: unknown },
      ];
      const given = withoutUndefined(value);
      expect([stored[0].metadata.value, stored[1].k]).toEqual([given, given]);
    }),
    { numRuns: 150 },
  );
});

/** A value without undefined members, and with 0 for -0, which code cannot distinguish. */
function withoutUndefined(value: unknown): unknown {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutUndefined(member)]));
}
