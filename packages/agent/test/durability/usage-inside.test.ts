import { codeMode } from "@bailiwick/compose/code-mode";
import { attempt, loop, map, parallel, pipeline, route } from "../../src/compose.ts";
import { agentTool, handoff, memoryStore, tool, type RunOutput, type RunStore, type Tool } from "@bailiwick/core";
import { scriptedModel, type Script, type ScriptStep } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openAgent, quiet } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

type Options = Partial<ConstructorParameters<typeof Agent>[0]>;

/** Number of tokens that each scripted answer uses: many more than any request here has. */
const each = 10_000;
const usage = { inputTokens: each - 1_000, outputTokens: 1_000 };
const prices = { "scripted/scripted-1": { input: 1, output: 1 } };

/** Number of model calls of each agent, by name. */
type Asked = Record<string, number>;

/** An agent whose model counts its requests. */
function agentOf(asked: Asked, name: string, script: Extract<Script, (...given: never[]) => unknown>, more: Options) {
  return new Agent({
    ...openAgent,
    logger: quiet,
    name,
    prices,
    maxTokens: 50,
    model: scriptedModel((request) => {
      asked[name] = (asked[name] ?? 0) + 1;
      const step = script(request) as ScriptStep | string;
      return { ...(typeof step === "string" ? { text: step } : step), usage };
    }),
    ...more,
  });
}

const call = (name: string, args: object): ScriptStep => ({ toolCalls: [{ name, arguments: args }] as never });

/** Writes a line, after a person approved it. */
const write = (): Tool =>
  tool({
    name: "write",
    description: "Writes a line.",
    inputSchema: z.object({ line: z.string() }),
    sideEffectClass: "external-stateful",
    idempotencyKey: "call",
    needsApproval: true,
    execute: ({ line }) => `wrote ${line}`,
  });

/** An agent that asks for an approval before its last answer. */
const waiter = (asked: Asked, name = "clerk"): Agent =>
  agentOf(
    asked,
    name,
    ({ toolResults }) =>
      toolResults.some(({ toolName }) => toolName === "write") ? `${name} wrote.` : call("write", { line: name }),
    { tools: [write()] },
  );

const says = (asked: Asked, name: string): Agent => agentOf(asked, name, () => `${name} said.`, {});

/** The call of the outer agent, and the tools and handoffs that it needs. */
interface Held {
  readonly step: ScriptStep;
  readonly tools?: readonly Tool[];
  readonly handoffs?: Options["handoffs"];
  /** Number of model calls of all agents, the outer one included. */
  readonly requests: number;
}

const office = (composition: Parameters<typeof agentTool>[0], requests: number): Held => ({
  step: call("office", { input: "go" }),
  tools: [agentTool(composition)],
  requests,
});
const named = { name: "office" };

const ways: Readonly<Record<string, (asked: Asked) => Held>> = {
  "an agent as a tool": (asked) => ({
    step: call("clerk", { input: "go" }),
    tools: [waiter(asked).asTool()],
    requests: 4,
  }),
  "two agents as tools, side by side": (asked) => ({
    step: {
      toolCalls: [
        { name: "clerk", arguments: { input: "a" } },
        { name: "scribe", arguments: { input: "b" } },
      ],
    },
    tools: [waiter(asked).asTool(), waiter(asked, "scribe").asTool()],
    requests: 6,
  }),
  "an agent as a tool of an agent as a tool": (asked) => ({
    step: call("lead", { input: "go" }),
    tools: [
      agentOf(asked, "lead", ({ toolResults }) => (toolResults.length > 0 ? "Led." : call("clerk", { input: "go" })), {
        tools: [waiter(asked).asTool()],
      }).asTool(),
    ],
    requests: 6,
  }),
  "an agent that a tool runs": (asked) => {
    const clerk = waiter(asked);
    const ask = tool({
      name: "ask",
      description: "Asks the clerk twice.",
      inputSchema: z.object({}),
      sideEffectClass: "read-only",
      execute: async (_input, ctx) => {
        const first = await clerk.run("one", ctx.runOptions);
        const second = await clerk.run("two", ctx.runOptions);
        return `${first.text} ${second.text}`;
      },
    });
    return { step: call("ask", {}), tools: [ask], requests: 6 };
  },
  "a handoff": (asked) => ({ step: call("transfer_to_clerk", {}), handoffs: [handoff(waiter(asked))], requests: 3 }),
  "a pipeline": (asked) => office(pipeline(named, says(asked, "reader"), waiter(asked), says(asked, "editor")), 6),
  "a parallel composition": (asked) =>
    office(parallel(named, { a: waiter(asked), b: says(asked, "reader"), c: waiter(asked, "scribe") }), 7),
  "a map": (asked) => office(map({ ...named, items: () => ["a", "b"] }, waiter(asked)), 6),
  "a route": (asked) => office(route({ ...named, choose: () => "clerk" }, { clerk: waiter(asked) }), 4),
  "a loop": (asked) => office(loop({ ...named, until: () => false, maxRounds: 2 }, waiter(asked)), 6),
  "an attempt": (asked) => office(attempt(named, { try: waiter(asked), finally: says(asked, "closer") }), 5),
  "a program": (asked) => ({
    step: call("run_code", { code: "return [await tools.clerk({ input: 'a' }), await tools.clerk({ input: 'b' })];" }),
    tools: [codeMode({ tools: [waiter(asked).asTool()] })],
    requests: 6,
  }),
};

/** The outer agent of one process. */
function deskOf(way: string, asked: Asked, store: RunStore, more: Options = {}): Agent {
  const { step, requests: _requests, ...held } = (ways[way] as (typeof ways)[string])(asked);
  return agentOf(asked, "desk", ({ toolResults }) => (toolResults.length > 0 ? "Done." : step), {
    ...held,
    store,
    toolConcurrency: 1,
    ...more,
  });
}

const sum = (asked: Asked): number => Object.values(asked).reduce((total, count) => total + count, 0);

/** Checks that an output has the usage of the models so far, by agent and in total. */
function expectUsage(output: RunOutput, asked: Asked): void {
  const byAgent = output.usageByAgent.filter((one) => one.usage.totalTokens > 0);
  expect(Object.fromEntries(byAgent.map((one) => [one.agentName, one.usage.totalTokens / each]))).toEqual(asked);
  expect(output.usage.totalTokens).toBe(sum(asked) * each);
  expect(output.costUsd).toBeCloseTo((sum(asked) * each) / 1e6, 9);
}

const processes = ["the same process", "another process each time"] as const;

/** Runs to the end; each question is approved alone, in a separate process if there are others. */
async function toEnd(
  way: string,
  where: (typeof processes)[number],
  more: Options,
  look: (output: RunOutput, asked: Asked) => void = () => undefined,
): Promise<{ readonly output: RunOutput; readonly asked: Asked; readonly resumed: number }> {
  const asked: Asked = {};
  const store = memoryStore();
  let desk = deskOf(way, asked, store, more);
  let output = await desk.run("go");
  let resumed = 0;
  for (; output.status === "suspended" && resumed < 8; resumed += 1) {
    look(output, asked);
    if (where !== "the same process") desk = deskOf(way, asked, store, more);
    const [question] = output.interruptions;
    if (question === undefined) throw new Error("A suspended run has a question.");
    output = await desk.resume(output.runId, [question.approve()]);
  }
  look(output, asked);
  return { output, asked, resumed };
}

const cases = Object.keys(ways).flatMap((way) => processes.map((where) => [way, where] as const));

describe.each(cases)("a suspended %s, resumed in %s", (way, where) => {
  const { requests } = (ways[way] as (typeof ways)[string])({});

  test("counts in the outer run's usage and cost once, at each question and at the end [run.usage-by-agent] [run.usage-by-agent.own-runs]", async () => {
    const { output, asked, resumed } = await toEnd(way, where, {}, expectUsage);
    expect([output.status, sum(asked)]).toEqual(["completed", requests]);
    expect(resumed).toBeGreaterThan(0);
  });

  test("counts against the outer run's budget once [run.usage-by-agent.budget] [run.budget.reserve-settle]", async () => {
    // Enough for all requests but the last, and for asking the last: one count more or less changes the end.
    const enough = (requests - 1) * each + each - 1;
    for (const budget of [{ tokens: enough }, { usd: enough / 1e6 }]) {
      const { output, asked } = await toEnd(way, where, { budget });
      expect([output.stopReason, sum(asked)]).toEqual(["completed", requests]);
    }
    const { output, asked } = await toEnd(way, where, { budget: { tokens: (requests - 1) * each } });
    expect([output.stopReason, sum(asked)]).toEqual(["budget_exhausted", requests - 1]);
  });
});

test.each(processes)(
  "usage of a suspended agent reduces the budget of the other agent, in %s [run.usage-by-agent.budget]",
  async (where) => {
    const asked: Asked = {};
    const store = memoryStore();
    const way = "two agents as tools, side by side";
    // Three requests come before the questions, and this is less than one more.
    const more = { budget: { tokens: 3 * each } };
    let desk = deskOf(way, asked, store, more);
    const waiting = await desk.run("go");
    expect([waiting.interruptions.length, sum(asked)]).toEqual([2, 3]);
    if (where !== "the same process") desk = deskOf(way, asked, store, more);
    const approved = waiting.interruptions.slice(0, 1).map((one) => one.approve());
    const output = await desk.resume(waiting.runId, approved);
    expect([output.usage.totalTokens, sum(asked)]).toEqual([3 * each, 3]);
  },
);

test("an inner agent that ended before the outer process died is counted by the next process [run.usage-by-agent.budget]", async () => {
  const asked: Asked = {};
  const kept = memoryStore();
  let dies = true;
  const store: RunStore = {
    ...kept,
    append: (...all) =>
      dies && all[1].some(({ type }) => type === "tool.outcome")
        ? Promise.reject(new Error("disk full"))
        : kept.append(...all),
  };
  const desk = (budget: number): Agent => {
    const helper = says(asked, "helper");
    return agentOf(
      asked,
      "desk",
      ({ toolResults }) => (toolResults.length > 0 ? "Done." : call("helper", { input: "go" })),
      { tools: [helper.asTool()], store, budget: { tokens: budget } },
    );
  };
  const error = await desk(2 * each)
    .run("go")
    .catch((thrown: unknown) => thrown);
  dies = false;
  const { runId } = error as { readonly runId: string };
  expect(asked).toEqual({ desk: 1, helper: 1 });
  // The answer of the outer model was stored before the inner agent began: neither model is called again.
  const output = await desk(2 * each).resume(runId);
  expect([output.stopReason, output.usage.totalTokens, asked]).toEqual([
    "budget_exhausted",
    2 * each,
    { desk: 1, helper: 1 },
  ]);
});
