import { memoryStore, tool, type Tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet, flow: "off" } as const;

/** One call of a batch. */
interface Planned {
  readonly kind: "parallel" | "sequential" | "throws" | "unknown" | "malformed" | "invalid";
  /** Number of turns of the event loop that its work takes. */
  readonly ticks: number;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  kind: fc.constantFrom("parallel", "parallel", "sequential", "throws", "unknown", "malformed", "invalid"),
  ticks: fc.integer({ min: 0, max: 4 }),
});

/** Runs a batch and returns the events, in order. */
async function play(batch: readonly Planned[], toolConcurrency: number) {
  const started: number[] = [];
  const ended = new Set<number>();
  let active = 0;
  let most = 0;
  const jumped: string[] = [];
  const make = (name: "parallel" | "sequential" | "throws"): Tool =>
    tool({
      name,
      description: `A ${name} tool.`,
      inputSchema: z.object({ index: z.number() }),
      sideEffectClass: "pure",
      executionMode: name === "sequential" ? "sequential" : "parallel",
      execute: async ({ index }) => {
        const isBarrier = (at: number): boolean => batch[at]?.kind === "sequential";
        const works = (at: number): boolean => ["parallel", "sequential", "throws"].includes(batch[at]?.kind ?? "");
        for (let before = 0; before < index; before += 1) {
          if (works(before) && !ended.has(before) && (isBarrier(index) || isBarrier(before)))
            jumped.push(`${index} before the end of ${before}`);
        }
        started.push(index);
        most = Math.max(most, (active += 1));
        for (let tick = 0; tick < (batch[index]?.ticks ?? 0); tick += 1)
          await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
        ended.add(index);
        if (name === "throws") throw new Error(`broken ${index}`);
        return index;
      },
    });
  const toolCalls = batch.map(({ kind }, index) => ({
    id: `c${index % 3}`,
    name: kind === "malformed" || kind === "invalid" ? "parallel" : kind,
    arguments: kind === "malformed" ? "{" : kind === "invalid" ? { index: "x" } : { index },
  }));
  const model = scriptedModel([{ toolCalls }, "Done."]);
  const agent = new Agent({
    ...base,
    model,
    tools: [make("parallel"), make("sequential"), make("throws")],
    toolConcurrency,
    store: memoryStore(),
  });
  const result = await agent.run("go");
  return { result, model, started, jumped, most };
}

test("for any calls of a turn: one result each, in the model's order, within the concurrency limit, and no call overtakes a sequential one [tool.result.one-per-call] [tool.field.execution-mode] [options.tool-concurrency]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(planned, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (batch, limit) => {
        const { result, model, started, jumped, most } = await play(batch, limit);
        expect(result.text).toBe("Done.");
        const kinds = {
          parallel: undefined,
          sequential: undefined,
          throws: "execution_failed",
          unknown: "unknown_tool",
          malformed: "invalid_input",
          invalid: "invalid_input",
        } as const;
        expect(result.toolCalls.map((call) => call.error?.kind)).toEqual(batch.map(({ kind }) => kinds[kind]));
        const read = model.requests[1]?.messages.filter(({ role }) => role === "tool") ?? [];
        expect(read.map((message) => ("toolCallId" in message ? message.toolCallId : ""))).toEqual(
          result.toolCalls.map(({ toolCallId }) => toolCallId),
        );
        expect(new Set(result.toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(batch.length);
        expect(started).toEqual(started.toSorted((a, b) => a - b));
        expect(most).toBeLessThanOrEqual(limit);
        expect(jumped).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test("for any decisions, in any order and after any number of resumes: every call has one result, and only approved ones ran, once [people.batch.partial]", async () => {
  const decisions = fc.array(fc.record({ approve: fc.boolean(), rank: fc.integer() }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(decisions, fc.integer({ min: 1, max: 3 }), async (plan, atOnce) => {
      const ran: number[] = [];
      const write = tool({
        name: "write",
        description: "Writes.",
        inputSchema: z.object({ index: z.number() }),
        sideEffectClass: "external-stateful",
        idempotencyKey: "call",
        needsApproval: true,
        execute: ({ index }) => ran.push(index),
      });
      const model = scriptedModel([
        { toolCalls: plan.map((_, index) => ({ name: "write", arguments: { index } })) },
        "Done.",
      ]);
      const store = memoryStore();
      const make = () => new Agent({ ...base, model, tools: [write], store });
      let output = await make().run("go");
      const order = output.interruptions
        .map((asked, index) => ({ asked, ...plan[index] }))
        .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
      for (let from = 0; from < order.length; from += atOnce) {
        expect(output.interruptions).toHaveLength(order.length - from);
        output = await make().resume(
          output.runId,
          order
            .slice(from, from + atOnce)
            .map(({ asked, approve }) => (approve === true ? asked.approve() : asked.reject("no"))),
        );
      }
      expect(output).toMatchObject({ status: "completed", text: "Done." });
      const results = output.messages.filter(({ role }) => role === "tool");
      expect(results.map((message) => message.role === "tool" && message.isError === true)).toEqual(
        plan.map(({ approve }) => !approve),
      );
      expect(ran.toSorted((a, b) => a - b)).toEqual(plan.flatMap(({ approve }, index) => (approve ? [index] : [])));
    }),
    { numRuns: 40 },
  );
});
