import { createAgentRuntime, memoryStore, tool, type Decision, type RunEvent, type RunHandle } from "@bailiwick/core";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { UiChunk } from "./ui-chunk.ts";
import { uiEncoder } from "./ui-encoder.ts";
import { uiMessageOf } from "../chat/ui-message.ts";
import { readMessage } from "./ui-message.fixture.ts";

const tools = [
  tool({
    name: "look",
    description: "Looks.",
    inputSchema: z.object({ at: z.string(), deep: z.boolean().default(false) }),
    sideEffectClass: "read-only",
    streamingHint: true,
    execute: ({ at }, ctx) => {
      ctx.streamContent("half a look");
      ctx.reportProgress({ message: "looking", fraction: 0.5 });
      if (at === "wall") throw new Error("There is nothing at the wall.");
      return { seen: at };
    },
  }),
  tool({
    name: "pay",
    description: "Pays.",
    inputSchema: z.object({ amount: z.number() }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    idempotencyKey: "call",
    execute: ({ amount }) => ({ paid: amount }),
  }),
  tool({
    name: "guess",
    description: "Asks a person.",
    inputSchema: z.object({}),
    sideEffectClass: "read-only",
    execute: async (_input, ctx) => ({ answer: await ctx.ask({ question: "How many?", schema: z.number() }) }),
  }),
] as const;

/** The events of a run in all its processes, as its own iterator showed them. */
async function record(handle: RunHandle): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  try {
    for await (const event of handle) events.push(event);
  } catch {
    // The run's failure is in its events.
  }
  return events;
}

function encode(runId: string, events: readonly RunEvent[]): UiChunk[] {
  const encoder = uiEncoder({ runId });
  return [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
}

interface Plan {
  readonly steps: readonly ScriptStep[];
  readonly decisions: readonly ("approve" | "edit" | "reject")[];
}

/** Runs a plan to its end with its decisions, and returns all events with the journal. */
async function play({ steps, decisions }: Plan) {
  const agent = createAgentRuntime({
    name: "clerk",
    model: scriptedModel([...steps, "The end."]),
    tools,
    store: memoryStore(),
    loopDetection: false,
    retry: { initialDelayMs: 1, maxRetries: 9 },
  });
  const first = agent.stream("Begin.");
  const live = await record(first);
  const { runId } = first;
  for (let round = 0; round < 20; round += 1) {
    const open = await agent.interruptions(runId);
    if (open.length === 0) break;
    const made = open.map((question, index): Decision => {
      if (question.kind === "question") return question.answer(round);
      const wish = decisions[(round + index) % decisions.length] ?? "approve";
      if (wish === "reject") return question.reject("too much", { decidedBy: "ada" });
      return wish === "edit" ? question.approve({ args: { amount: 1 } }) : question.approve();
    });
    live.push(...(await record(agent.resumeStream(runId, made))));
  }
  return { runId, live, journal: (await agent.inspect(runId)).events };
}

const text = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" });
const call = fc.oneof(
  fc.record({ name: fc.constant("look"), arguments: fc.record({ at: fc.constantFrom("wall", "sea") }) }),
  fc.record({ name: fc.constant("pay"), arguments: fc.record({ amount: fc.integer({ min: 1, max: 9 }) }) }),
  fc.record({ name: fc.constant("guess"), arguments: fc.constant({}) }),
  fc.record({ name: fc.constantFrom("look", "nobody"), arguments: fc.record({ wrong: fc.boolean() }) }),
);
const step: fc.Arbitrary<ScriptStep> = fc.record(
  {
    text,
    reasoning: text,
    toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
    // A stream that is cut is asked for again: the next step answers.
    faults: fc.record({ cutAfterEvents: fc.nat(9) }),
  },
  { requiredKeys: ["toolCalls"] },
);
const plan: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(step, { maxLength: 4 }),
  decisions: fc.array(fc.constantFrom("approve" as const, "edit" as const, "reject" as const), {
    minLength: 1,
    maxLength: 4,
  }),
});

test("anyone who follows live, reads the journal, or joins at any point has the same message [events.reconnect]", async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.nat(), async (given, at) => {
      const { runId, live, journal } = await play(given);
      const replayed = await readMessage(encode(runId, journal));
      expect(JSON.parse(JSON.stringify(uiMessageOf(encode(runId, journal))))).toEqual(replayed.message);
      expect(replayed.errors).toEqual([]);
      expect(replayed.message?.id).toBe(runId);
      expect((await readMessage(encode(runId, live))).message).toEqual(replayed.message);

      // A client that joins has read the journal up to a record and gets all later events.
      const cut = live.findIndex((event) => "seq" in event && event.seq === 1 + (at % journal.length));
      const joined = [...live.slice(0, cut + 1).filter((event) => "seq" in event), ...live.slice(cut + 1)];
      expect((await readMessage(encode(runId, joined))).message).toEqual(replayed.message);
    }),
    { numRuns: 40 },
  );
});

test("a reader who lost any of the live events has the same message", async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.infiniteStream(fc.boolean()), async (given, coin) => {
      const { runId, live, journal } = await play(given);
      const lossy = live.filter((event) => "seq" in event || coin.next().value === true);
      // A client refuses pieces of a call whose beginning it has not seen, so the test checks that none arrive.
      const { message, errors } = await readMessage(encode(runId, lossy));
      expect(errors).toEqual([]);
      expect(message).toEqual((await readMessage(encode(runId, journal))).message);
    }),
    { numRuns: 20 },
  );
});

test("streamed text is shown as it arrives, and each call with its outcome", async () => {
  const steps: ScriptStep[] = [
    { reasoning: "Hm.", text: "Let me look. ", toolCalls: [{ name: "look", arguments: { at: "sea" } }] },
    { toolCalls: [{ name: "pay", arguments: { amount: 5 } }] },
  ];
  const { runId, live } = await play({ steps, decisions: ["edit"] });
  const chunks = encode(runId, live);
  const types = chunks.map(({ type }) => type);
  expect(types.slice(0, 3)).toEqual(["start", "start-step", "reasoning-start"]);
  expect(types).not.toContain("reset-step");
  expect(chunks).toContainEqual({
    type: "data-tool-progress",
    data: expect.objectContaining({ fraction: 0.5 }),
    transient: true,
  });
  expect(chunks).toContainEqual(
    expect.objectContaining({ type: "tool-output-available", output: "half a look", preliminary: true }),
  );
  const { message } = await readMessage(chunks);
  expect(message?.metadata).toMatchObject({ runId, agentName: "clerk", status: "completed", stopReason: "completed" });
  expect(message?.parts).toMatchObject([
    { type: "step-start" },
    { type: "reasoning", text: "Hm.", state: "done" },
    { type: "text", text: "Let me look. ", state: "done" },
    { type: "tool-look", state: "output-available", input: { at: "sea" }, output: { seen: "sea" } },
    { type: "step-start" },
    {
      type: "tool-pay",
      state: "output-available",
      input: { amount: 1 },
      output: { paid: 1 },
      approval: { approved: true },
    },
    { type: "step-start" },
    { type: "text", text: "The end.", state: "done" },
  ]);
});

test("a call that a person rejected is shown as denied", async () => {
  const { runId, journal } = await play({
    steps: [{ toolCalls: [{ name: "pay", arguments: { amount: 5 } }] }],
    decisions: ["reject"],
  });
  const { message } = await readMessage(encode(runId, journal));
  expect(message?.parts[1]).toMatchObject({
    type: "tool-pay",
    state: "output-denied",
    approval: { approved: false, reason: "too much" },
  });
});

test("a question that is not an approval is a separate part, settled when it is answered", async () => {
  const { runId, journal } = await play({
    steps: [{ toolCalls: [{ name: "guess", arguments: {} }] }],
    decisions: ["approve"],
  });
  const { message } = await readMessage(encode(runId, journal));
  const question = message?.parts.find(({ type }) => type === "data-interruption");
  expect(question).toMatchObject({ data: { settled: true, interruption: { kind: "question", toolName: "guess" } } });
});

test("an answer that a guardrail blocks is never shown, live or later", async () => {
  const model = scriptedModel(["The password is swordfish."]);
  const agent = createAgentRuntime({
    name: "clerk",
    model,
    store: memoryStore(),
    guardrails: { output: [{ name: "no-passwords", validate: () => ({ pass: false, reason: "a password" }) }] },
  });
  for (const outputGuardrails of ["hold", "after"] as const) {
    const blocked = createAgentRuntime({
      ...agent.definition.options,
      model: scriptedModel(["The password is swordfish."]),
      outputGuardrails,
    });
    const handle = blocked.stream("Say it.");
    const live = await record(handle);
    const shown = encode(handle.runId, live);
    const later = encode(handle.runId, (await blocked.inspect(handle.runId)).events);
    expect(JSON.stringify(later)).not.toContain("swordfish");
    if (outputGuardrails === "hold") expect(JSON.stringify(shown)).not.toContain("swordfish");
    expect((await readMessage(shown)).message).toEqual((await readMessage(later)).message);
    expect(shown.at(-1)).toEqual({ type: "finish", finishReason: "content-filter" });
  }
});

test("a truncated answer closes the stream with the finish reason length", async () => {
  const model = scriptedModel([{ text: "Once upon", finish: "length" }]);
  const handle = createAgentRuntime({ name: "clerk", model }).stream("Tell me a story.");
  const shown = encode(handle.runId, await record(handle));
  expect(shown.at(-1)).toEqual({ type: "finish", finishReason: "length" });
  expect(JSON.stringify((await readMessage(shown)).message)).toContain("Once upon");
});

test("the error of a failed run is its code, unless the app sets a text", async () => {
  const agent = createAgentRuntime({
    name: "clerk",
    model: scriptedModel([]),
    store: memoryStore(),
    retry: { maxRetries: 0 },
  });
  const handle = agent.stream("Begin.");
  const live = await record(handle);
  const end = live.findLast((event) => event.type === "run.end");
  const error = end?.type === "run.end" ? end.error : undefined;
  expect(encode(handle.runId, live).at(-1)).toEqual({
    type: "error",
    errorText: `The run failed (${String(error?.code)}).`,
  });
  const frank = uiEncoder({ runId: handle.runId, errorText: ({ message }) => message });
  for (const event of live) frank.push(event);
  expect(frank.end().at(-1)).toEqual({ type: "error", errorText: error?.message });
});
