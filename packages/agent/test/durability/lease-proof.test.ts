import {
  clientTool,
  createAgentRuntime,
  FencedError,
  memoryStore,
  StoreError,
  tool,
  type AgentOptions,
  type Clock,
  type Lease,
  type RunStore,
  type Tool,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { codeMode } from "../../src/code-mode.ts";
import { pipeline } from "../../src/compose.ts";
import { openAgent } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const leaseMs = 30_000;

/** Two processes with one clock, which tests set. Only short timers run: those of renewals do not, as in a paused process. */
function world(): { clock: Clock; disk: RunStore; pass: (ms: number) => void; effects: string[] } {
  let now = 1_000_000;
  const clock: Clock = {
    now: () => now,
    setTimer: (run, ms) => {
      if (ms < 1_000) setImmediate(run);
      return () => undefined;
    },
  };
  return { clock, disk: memoryStore({ clock }), pass: (ms) => void (now += ms), effects: [] };
}

/** A store whose method `name` answers a call that matches only after `until` settles. */
function heldBack(
  store: RunStore,
  name: keyof RunStore,
  matches: (given: readonly unknown[]) => boolean,
  until: () => Promise<void>,
): RunStore {
  return new Proxy(store, {
    get(target, key: keyof RunStore) {
      const own: unknown = target[key];
      if (typeof own !== "function") return own;
      if (key !== name) return (own as (...given: unknown[]) => unknown).bind(target);
      return async (...given: readonly unknown[]) => {
        const answer: unknown = await Reflect.apply(own, target, given);
        if (matches(given)) await until();
        return answer;
      };
    },
  });
}

function gate(): { reached: Promise<void>; stop: () => Promise<void>; open: () => void } {
  let open = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((done) => (open = done));
  const reached = new Promise<void>((done) => (arrive = done));
  return { reached, open: () => open(), stop: () => (arrive(), opened) };
}

const hasIntent = (given: readonly unknown[]): boolean => JSON.stringify(given).includes('"tool.intent"');

type Make = (who: string, parts: { pay: Tool; options: Partial<AgentOptions> }) => Agent;

const paying = (turns = 1) =>
  scriptedModel(({ toolResults }) =>
    toolResults.length >= turns
      ? "Done."
      : { toolCalls: Array.from({ length: turns }, () => ({ name: "pay", arguments: {} })) },
  );

const alone: Make = (_who, { pay, options }) => new Agent({ ...openAgent, ...options, model: paying(), tools: [pay] });

/** Every shape in which a run makes an effect, and the number of effects. */
const shapes: Readonly<Record<string, { readonly make: Make; readonly effects?: number }>> = {
  "one call": { make: alone },
  "parallel calls": {
    effects: 2,
    make: (_who, { pay, options }) => new Agent({ ...openAgent, ...options, model: paying(2), tools: [pay] }),
  },
  "an approved call": {
    make: (_who, { pay, options }) =>
      new Agent({ ...openAgent, ...options, model: paying(), tools: [{ ...pay, needsApproval: true }] }),
  },
  "an agent inside": {
    make: (who, parts) =>
      new Agent({
        ...openAgent,
        ...parts.options,
        name: "outer",
        model: scriptedModel(({ toolResults }) =>
          toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "agent", arguments: { input: "Pay." } }] },
        ),
        tools: [alone(who, parts).asTool()],
      }),
  },
};

const program = 'await tools.pay({}); return "paid";';

const everyShape: typeof shapes = {
  ...shapes,
  "a program in code mode": {
    make: (_who, { pay, options }) =>
      new Agent({
        ...openAgent,
        ...options,
        model: scriptedModel(({ toolResults }) =>
          toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "run_code", arguments: { code: program } }] },
        ),
        tools: [codeMode({ tools: [pay] })],
      }),
  },
  "a composition": {
    make: (who, parts) =>
      new Agent({
        ...openAgent,
        ...parts.options,
        name: "outer",
        model: scriptedModel(({ toolResults }) =>
          toolResults.length > 0 ? "Done." : { toolCalls: [{ name: "line", arguments: { input: "Pay." } }] },
        ),
        tools: [pipeline({ name: "line", store: parts.options.store }, alone(who, parts)).asTool()],
      }),
  },
};

const payment = (who: string, effects: string[], more: Partial<Tool> = {}): Tool => ({
  ...tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    execute: () => {
      effects.push(who);
      return "paid";
    },
  }),
  ...more,
});

test.each(Object.keys(everyShape))(
  "a process that is paused between the intent and the start of a tool makes no effect after another took its run over: %s [effects.lease-proven]",
  async (name) => {
    const { make, effects: expected = 1 } = everyShape[name]!;
    const { clock, disk, pass, effects } = world();
    const still = gate();
    const process = (who: string, store: RunStore): Agent =>
      make(who, { pay: payment(who, effects), options: { store, clock, leaseMs } });
    const second = process("second", disk);
    const { runId } = await second.enqueue("Pay.");
    const paused = process("first", heldBack(disk, "append", hasIntent, still.stop));
    let started = paused.resume(runId);
    if (name === "an approved call") {
      const { interruptions } = await started;
      started = paused.resume(
        runId,
        interruptions.map((one) => one.approve()),
      );
    }
    const first = started.catch((error: unknown) => error);
    await still.reached;
    pass(3 * leaseMs + 1);
    let output = await second.resume(runId);
    for (let round = 0; output.status !== "completed" && round < 5; round += 1) {
      // The attempt has used up its approval, so the next one is asked about again.
      const kind = round === 0 ? "unknown_outcome" : "approval";
      expect(output.interruptions.map((one) => one.kind)).toEqual(Array<string>(expected).fill(kind));
      output = await second.resume(
        runId,
        output.interruptions.map((one) => (kind === "approval" ? one.approve() : one.itDidNotHappen())),
      );
    }
    expect(effects).toEqual(Array<string>(expected).fill("second"));
    still.open();
    await first;
    expect(effects).toEqual(Array<string>(expected).fill("second"));
  },
);

test("a lease counts from the moment when it was asked for, however late the answer arrives [effects.lease-proven]", async () => {
  const { clock, disk, pass, effects } = world();
  const still = gate();
  // The answer of `acquire` is late by 0.9 leases. Counted from the answer, the lease would be valid for longer than it is.
  const late = heldBack(
    disk,
    "acquire",
    () => true,
    async () => pass(0.9 * leaseMs),
  );
  const agent = (who: string, store: RunStore): Agent =>
    alone(who, { pay: payment(who, effects), options: { store, clock, leaseMs } });
  const second = agent("second", disk);
  const { runId } = await second.enqueue("Pay.");
  const first = agent("first", heldBack(late, "append", hasIntent, still.stop))
    .resume(runId)
    .catch((error: unknown) => error);
  await still.reached;
  pass(0.2 * leaseMs);
  const question = await second.resume(runId);
  expect(question.interruptions).toMatchObject([{ kind: "unknown_outcome" }]);
  expect(question.interruptions[0]?.question.reason).toContain("The process was last heard at 1970-01-01T00:");
  still.open();
  await first;
  expect(effects).toEqual([]);
});

test("a process that held its lease all the time proves it by a renewal and makes the effect once [effects.lease-proven]", async () => {
  const { clock, disk, pass, effects } = world();
  let renewals = 0;
  const counted = heldBack(
    disk,
    "renew",
    () => true,
    async () => void (renewals += 1),
  );
  const slow = heldBack(counted, "append", hasIntent, async () => pass(0.7 * leaseMs));
  const agent = alone("only", { pay: payment("only", effects), options: { store: slow, clock, leaseMs } });
  expect((await agent.run("Pay.")).status).toBe("completed");
  expect([effects, renewals]).toEqual([["only"], 1]);
  const quick = alone("quick", { pay: payment("quick", effects), options: { store: counted, clock, leaseMs } });
  await quick.run("Pay.");
  expect([effects, renewals]).toEqual([["only", "quick"], 1]);
});

test("a renewal whose answer is late proves nothing: nothing runs, and the run is given back [effects.lease-proven]", async () => {
  const { clock, disk, pass, effects } = world();
  const lateAnswers = heldBack(
    disk,
    "renew",
    () => true,
    async () => pass(0.8 * leaseMs),
  );
  const slow = heldBack(lateAnswers, "append", hasIntent, async () => pass(0.7 * leaseMs));
  const agent = alone("slow", { pay: payment("slow", effects), options: { store: slow, clock, leaseMs } });
  await expect(agent.run("Pay.")).rejects.toMatchObject({ code: "RUN_HANDED_OVER", retryable: true });
  expect(effects).toEqual([]);
  expect(await disk.listRuns({})).toMatchObject([{ state: "queued" }]);
});

test("a call that waited for its turn starts only under a proven lease [effects.lease-proven]", async () => {
  const { clock, disk, pass, effects } = world();
  const still = gate();
  const agent = (who: string, slow?: () => Promise<void>): Agent =>
    new Agent({
      ...openAgent,
      store: disk,
      clock,
      leaseMs,
      toolConcurrency: 1,
      model: paying(2),
      tools: [payment(who, effects, { execute: async () => (effects.push(who), await slow?.(), "paid") })],
    });
  const second = agent("second");
  const { runId } = await second.enqueue("Pay.");
  const first = agent("first", still.stop)
    .resume(runId)
    .catch((error: unknown) => error);
  await still.reached;
  pass(3 * leaseMs + 1);
  const open = await second.resume(runId);
  expect(open.interruptions.map(({ kind }) => kind)).toEqual(["unknown_outcome"]);
  await second.resume(
    runId,
    open.interruptions.map((one) => one.itHappened("paid")),
  );
  still.open();
  expect(await first).toBeInstanceOf(FencedError);
  expect(effects).toEqual(["first", "second"]);
});

test("a call is handed to its client only under a proven lease, and the client gets it once [effects.lease-proven]", async () => {
  const { clock, disk, pass } = world();
  const still = gate();
  const agent = (store: RunStore): Agent =>
    new Agent({
      ...openAgent,
      store,
      clock,
      leaseMs,
      model: paying(),
      tools: [clientTool({ name: "pay", description: "Pays.", inputSchema: z.object({}) })],
    });
  const second = agent(disk);
  const { runId } = await second.enqueue("Pay.");
  const first = agent(heldBack(disk, "append", hasIntent, still.stop))
    .resume(runId)
    .catch((error: unknown) => error);
  await still.reached;
  pass(3 * leaseMs + 1);
  const open = await second.resume(runId);
  expect(open.interruptions.map(({ kind }) => kind)).toEqual(["client_tool"]);
  still.open();
  expect(await first).toBeInstanceOf(FencedError);
  const events = await disk.load(runId);
  expect(events.filter(({ type }) => type === "input.requested")).toHaveLength(1);
});

test.each(["does not answer the proof", "has lost the run"])(
  "a store that %s starts nothing, and the run is not ended by it [effects.lease-proven]",
  async (what) => {
    const { clock, disk, pass, effects } = world();
    const broken = new Proxy(disk, {
      get(target, key: keyof RunStore) {
        const own: unknown = target[key];
        if (typeof own !== "function") return own;
        if (key !== "renew") return (own as (...given: unknown[]) => unknown).bind(target);
        if (what === "has lost the run")
          return async (leases: readonly Lease[]) =>
            leases.map(({ runId }) => ({ runId, held: false, signalsWaiting: false }));
        return () => Promise.reject(new StoreError("STORE_UNAVAILABLE", "The store is away."));
      },
    });
    const slow = heldBack(broken, "append", hasIntent, async () => pass(0.7 * leaseMs));
    const agent = alone("only", { pay: payment("only", effects), options: { store: slow, clock, leaseMs } });
    const ended = await agent.run("Pay.").catch((error: unknown) => error);
    // A run that was given back is continued, and asks: no record says that its tool never started.
    if (what === "has lost the run") expect(ended).toBeInstanceOf(FencedError);
    else expect(ended).toMatchObject({ status: "suspended", interruptions: [{ kind: "unknown_outcome" }] });
    expect(effects).toEqual([]);
    const [run] = await disk.listRuns({});
    const events = await disk.load(run?.id ?? "");
    expect(JSON.stringify(events)).not.toContain('"status":"failed"');
  },
);

test("a lease that another process may take before it expires is proven by the store before each effect [effects.lease-proven]", async () => {
  const { clock, disk, effects } = world();
  let renewals = 0;
  const store = heldBack(
    disk,
    "renew",
    () => true,
    async () => void (renewals += 1),
  );
  const still = gate();
  const first = createAgentRuntime({
    name: "payer",
    model: paying(),
    tools: [payment("first", effects)],
    store: heldBack(store, "append", hasIntent, still.stop),
    clock,
    leaseMs,
  });
  const { runId } = await first.enqueue("Pay.");
  const asked = { wall: clock.now(), steady: performance.now() };
  const lease = await disk.acquire(runId, "one", leaseMs);
  const run = await disk.getRun(runId);
  const driven = first
    .driveClaimed({ run: run!, lease: lease! }, { askedAt: asked, isTakeable: true })
    .catch((error: unknown) => error);
  await still.reached;
  // No time passes: the engine says that the first process is gone, and takes its living lease.
  expect(await disk.acquire(runId, "two", leaseMs, undefined, lease!.epoch)).not.toBeNull();
  still.open();
  expect(await driven).toBeInstanceOf(FencedError);
  expect([effects, renewals]).toEqual([[], 1]);
});

test("a retry starts only under a proven lease [effects.lease-proven]", async () => {
  const { clock, disk, pass, effects } = world();
  const still = gate();
  const flaky = payment("first", effects, {
    sideEffectClass: "side-effecting",
    idempotencyKey: "call",
    retry: { maxAttempts: 2, initialDelayMs: 0 },
    execute: async (_input, context) => {
      void context.idempotencyKey;
      effects.push("first");
      await still.stop();
      throw new Error("down");
    },
  });
  const firstAgent = alone("first", { pay: flaky, options: { store: disk, clock, leaseMs } });
  const secondAgent = alone("second", {
    pay: payment("second", effects, { sideEffectClass: "side-effecting", idempotencyKey: "call" }),
    options: { store: disk, clock, leaseMs },
  });
  const { runId } = await firstAgent.enqueue("Pay.");
  const first = firstAgent.resume(runId).catch((error: unknown) => error);
  await still.reached;
  pass(3 * leaseMs + 1);
  await secondAgent.resume(runId);
  still.open();
  await first;
  expect(effects.filter((who) => who === "first")).toHaveLength(1);
});

test("ctx.fence names the run and the epoch of the lease, as a text that sorts [effects.fence]", async () => {
  const { clock, disk } = world();
  const seen: string[] = [];
  const pay = payment("only", [], {
    execute: (_input, { fence }) => void seen.push(fence.run, String(fence.epoch), fence.toString()),
  });
  const { runId } = await alone("only", { pay, options: { store: disk, clock, leaseMs } }).run("Pay.");
  expect(seen).toEqual([runId, "1", `${runId}/000000000001`]);
});
