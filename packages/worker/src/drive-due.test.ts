import { createAgentRuntime, memoryStore, tool, type RunOutput, type RunStore } from "@bailiwick/core";
import { agentRuntimeOf } from "@bailiwick/core/extension";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { driveDue, type DrivenRunReport, type PassOptions, type WorkerAgent } from "./index.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Drives the due runs of one agent. */
async function pass(agent: WorkerAgent, options: Partial<PassOptions> = {}): Promise<readonly RunOutput[]> {
  const store = agentRuntimeOf(agent)?.definition.store ?? memoryStore();
  return driveDue({ agents: [agent], store, logger: quiet, ...options });
}

/** Runs that were created by processes that died before they began. */
async function leftBehind(
  store: RunStore,
  ids: readonly string[],
  more: { readonly agentId?: string; readonly sessionId?: string; readonly inSession?: boolean } = {},
): Promise<void> {
  for (const id of ids)
    await store.create({ id, agentId: "agent", definitionHash: "d", sessionId: `s-${id}`, input: id, ...more });
}

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** An agent whose runs call a tool that waits until it is released, and the runs that wait in it. */
function waitingAgent(store: RunStore): {
  readonly agent: WorkerAgent;
  readonly inside: Set<string>;
  readonly most: () => number;
  readonly letGo: (runId: string) => void;
} {
  const inside = new Set<string>();
  const open = new Map<string, () => void>();
  let most = 0;
  const wait = tool({
    name: "wait",
    description: "Waits.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, { runId }) => {
      inside.add(runId);
      most = Math.max(most, inside.size);
      await new Promise<void>((resolve) => open.set(runId, resolve));
      inside.delete(runId);
      return "ready";
    },
  });
  const model = scriptedModel((request) =>
    request.messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ name: "wait", arguments: {} }] },
  );
  const agent = createAgentRuntime({ ...base, model, tools: [wait], store });
  return { agent, inside, most: () => most, letGo: (runId) => open.get(runId)?.() };
}

/** The store of a process: it answers no call after the process is dead. */
function mortal(store: RunStore, isDead: () => boolean): RunStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]): unknown =>
        isDead() ? new Promise(() => undefined) : (value as (...given: readonly unknown[]) => unknown)(...args);
    },
  });
}

async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { interval: 2 }).toBe(true);
}

test("a slow run delays no other: exactly up to `concurrency` runs are driven at once [seams.surface.recover]", async () => {
  const store = memoryStore();
  await leftBehind(store, ["a", "b", "c", "d", "e"]);
  const { agent, inside, most, letGo } = waitingAgent(store);
  const told: string[] = [];
  const recovered = pass(agent, { concurrency: 2, onRun: ({ runId }) => told.push(runId) });
  await until(() => inside.size === 2);
  expect([...inside]).toEqual(["a", "b"]);
  for (const next of ["b", "c", "d", "e"]) {
    await until(() => inside.has(next));
    letGo(next);
  }
  await until(() => told.length === 4);
  expect([...inside]).toEqual(["a"]);
  letGo("a");
  expect((await recovered).map(({ runId }) => runId)).toEqual(["b", "c", "d", "e", "a"]);
  expect(told).toEqual(["b", "c", "d", "e", "a"]);
  expect(most()).toBe(2);
});

test("eight runs are driven at once by default [seams.surface.recover]", async () => {
  const store = memoryStore();
  const ids = Array.from({ length: 10 }, (_, n) => `r${n}`);
  await leftBehind(store, ids);
  const { agent, inside, most, letGo } = waitingAgent(store);
  const recovered = pass(agent);
  await until(() => inside.size === 8);
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const id of ids) {
    await until(() => inside.has(id));
    letGo(id);
  }
  expect(await recovered).toHaveLength(10);
  expect(most()).toBe(8);
});

test("runs of one session are driven one after the other, oldest first [seams.surface.recover]", async () => {
  const store = memoryStore();
  await leftBehind(store, ["a", "b"], { sessionId: "s", inSession: true });
  const { agent, inside, most, letGo } = waitingAgent(store);
  const recovered = pass(agent);
  for (const id of ["a", "b"]) {
    await until(() => inside.has(id));
    letGo(id);
  }
  expect((await recovered).map(({ runId }) => runId)).toEqual(["a", "b"]);
  expect(most()).toBe(1);
});

test("runs that fail and runs that are stuck stop no other, and onRun gets each [seams.surface.recover]", async () => {
  let now = 0;
  const clock = { now: () => now, setTimer: () => () => undefined };
  const memory = memoryStore({ clock });
  await leftBehind(memory, ["fails", "fine"]);
  // Its process died each time before it made progress.
  await memory.create(
    { id: "poison", agentId: "agent", definitionHash: "d", sessionId: "p", input: "" },
    { owner: "dead", ttlMs: 10 },
  );
  for (let times = 0; times < 5; times += 1) {
    now += 100;
    await memory.acquire("poison", "dead", 10);
  }
  now += 100;
  const store: RunStore = memory;
  const lines: string[] = [];
  const logger = { ...quiet, error: (message: string) => void lines.push(message) };
  const model = scriptedModel((request) =>
    request.lastUserText === "fails" ? { faults: { error: { status: 400 } } } : "Done.",
  );
  const told = new Map<string, DrivenRunReport>();
  const outputs = await pass(createAgentRuntime({ ...base, model, store, logger }), {
    logger,
    onRun: (run) => {
      told.set(run.runId, run);
      throw new Error("The listener broke.");
    },
  });
  expect(outputs.map(({ runId, status }) => [runId, status])).toEqual([
    ["fails", "failed"],
    ["fine", "completed"],
  ]);
  expect(told.get("fails")).toMatchObject({ output: { status: "failed" }, error: { name: expect.any(String) } });
  expect(told.get("fine")).toMatchObject({ output: { text: "Done." } });
  expect(told.get("fine")?.error).toBeUndefined();
  expect(told.get("poison")).toMatchObject({ error: { code: "RUN_STUCK", runId: "poison" } });
  expect(lines.join("\n")).toContain("ended its process 5 times");
  expect(lines.join("\n")).toContain("onRun");
});

test("a run that crashes its process each time becomes stuck, and the other runs complete [run.recover.suspects-alone]", async () => {
  let now = 0;
  const memory = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const innocent = Array.from({ length: 6 }, (_, n) => `innocent-${n}`);
  await leftBehind(memory, [...innocent.slice(0, 3), "poison", ...innocent.slice(3)]);
  const told = new Map<string, DrivenRunReport>();
  let deaths = 0;
  for (let processes = 0; processes < 15; processes += 1) {
    let die = (): void => undefined;
    const died = new Promise<void>((resolve) => (die = resolve));
    let dead = false;
    const store = mortal(memory, () => dead);
    const model = scriptedModel((request) => {
      if (request.lastUserText !== "poison") return "Done.";
      dead = true;
      die();
      return { faults: { hangAfterEvents: 0 } };
    });
    const agent = createAgentRuntime({ ...base, model, store });
    await Promise.race([pass(agent, { onRun: (run) => told.set(run.runId, run) }), died]);
    if (dead) deaths += 1;
    now += 60_000;
  }
  expect(told.get("poison")).toMatchObject({ error: { code: "RUN_STUCK" } });
  const states = await Promise.all(innocent.map(async (id) => (await memory.getRun(id))?.state));
  expect(states).toEqual(innocent.map(() => "completed"));
  expect(deaths).toBeLessThanOrEqual(6);
});

test("runs of other agents and stuck runs do not block runs that can be driven [seams.surface.recover]", async () => {
  let now = 0;
  const store = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  await leftBehind(
    store,
    Array.from({ length: 30 }, (_, n) => `other-${n}`),
    { agentId: "other" },
  );
  await leftBehind(
    store,
    Array.from({ length: 3 }, (_, n) => `poison-${n}`),
  );
  for (let times = 0; times < 6; times += 1) {
    for (let n = 0; n < 3; n += 1) await store.acquire(`poison-${n}`, "dead", 10);
    now += 100;
  }
  await leftBehind(store, ["own-1", "own-2", "own-3"]);
  const agent = createAgentRuntime({ ...base, model: scriptedModel(() => "Done."), store });
  expect((await pass(agent, { limit: 2 })).map(({ runId }) => runId)).toEqual(["own-1", "own-2"]);
  expect((await pass(agent, { limit: 2 })).map(({ runId }) => runId)).toEqual(["own-3"]);
});

test("once it is aborted, a pass claims no further run and gives those that it drives back after their step [seams.surface.recover]", async () => {
  const store = memoryStore();
  await leftBehind(store, ["a", "b", "c"]);
  const { agent, inside, letGo } = waitingAgent(store);
  const controller = new AbortController();
  const recovered = pass(agent, { concurrency: 1, signal: controller.signal });
  await until(() => inside.has("a"));
  controller.abort();
  letGo("a");
  expect(await recovered).toEqual([]);
  expect((await store.listRuns({ state: "queued" })).map(({ id }) => id)).toEqual(["c", "b", "a"]);
});

test("a run that a pass claimed makes at least one step, even if the time of the pass is over by then [worker.serverless]", async () => {
  const memory = memoryStore();
  const signals: AbortController[] = [];
  const store: RunStore = {
    ...memory,
    async claim(request) {
      const claim = await memory.claim(request);
      signals.at(-1)?.abort();
      return claim;
    },
  };
  await leftBehind(store, ["a"]);
  const model = scriptedModel([{ toolCalls: [{ name: "look", arguments: {} }] }, "Done."]);
  const look = tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => "seen",
  });
  const agent = createAgentRuntime({ ...base, model, tools: [look], store });
  const states: (string | undefined)[] = [];
  while (states.length < 6 && states.at(-1) !== "completed") {
    const controller = new AbortController();
    signals.push(controller);
    await pass(agent, { signal: controller.signal });
    states.push((await store.getRun("a"))?.state);
  }
  // A call of the model, one of the tool, another one of the model, and the end.
  expect(states).toEqual(["queued", "queued", "queued", "completed"]);
});

test.each([{ limit: 0 }, { concurrency: 0 }, { concurrency: 1.5 }, { withinMs: 0 }, { maxAttempts: 0 }])(
  "invalid options are refused: %o [seams.surface.recover]",
  async (options) => {
    const agent = createAgentRuntime({ ...base, model: scriptedModel([]), store: memoryStore() });
    await expect(pass(agent, options)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`driveDue(): "${Object.keys(options)[0]}" must be`) as string,
    });
  },
);

test("`leaseMs` sets the duration of leases and renewals, and so the wait of a run whose process died [store.renew]", async () => {
  let now = 0;
  const memory = memoryStore({ clock: { now: () => now, setTimer: () => () => undefined } });
  const asked: number[] = [];
  let renewed = (): void => undefined;
  const renewal = new Promise<void>((resolve) => (renewed = resolve));
  const store: RunStore = {
    ...memory,
    create: async (record, holder) => (asked.push(holder?.ttlMs ?? 0), memory.create(record, holder)),
    claim: async (request) => (asked.push(request.ttlMs), memory.claim(request)),
    renew: async (leases, ttlMs) => {
      asked.push(ttlMs);
      renewed();
      return memory.renew(leases, ttlMs);
    },
  };
  const hang = tool({
    name: "hang",
    description: "Never ends.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: () => new Promise<string>(() => undefined),
  });
  const stuck = scriptedModel([{ toolCalls: [{ name: "hang", arguments: {} }] }]);
  void createAgentRuntime({ ...base, model: stuck, tools: [hang], store, leaseMs: 1_000 })
    .run("go", { userId: "u" })
    .catch(() => undefined);
  await renewal;
  const model = scriptedModel(() => "Done.");
  const other = createAgentRuntime({ ...base, model, store, leaseMs: 1_000 });
  now += 900;
  expect(await pass(other)).toEqual([]);
  now += 200;
  const told: DrivenRunReport[] = [];
  await pass(other, { onRun: (run) => told.push(run) });
  expect(told).toHaveLength(1);
  expect(new Set(asked)).toEqual(new Set([1_000]));
});

test.each([0, 999, Infinity, Number.NaN])("a lease of %s ms is refused [store.renew]", (leaseMs) => {
  expect(() => createAgentRuntime({ ...base, model: scriptedModel([]), leaseMs })).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining("leaseMs") }),
  );
});
