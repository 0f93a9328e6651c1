import { memoryStore, tool, type Clock, type Ids, type RunEvent, type RunOutput } from "@bailiwick/core";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const runs = 300;

const call = fc.oneof(
  fc.record({ name: fc.constant("add"), arguments: fc.record({ a: fc.nat(3), b: fc.nat(3) }) }),
  fc.record({ name: fc.constant("fail"), arguments: fc.constant({}) }),
  fc.record({ name: fc.constant("gated"), arguments: fc.constant({ line: "x" }) }),
  fc.record({ name: fc.constant("finish"), arguments: fc.constant({}) }),
  fc.record({ name: fc.constant("nobody"), arguments: fc.constant({}) }),
  fc.record({ name: fc.constant("add"), arguments: fc.constantFrom("{", '{"a": 1}', "null", "") }),
  fc.record({ name: fc.constant("add"), arguments: fc.constant({ a: 1, b: 1 }), id: fc.constant("same") }),
);

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ text: fc.constantFrom("Hello there.", "x", "one two three four") }) },
  {
    weight: 1,
    arbitrary: fc.record({
      text: fc.constant("thinking aloud"),
      toolCalls: fc.array(call, { minLength: 1, maxLength: 2 }),
      finish: fc.constantFrom("tool_calls" as const, "length" as const, "content_filter" as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ refusal: "no" }) },
  { weight: 1, arbitrary: fc.constant({ faults: { error: { status: 500 } } }) },
);

const script = fc.array(step, { minLength: 1, maxLength: 5 });

/** A clock that pauses, and counts the timers that were not cleared. */
function stillClock(): Clock & { readonly running: number } {
  const timers = new Set<object>();
  return {
    get running() {
      return timers.size;
    },
    now: () => 0,
    setTimer(callback, _delayMs, options) {
      const timer = {};
      timers.add(timer);
      if (options?.keepAlive === true) queueMicrotask(() => timers.delete(timer) && callback());
      return () => void timers.delete(timer);
    },
  };
}

function countingIds(): Ids {
  let count = 0;
  return { next: (kind) => `${kind}-${(count += 1)}` };
}

const tools = [
  tool({
    name: "add",
    description: "Adds.",
    inputSchema: z.object({ a: z.number(), b: z.number() }),
    sideEffectClass: "pure",
    execute: ({ a, b }) => a + b,
  }),
  tool({
    name: "fail",
    description: "Fails.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async () => {
      throw new Error("broken");
    },
  }),
  tool({
    name: "gated",
    description: "Writes.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: ({ line }) => line !== "x",
    execute: async () => "written",
  }),
  tool({
    name: "finish",
    description: "Looks.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async () => ({ found: [1, 2, 3] }),
  }),
];

function world(steps: readonly ScriptStep[]) {
  const clock = stillClock();
  const ids = countingIds();
  const store = memoryStore({ clock, ids });
  const model = scriptedModel((request) => steps[request.turn] ?? "The end.");
  // The flow policy holds text back and asks about writes: half of the runs have it.
  const flow = steps.length % 2 === 0 ? ("off" as const) : undefined;
  const agent = new Agent({
    name: "agent",
    logger: quiet,
    model,
    tools,
    store,
    clock,
    ids,
    flow,
    retry: { maxRetries: 1 },
    maxTurns: 6,
  });
  return { agent, clock, store, model };
}

/** The output of a run, also of one that rejects. */
async function outputOf(result: Promise<RunOutput>): Promise<RunOutput> {
  try {
    return await result;
  } catch (error) {
    const { output } = error as { output?: RunOutput };
    if (output === undefined) throw error;
    return output;
  }
}

/** Each call has its one result, before the next answer; only calls that wait for a person have none yet. */
function expectPaired({ messages, interruptions }: RunOutput): void {
  const waiting = new Set(interruptions.map(({ toolCallId }) => toolCallId));
  const open = new Map<string, number>();
  for (const message of messages) {
    if (message.role === "assistant") {
      expect([...open.values()].every((results) => results === 1)).toBe(true);
      for (const { id } of message.toolCalls) {
        expect(open.has(id)).toBe(false);
        open.set(id, 0);
      }
    }
    if (message.role === "tool") open.set(message.toolCallId, (open.get(message.toolCallId) ?? 5) + 1);
  }
  expect([...open].every(([id, results]) => results === (waiting.has(id) ? 0 : 1))).toBe(true);
}

function expectGrammar(events: readonly RunEvent[]): void {
  expect(events.filter(({ type }) => type === "run.end")).toHaveLength(1);
  expect(events.at(-1)?.type).toBe("run.end");
  expect(events[0]?.type).toBe("run.start");
  const calls = new Set<string>();
  let modelOpen = false;
  for (const event of events) {
    if (event.type === "tool_call_start") calls.add(event.toolCall.id);
    if (event.type === "tool_call_end") expect(calls.delete(event.toolCallId)).toBe(true);
    if (event.type === "model.intent") modelOpen = true;
    if (["text", "thinking", "tool_call_start"].includes(event.type)) expect(modelOpen).toBe(true);
    if (event.type === "finish") {
      expect(modelOpen).toBe(true);
      expect(calls.size).toBe(0);
      modelOpen = false;
    }
  }
}

/** The parts that two runs of the same script share, however they were started. */
function comparable(output: RunOutput): unknown {
  const { metrics, ...rest } = output;
  return JSON.parse(JSON.stringify({ ...rest, metrics: { ...metrics, timeToFirstTokenMs: undefined } })) as unknown;
}

test("stream() and run() have equal results, for any script [run.loop.stream-is-run]", async () => {
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const ran = await outputOf(world(steps).agent.run("go") as Promise<RunOutput>);
      const { agent } = world(steps);
      const handle = agent.stream("go");
      try {
        for await (const _event of handle);
      } catch {
        // The result carries the same error.
      }
      expect(comparable(await outputOf(handle.result as Promise<RunOutput>))).toEqual(comparable(ran));
    }),
    { numRuns: runs },
  );
}, 600_000);

test("every stream is balanced, ends with one run.end, and leaves a log with paired calls and results [events.one-terminal] [events.grammar]", async () => {
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const { agent, clock, store } = world(steps);
      const handle = agent.stream("go");
      const events: RunEvent[] = [];
      try {
        for await (const event of handle) events.push(event);
      } catch {
        // A failed run ends as well.
      }
      expectGrammar(events);
      const output = await outputOf(handle.result);
      expectPaired(output);
      expect((await store.load(output.runId)).map(({ seq }) => seq)).toEqual(
        events.flatMap((event) => ("seq" in event ? [event.seq] : [])),
      );
      expect(clock.running).toBe(0);
    }),
    { numRuns: runs },
  );
}, 600_000);

test("a run aborted at any point leaves a paired log with its usage, and no timer or listener [field-bug:PB-abort-06]", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(25), async (steps, after) => {
      const { agent, clock, model } = world(steps);
      const controller = new AbortController();
      let seen = 0;
      let askedAtAbort: number | undefined;
      const output = await outputOf(
        agent.run("go", {
          signal: controller.signal,
          onToken: () => {
            seen += 1;
            if (seen - 1 !== after) return;
            controller.abort();
            askedAtAbort = model.requests.length;
          },
        }) as Promise<RunOutput>,
      );
      expectPaired(output);
      expect(clock.running).toBe(0);
      expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
      if (askedAtAbort === undefined) return;
      // A request that was being prepared may still go out; no further one does.
      expect(model.requests.length - askedAtAbort).toBeLessThanOrEqual(1);
      const answered = output.messages.filter(({ role }) => role === "assistant").length;
      if (answered > 0) expect(output.usage.totalTokens).toBeGreaterThan(0);
      expect((await agent.replay(output.runId))?.messages).toEqual(output.messages);
    }),
    { numRuns: runs },
  );
}, 600_000);
