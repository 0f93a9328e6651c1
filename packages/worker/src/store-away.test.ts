import { createAgentRuntime, memoryStore, StoreError, tool, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { errorCodes, errorFacts } from "@bailiwick/core/extension";
import { faultyStore, scriptedModel } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { worker } from "./index.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Codes of stores that may recover. */
const codes = Object.keys(errorCodes).filter((code) => {
  const { origin, retryable } = errorFacts(new StoreError(code, "It is away."));
  return code.startsWith("STORE_") && origin === "host" && retryable;
});

type Settings = Pick<Parameters<typeof createAgentRuntime>[0], "store" | "timeouts" | "leaseMs">;

/** An agent that pays with a key, and answers. */
function payer(name: string, effects: Set<string>, settings: Settings): AgentRuntime {
  const pay = tool({
    name: "pay",
    description: "Pays a bill.",
    inputSchema: z.object({}),
    sideEffectClass: "external-stateful",
    idempotencyKey: () => "bill-7",
    execute: (_input, { idempotencyKey = "" }) => {
      effects.add(idempotencyKey);
      return "paid";
    },
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Paid." : { toolCalls: [{ name: "pay" }] },
  );
  return createAgentRuntime({ name, model, tools: [pay], logger: quiet, ...settings });
}

/** An agent whose tool runs the paying agent. */
function delegating(effects: Set<string>, settings: Settings): AgentRuntime {
  const inner = payer("payer", effects, settings);
  const delegate = tool({
    name: "delegate",
    description: "Asks the paying agent.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, { runOptions }) => (await inner.run("Pay.", runOptions)).text,
  });
  const model = scriptedModel(({ toolResults }) =>
    toolResults.length > 0 ? "Paid." : { toolCalls: [{ name: "delegate" }] },
  );
  return createAgentRuntime({ name: "outer", model, tools: [delegate], logger: quiet, ...settings });
}

const shapes = {
  "a run": (effects: Set<string>, settings: Settings) => payer("payer", effects, settings),
  "a run with a run inside a call": delegating,
} as const;

/** Time that a run waits for its store: none, so that it is given back at once, or more than the outage. */
const waits = { "given back": 0, "kept waiting": 60_000 } as const;

/** Number of calls that fail in a row. */
const failing = 3;

/** A worker drives one run, while calls of the store fail from a number on. Returns the calls of the store. */
async function play(
  shape: keyof typeof shapes,
  storeMs: number,
  from: number,
  fault: { readonly error: Error; readonly written: boolean } | undefined,
): Promise<readonly string[]> {
  const disk = memoryStore();
  const effects = new Set<string>();
  const settings = (store: RunStore): Settings => ({
    store,
    timeouts: { storeMs },
    // A claim without an answer ends with its lease. No other failure may cost a lease's time.
    leaseMs: fault?.written === true ? 3_000 : 60_000,
  });
  const { runId } = await shapes[shape](effects, settings(disk)).enqueue("Pay.");
  const store = faultyStore(disk, ({ index }) => (index >= from && index < from + failing ? fault : undefined));
  const what = `${fault?.error.message ?? "no fault"} in call ${from}`;
  const crew = worker({
    agents: [shapes[shape](effects, settings(store))],
    store,
    logger: quiet,
    pollMs: 10,
    stopOn: [],
    retry: { firstMs: 5, longestMs: 20 },
  });
  let run = await disk.getRun(runId);
  for (let tries = 0; tries < 2_000 && run?.state !== "completed" && run?.state !== "failed"; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    run = await disk.getRun(runId);
  }
  const calls = store.calls.map(({ operation }) => operation);
  await crew.drain();
  expect(run?.state, `${what}, ${calls[from]}`).toBe("completed");
  expect(effects.size, what).toBe(1);
  const runs = await disk.listRuns({ limit: 10 });
  expect(
    runs.map(({ state }) => state),
    what,
  ).toEqual(runs.map(() => "completed"));
  for (const { id } of runs) {
    const ends = (await disk.load(id)).filter(({ type }) => type === "run.end");
    expect(ends, what).toMatchObject([{ status: "completed" }]);
  }
  return calls;
}

describe.each(Object.keys(shapes) as (keyof typeof shapes)[])("%s of a worker", (shape) => {
  test.each([
    ["given back", "not written"],
    ["given back", "answer lost"],
    ["kept waiting", "not written"],
    ["kept waiting", "answer lost"],
  ] as const)(
    "is %s by a store that fails in any call (%s), and completes with one end and one payment [store.away] [store.away.worker]",
    async (wait, kind) => {
      const whole = await play(shape, waits[wait], 0, undefined);
      await Promise.all(
        whole.map((_, index) => {
          const error = new StoreError(codes[index % codes.length] ?? "", "It is away.");
          return play(shape, waits[wait], index, { error, written: kind === "answer lost" });
        }),
      );
    },
    120_000,
  );
});
