import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEnded, memoryStore, tool, type Clock, type Decision, type RunStore } from "@bailiwick/core";
import { sqliteStore } from "@bailiwick/store-sqlite";
import { faultyStore, scriptedModel, type StoreCall } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failureOf, quiet } from "../fixtures.test.helper.ts";
import { asking, clerkOf, deskOf, holders } from "../inside.test.helper.ts";
import { Agent } from "../../src/index.ts";

const stores: Readonly<Record<string, (clock?: Clock) => RunStore>> = {
  memory: (clock) => memoryStore({ clock }),
  SQLite: () => sqliteStore({ path: join(mkdtempSync(join(tmpdir(), "inside-")), "runs.db"), logger: quiet }),
};

test.each(Object.entries(stores))(
  "runs inside a cancelled run are cancelled in a %s store, at any depth, and ask nothing [owner.lists.ended-inside]",
  async (_kind, open) => {
    const store = open();
    let paid = 0;
    const pay = tool({
      name: "pay",
      description: "Pays.",
      inputSchema: z.object({}),
      sideEffectClass: "external-stateful",
      needsApproval: true,
      execute: () => (paid += 1),
    });
    const common = { description: "Helps.", store, logger: quiet } as const;
    const call = (name: string, args: object = { input: "go" }) => ({ toolCalls: [{ name, arguments: args }] });
    const inner = new Agent({ ...common, name: "inner", model: scriptedModel([call("pay", {})]), tools: [pay] });
    const middle = new Agent({
      ...common,
      name: "middle",
      model: scriptedModel([call("inner")]),
      tools: [inner.asTool()],
    });
    const outer = new Agent({
      ...common,
      name: "outer",
      model: scriptedModel([call("middle")]),
      tools: [middle.asTool()],
    });
    const { runId, status, interruptions } = await outer.run("go");
    expect(status).toBe("suspended");
    const runs = await store.listRuns({});
    expect(runs.map(({ state }) => state)).toEqual(["suspended", "suspended", "suspended"]);
    await outer.cancel(runId);
    const after = await store.listRuns({});
    expect(after.map(({ state }) => state)).toEqual(["cancelled", "cancelled", "cancelled"]);
    const innerId = after.find(({ agentId }) => agentId === "inner")?.id ?? "";
    expect(await inner.interruptions(innerId)).toEqual([]);
    expect(await inner.inspect(innerId)).toMatchObject({
      output: { status: "cancelled", stopReason: "cancelled", interruptions: [] },
      interruptions: [],
    });
    expect(await failureOf(inner.resume(innerId))).toMatchObject({ code: "RUN_HAS_PARENT" });
    const approvals = interruptions.flatMap((asked) => (asked.kind === "approval" ? [asked.approve()] : []));
    expect(await failureOf(outer.resume(runId, approvals))).toMatchObject({ code: "QUESTION_CLOSED" });
    expect(paid).toBe(0);
    await store.close?.();
  },
);

test("all runs inside a cancelled run are cancelled, on each page of them [owner.lists.ended-inside]", async () => {
  const whole = memoryStore();
  // Pages of one run take the place of thousands of runs.
  const store = new Proxy(whole, {
    get: (target, name: keyof RunStore) =>
      name === "searchRuns"
        ? (search: Parameters<RunStore["searchRuns"]>[0]) => target.searchRuns({ ...search, limit: 1 })
        : target[name],
  });
  const ask = tool({
    name: "ask",
    description: "Asks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => ctx.ask({ question: "Which?", schema: z.string() }),
  });
  const inner = new Agent({
    name: "inner",
    description: "Helps.",
    logger: quiet,
    tools: [ask],
    model: scriptedModel(() => ({ toolCalls: [{ name: "ask", arguments: {} }] })),
  });
  const call = { name: "inner", arguments: { input: "go" } };
  const outer = new Agent({
    name: "outer",
    logger: quiet,
    store,
    tools: [inner.asTool()],
    model: scriptedModel([{ toolCalls: [call, call, call, call, call] }]),
  });
  const { runId } = await outer.run("go");
  await outer.cancel(runId);
  expect((await whole.listRuns({})).map(({ state }) => state)).toEqual(Array.from({ length: 6 }, () => "cancelled"));
});

/** A clock that the test moves. */
function movedClock(): Clock & { readonly move: (ms: number) => void } {
  let passed = 0;
  return { now: () => Date.now() + passed, setTimer: () => () => undefined, move: (ms) => void (passed += ms) };
}

const hour = 3_600_000;

interface Waiting {
  readonly runId: string;
  readonly store: RunStore;
  /** The agent in the next process. */
  readonly desk: (options?: Partial<ConstructorParameters<typeof Agent>[0]>, store?: RunStore) => Agent;
  readonly answers: readonly Decision[];
  readonly clock: ReturnType<typeof movedClock>;
}

const refused = (): never => {
  throw new Error("The store is not reachable.");
};

const final = { toolUseBehavior: () => ({ isFinalOutput: true, finalOutput: "Done." }) } as const;

/** The process that completes the run dies at its first call of an operation, and the next process finds the run. */
async function diesAt(operation: string, { desk, runId, store, clock }: Waiting): Promise<void> {
  const isIt = (call: StoreCall): boolean =>
    call.operation === operation &&
    (operation !== "release" || (call.args[0] as { readonly runId?: string }).runId === runId);
  const dying = faultyStore(store, (call) => (isIt(call) ? { crash: true } : undefined));
  const lives = desk(final, dying)
    .resume(runId)
    .catch(() => undefined);
  await Promise.race([dying.crashed, lives]);
  clock.move(hour / 60);
  // SQLite keeps its own time: the next process knows that this one is gone.
  await desk().resume(runId, [], { formerIsGone: true });
}

/** A store of which one operation fails once. */
function failsOnce(operation: string, store: RunStore): RunStore {
  let failed = false;
  return faultyStore(store, (call) => {
    if (failed || call.operation !== operation) return undefined;
    failed = true;
    return { error: new Error("The store is not reachable.") };
  });
}

/** Ends of a run that waits for a run inside it, and its status then. */
const ends: Readonly<Record<string, readonly [status: string, end: (waiting: Waiting) => Promise<unknown>]>> = {
  "a cancellation": ["cancelled", ({ desk, runId }) => desk().cancel(runId)],
  "its deadline": [
    "failed",
    async ({ desk, runId, clock }) => {
      clock.move(2 * hour);
      expect(await failureOf(desk().resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
    },
  ],
  "an extension that refuses the call": [
    "completed",
    ({ desk, runId, answers }) =>
      desk({
        extensions: [{ name: "closed", gate: ({ toolName }) => (toolName === "act" ? undefined : { refuse: "no" }) }],
      }).resume(runId, answers),
  ],
  "a stop after its extension refused the call": [
    "stopped",
    ({ desk, runId, answers }) =>
      desk({
        extensions: [{ name: "closed", gate: ({ toolName }) => (toolName === "act" ? undefined : { refuse: "no" }) }],
        stopWhen: () => true,
      }).resume(runId, answers),
  ],
  "toolUseBehavior that ends it": ["completed", async ({ desk, runId }) => desk(final).resume(runId)],
  "a process that dies before it looks for runs inside": ["completed", (waiting) => diesAt("searchRuns", waiting)],
  "a process that dies before it released the run": ["completed", (waiting) => diesAt("release", waiting)],
  "a cancellation while the store fails once": [
    "cancelled",
    async ({ desk, runId, store }) => {
      await desk({}, failsOnce("searchRuns", store))
        .cancel(runId)
        .catch(() => undefined);
      await desk().cancel(runId);
    },
  ],
  "its deadline while the store fails once": [
    "failed",
    async ({ desk, runId, store, clock }) => {
      clock.move(2 * hour);
      await failureOf(desk({}, failsOnce("searchRuns", store)).resume(runId));
      expect(await failureOf(desk().resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
    },
  ],
};

async function expectNoneOpen(kind: string, hold: (typeof holders)[string], end: string): Promise<void> {
  const [status, finish] = ends[end] ?? refused();
  const clock = movedClock();
  const store = stores[kind]?.(clock) ?? refused();
  const act = asking["an approval"]?.() ?? refused();
  const desk: Waiting["desk"] = (options = {}, own = store) =>
    deskOf(hold(clerkOf(act)), { store: own, clock, flow: "off", ...options });
  const { runId, interruptions } = await desk().run("Go.", { deadlineAt: clock.now() + hour });
  expect(interruptions).toHaveLength(1);
  const answers = interruptions.map(({ id }) => ({ id, type: "reject" as const }));
  await finish({ runId, store, desk, answers, clock });
  const runs = await store.listRuns({});
  expect(runs.find(({ id }) => id === runId)?.state).toBe(status);
  expect(runs.filter(({ state }) => !isEnded(state))).toEqual([]);
  for (const { id } of runs) expect(await desk().interruptions(id)).toEqual([]);
  await store.close?.();
}

describe.each(Object.entries(holders))("a run that waits for an agent inside %s", (_how, hold) => {
  test.each(Object.keys(ends))("leaves none open when it ends by %s [owner.lists.ended-inside]", async (end) => {
    await expectNoneOpen("memory", hold, end);
  });
});

test.each([
  ["a pipeline in an attempt", "its deadline"],
  ["code mode", "a process that dies before it looks for runs inside"],
])(
  "in SQLite, a run that waits inside %s leaves none open when it ends by %s [owner.lists.ended-inside]",
  async (how, end) => {
    await expectNoneOpen("SQLite", holders[how] ?? refused(), end);
  },
);

describe("a run that fails while an agent inside its call waits", () => {
  const failing = (sideEffectClass: "read-only" | "external-stateful") => {
    const clock = movedClock();
    const store = memoryStore({ clock });
    const clerk = clerkOf(asking["an answer"]?.() ?? refused());
    const office = tool({
      name: "office",
      description: "Asks the clerk.",
      inputSchema: z.object({ input: z.string() }),
      sideEffectClass,
      execute: async ({ input }, ctx) => (await clerk.run(input, ctx.runOptions)).text,
    });
    const desk = (options: object = {}): Agent =>
      deskOf({ call: "office", tools: [office] }, { store, clock, flow: "off", ...options });
    return {
      clock,
      desk,
      states: async (): Promise<object> =>
        Object.fromEntries((await store.listRuns({})).map(({ agentId, state }) => [agentId, state])),
      fail: async (): Promise<string> => {
        const options = { deadlineAt: clock.now() + hour };
        const error = await failureOf(desk({ toolUseBehavior: refused }).run("Go.", options));
        return (error as { readonly runId?: string }).runId ?? "";
      },
    };
  };

  test("ends that agent's run if the call got its result [owner.lists.ended-inside]", async () => {
    const { states, fail } = failing("read-only");
    await fail();
    expect(await states()).toEqual({ clerk: "cancelled", desk: "failed" });
  });

  test("keeps it if the run can continue the call: the question can be answered [owner.lists.ended-inside]", async () => {
    const { desk, states, fail } = failing("external-stateful");
    const runId = await fail();
    expect(await states()).toEqual({ clerk: "suspended", desk: "failed" });
    const [asked] = (await desk().resume(runId)).interruptions;
    const output = await desk().resume(runId, [{ id: asked?.id ?? "", type: "answer", value: "this one" }]);
    expect(output).toMatchObject({ status: "completed", text: "The desk continues." });
    expect(await states()).toEqual({ clerk: "completed", desk: "completed" });
  });

  test("keeps it until the deadline of the run [owner.lists.ended-inside]", async () => {
    const { clock, desk, states, fail } = failing("external-stateful");
    const runId = await fail();
    clock.move(2 * hour);
    expect(await failureOf(desk().resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
    expect(await states()).toEqual({ clerk: "cancelled", desk: "failed" });
  });
});
