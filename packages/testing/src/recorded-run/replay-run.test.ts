import { createAgentRuntime, memoryStore, tool, type AgentOptions, type AgentRuntime } from "@bailiwick/core";
import { recordRun, replayRun, scriptedModel, type RunRecording } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";

const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const script = [
  {
    toolCalls: [
      { name: "read_order", arguments: { order: "A-1" } },
      { name: "read_order", arguments: { order: "A-2" } },
    ],
  },
  { toolCalls: [{ name: "refund", arguments: { order: "A-1", amount: 20 } }] },
  "Refunded.",
];

/** An agent with a reader, and a writer that needs approval. */
function shop(changes: Partial<AgentOptions> = {}, needsApproval = true) {
  const ran: string[] = [];
  const read = tool({
    name: "read_order",
    description: "Reads an order.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    execute: ({ order }) => {
      ran.push(`read ${order}`);
      if (order === "A-2") throw new Error("There is no such order.");
      return { order, total: 20 };
    },
  });
  const refund = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ order: z.string(), amount: z.coerce.number().max(50) }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval,
    execute: ({ amount }) => {
      ran.push(`refund ${amount}`);
      return `Refunded ${amount}.`;
    },
  });
  const model = scriptedModel(script);
  const agent = createAgentRuntime({
    name: "shop",
    model,
    tools: [read, refund],
    store: memoryStore(),
    logger,
    ...changes,
  });
  return { agent, ran, model };
}

async function recorded(agent: AgentRuntime, decide: "approve" | "reject" | "edit" = "approve"): Promise<RunRecording> {
  const { runId, interruptions } = await agent.run("Refund A-1.", { userId: "ada" });
  const [question] = interruptions;
  const decision = {
    approve: () => question?.approve({ decidedBy: "olga" }),
    reject: () => question?.reject("Too much."),
    edit: () => question?.approve({ args: { order: "A-1", amount: 5 } }),
  }[decide]();
  await agent.resume(runId, decision === undefined ? [] : [decision]);
  // A file contains the same data.
  return JSON.parse(JSON.stringify(recordRun((await agent.inspect(runId)).events))) as RunRecording;
}

test("replayRun() plays answers, results and decisions: no model is called and no tool runs", async () => {
  for (const decide of ["approve", "reject", "edit"] as const) {
    const { agent } = shop();
    const recording = await recorded(agent, decide);
    const today = shop();
    const { output, differences } = await replayRun(today.agent, recording);
    expect(differences).toEqual([]);
    expect(output.toolCalls).toHaveLength(3);
    expect([today.ran, today.model.requests.length]).toEqual([[], 0]);
    expect((await today.agent.definition.store.listRuns({ userId: "ada" })).length).toBe(0);
  }
});

test("replayRun() names the differences: a missing question, a new one, arguments that are refused, a missing tool", async () => {
  const { agent } = shop();
  const recording = await recorded(agent);
  const differencesNow = async (changes: Partial<AgentOptions>, needsApproval = true): Promise<string> =>
    (await replayRun(shop(changes, needsApproval).agent, recording)).differences.map(({ text }) => text).join("\n");
  expect(await differencesNow({}, false)).toBe(
    'Call 3, refund({"order":"A-1","amount":20}): a person approved it before; now no person was asked.',
  );
  expect(await differencesNow({ approval: { policy: "all" } })).toContain(
    'Call 1, read_order({"order":"A-1"}): no person was asked before; now it waited for a person.',
  );
  expect(await differencesNow({ maxTurns: 2 })).toContain('ends with "max_turns" now.');
  const strict = tool({
    name: "refund",
    description: "Refunds an order.",
    inputSchema: z.object({ order: z.string(), amount: z.number().max(10) }),
    sideEffectClass: "external-stateful",
    needsApproval: true,
    execute: () => "Refunded.",
  });
  const [reader] = shop().agent.definition.options.tools as readonly never[];
  expect(await differencesNow({ tools: [reader as never, strict] })).toContain('is "invalid_input" now.');
  expect(await differencesNow({ tools: [reader as never] })).toBe(
    [
      'Call 3, refund({"order":"A-1","amount":20}): a person approved it before; now no person was asked.',
      'Call 3, refund({"order":"A-1","amount":20}): its result was "ok", and is "unknown_tool" now.',
    ].join("\n"),
  );
});

test("replayRun() finds the agent in a module, and refuses a recording of another agent or in another format", async () => {
  const { agent } = shop();
  const recording = await recorded(agent);
  const module = { default: { agents: [{ agent: shop().agent, aliases: ["old"] }] }, helper: () => undefined };
  expect((await replayRun(module, recording)).differences).toEqual([]);
  await expect(
    replayRun({ other: createAgentRuntime({ name: "other", model: scriptedModel([]) }) }, recording),
  ).rejects.toThrow(/agent "shop", and the agents other/u);
  await expect(replayRun(agent, { ...recording, bailiwickRun: 2 as never })).rejects.toThrow(/not in format 1/u);
  await expect(replayRun(agent, recording, { dependency: 1 } as never)).rejects.toThrow(/dependencies/u);
});

test("replayRun() plays a run that waits for a person up to its question, and recordRun() refuses one that has not ended", async () => {
  const { agent } = shop();
  const { runId } = await agent.run("Refund A-1.");
  const { events } = await agent.inspect(runId);
  const recording = recordRun(events);
  expect((await replayRun(shop().agent, recording)).differences).toEqual([]);
  const loose = (await replayRun(shop({}, false).agent, recording)).differences;
  expect(loose[0]).toMatchObject({ call: 2, kind: "notAsked", before: "open", after: undefined });
  expect(() => recordRun(events.filter(({ type }) => type !== "run.end"))).toThrow(/has not ended/u);
});

test("replayRun() plays inner agents and handoffs as one call, with the trust of the data that they read", async () => {
  const inner = (name: string) => shop({ name, model: scriptedModel(["From inside."]) });
  const outer = (steps: Parameters<typeof scriptedModel>[0]) => {
    const [helper, target] = [inner("helper"), inner("target")];
    const model = scriptedModel(steps);
    return {
      helper,
      model,
      agent: createAgentRuntime({
        name: "outer",
        model,
        handoffs: [target.agent],
        store: memoryStore(),
        logger,
      }),
    };
  };
  const { agent } = outer([{ toolCalls: [{ name: "transfer_to_target", arguments: {} }] }]);
  const { runId, text } = await agent.run("Go on.");
  expect(text).toBe("From inside.");
  const recording = recordRun((await agent.inspect(runId)).events);
  const today = outer([]);
  expect((await replayRun(today.agent, recording)).differences).toEqual([]);
  expect(today.model.requests).toEqual([]);
});

test("replayRun() plays a run that searched for a deferred tool", async () => {
  const deferred = tool({
    name: "read_stock",
    description: "Reads the stock of an article.",
    inputSchema: z.object({ article: z.string() }),
    sideEffectClass: "read-only",
    defer_loading: true,
    execute: () => 7,
  });
  const model = scriptedModel([
    { toolCalls: [{ name: "tool_search", arguments: { query: "stock" } }] },
    { toolCalls: [{ name: "read_stock", arguments: { article: "chair" } }] },
    "Seven.",
  ]);
  const { agent } = shop({ model, tools: [deferred] });
  const { runId, text } = await agent.run("How many chairs are there?");
  expect(text).toBe("Seven.");
  const recording = recordRun((await agent.inspect(runId)).events);
  expect((await replayRun(shop({ tools: [deferred] }).agent, recording)).differences).toEqual([]);
  const handoffs = [shop({ name: "target" }).agent];
  expect((await replayRun(shop({ tools: [deferred], handoffs }).agent, recording)).differences).toEqual([]);
});
