import { handoff, memoryStore, type Clock, type ToolExecutionContext } from "@bailiwick/core";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, calls, collect, failureOf, openAgent } from "../fixtures.test.helper.ts";
import { Agent, tool } from "../../src/index.ts";

const plain = { description: "A tool.", inputSchema: z.object({}), sideEffectClass: "pure" as const };

test("inputFilter of a handoff decides what the other agent reads [composition.handoff.input-filter]", async () => {
  const seen: string[] = [];
  const clerk = new Agent({
    ...openAgent,
    name: "clerk",
    model: scriptedModel((request) => {
      seen.push(...request.messages.map(({ text }) => text));
      return "Filed.";
    }),
  });
  const desk = new Agent({
    ...openAgent,
    name: "desk",
    model: scriptedModel([{ toolCalls: [{ name: "transfer_to_clerk" }] }]),
    handoffs: [
      handoff(clerk, {
        inputFilter: (messages) => messages.filter(({ role, content }) => role === "user" && content !== "private"),
      }),
    ],
  });
  const result = await desk.run("file it", { messages: [{ role: "user", content: "private" }] });
  expect(result.text).toBe("Filed.");
  expect(seen).toContain("file it");
  expect(seen).not.toContain("private");
});

test("reserveTokens stays free: the conversation is cut that many tokens earlier [messages.context-compactor-config]", async () => {
  const messages = Array.from({ length: 20 }, (_, index) => ({
    role: "user" as const,
    content: `message ${index} ${"word ".repeat(20)}`,
  }));
  const sent = async (reserveTokens: number): Promise<number> => {
    const model = scriptedModel(["Done."]);
    const contextCompactor = { maxContextTokens: 400, reserveTokens, strategy: "trim" as const };
    await new Agent({ ...openAgent, model, contextCompactor }).run("go", { messages });
    return model.requests[0]?.messages.length ?? 0;
  };
  expect(await sent(200)).toBeLessThan(await sent(0));
});

test("metrics report the time of models, tools and the first token by the clock [messages.run-metrics]", async () => {
  let now = 1_000;
  const clock: Clock = { now: () => now, setTimer: () => () => undefined };
  const slow = scriptedModel([addCall(), "Done."]);
  const model = {
    ...slow,
    async *stream(request: Parameters<typeof slow.stream>[0]) {
      now += 30;
      yield* slow.stream(request);
      now += 12;
    },
  };
  const lazy = tool({ ...plain, name: "add", execute: () => (now += 7) });
  const handle = new Agent({ ...openAgent, model, tools: [lazy], clock }).stream("go");
  await collect(handle);
  const { metrics } = await handle.result;
  expect(metrics).toMatchObject({ turns: 2, modelCalls: 2, toolMs: 7, timeToFirstTokenMs: 30 });
  expect(metrics.modelMs).toBeGreaterThanOrEqual(60);
});

test("cacheWriteTokens are summed, and providerMetrics are the last call's, unchanged [messages.token-usage]", async () => {
  const steps: ScriptStep[] = [addCall(), { text: "Done." }];
  const scripted = scriptedModel(
    steps.map((step) => ({ ...step, usage: { inputTokens: 50, outputTokens: 2, cacheWriteTokens: 20 } })),
  );
  let asked = 0;
  const model = {
    ...scripted,
    async generate(request: Parameters<typeof scripted.generate>[0]) {
      const response = await scripted.generate(request);
      asked += 1;
      return { ...response, usage: { ...response.usage, providerMetrics: { cache_creation: { tokens: asked } } } };
    },
  };
  const { usage } = await new Agent({ ...openAgent, model, tools: [add] }).run("go");
  expect(usage).toMatchObject({ cacheWriteTokens: 40, providerMetrics: { cache_creation: { tokens: 2 } } });
});

test("isEnabled gets the run's context and decides if the model sees the tool [tool.field.is-enabled]", async () => {
  const model = scriptedModel(() => "Done.");
  const paid = tool({ ...plain, name: "paid", isEnabled: (ctx) => ctx.metadata["plan"] === "pro", execute: () => 1 });
  const agent = new Agent({ ...openAgent, model, tools: [paid] });
  await agent.run("go", { metadata: { plan: "free" } });
  await agent.run("go", { metadata: { plan: "pro" } });
  expect(model.requests.map(({ tools }) => (tools ?? []).map(({ name }) => name))).toEqual([[], ["paid"]]);
});

test("sideEffectClass decides how a resume treats a call without an outcome [tool.field.side-effect-class]", async () => {
  const ends = async (sideEffectClass: "read-only" | "side-effecting"): Promise<string> => {
    const base = memoryStore();
    let fails = true;
    const store = {
      ...base,
      append: (...all: Parameters<typeof base.append>) =>
        fails && all[1].some(({ type }) => type === "tool.outcome")
          ? Promise.reject(new Error("disk full"))
          : base.append(...all),
    };
    const agent = new Agent({
      ...openAgent,
      store,
      model: calls({ name: "t" }),
      tools: [tool({ ...plain, name: "t", sideEffectClass, execute: () => "ran" })],
    });
    const error = await failureOf(agent.run("go"));
    fails = false;
    return (await agent.resume((error as { runId: string }).runId)).stopReason;
  };
  expect(await ends("read-only")).toBe("completed");
  expect(await ends("side-effecting")).toBe("awaiting_outcome");
});

test("with streamingHint a tool streams text as its result, and the run's stream shows it [tool.field.streaming-hint]", async () => {
  const story = tool({
    ...plain,
    name: "story",
    streamingHint: true,
    execute: (_input, ctx) => {
      ctx.streamContent("Once ");
      ctx.streamContent("upon a time.");
    },
  });
  const result = await new Agent({ ...openAgent, model: calls({ name: "story" }), tools: [story] }).run("go");
  expect(result.toolCalls[0]).toMatchObject({ isError: false, output: "Once upon a time." });
});

test("budget.usd stops a run before a request that would exceed it [options.budget]", async () => {
  const usage = { inputTokens: 1_000, outputTokens: 1_000 };
  const model = scriptedModel([{ ...addCall(), usage }, "Done."]);
  const prices = { "scripted/scripted-1": { input: 1_000, output: 1_000 } };
  const result = await new Agent({ ...openAgent, model, tools: [add], prices, budget: { usd: 1.5 } }).run("go");
  expect(result).toMatchObject({ status: "stopped", stopReason: "budget_exhausted" });
  expect(model.requests).toHaveLength(1);
});

test("usage and cost of an inner agent are included in the outer run's, per agent [composition.rolls-up]", async () => {
  const usage = { inputTokens: 100, outputTokens: 10 };
  const prices = { "scripted/scripted-1": { input: 1, output: 1 } };
  const inner = new Agent({ ...openAgent, name: "inner", prices, model: scriptedModel([{ text: "blue", usage }]) });
  const outer = new Agent({
    ...openAgent,
    name: "outer",
    prices,
    model: scriptedModel([
      { toolCalls: [{ name: "inner", arguments: { input: "colour?" } }], usage },
      { text: "Blue.", usage },
    ]),
    tools: [inner.asTool()],
  });
  const result = await outer.run("go");
  expect(result.usage.totalTokens).toBe(330);
  expect(result.usageByAgent).toMatchObject([
    { agentName: "outer", usage: { totalTokens: 220 } },
    { agentName: "inner", usage: { totalTokens: 110 } },
  ]);
  expect(result.costUsd).toBeCloseTo(330 / 1_000_000, 9);
});

test("ctx.runOptions passes its values to a run that the tool starts [tool.context.run-options]", async () => {
  const inside = scriptedModel(["inside"]);
  const expert = new Agent({ ...openAgent, name: "expert", model: scriptedModel(["its own model"]) });
  const ask = tool({
    ...plain,
    name: "ask",
    execute: async (_input, ctx) => (await expert.run("colour?", { ...ctx.runOptions, model: inside })).text,
  });
  const agent = new Agent({ ...openAgent, model: calls({ name: "ask" }), tools: [ask] });
  const result = await agent.run("go", { temperature: 0.25, maxTokens: 77 });
  expect(result.toolCalls[0]?.output).toBe("inside");
  expect(inside.requests[0]).toMatchObject({ temperature: 0.25, maxTokens: 77 });
});

test("a tool's context has the call's id, the run's variables and dependencies, and the tokens so far [tool.context.fields]", async () => {
  let seen: Pick<ToolExecutionContext, "toolCallId" | "extraVars" | "dependencies" | "usage"> | undefined;
  const look = tool({
    ...plain,
    name: "look",
    execute: (_input, ctx) => {
      const { toolCallId, extraVars, dependencies, usage } = ctx;
      seen = { toolCallId, extraVars, dependencies, usage };
      return "seen";
    },
  });
  const agent = new Agent({
    ...openAgent,
    model: calls({ name: "look" }),
    tools: [look],
    dependencies: { shop: "north" },
  });
  const result = await agent.run("go", { extraVars: { page: 2 } });
  const [first] = result.metrics.perRequest;
  expect(seen).toMatchObject({
    toolCallId: result.toolCalls[0]?.toolCallId,
    extraVars: { page: 2 },
    dependencies: { shop: "north" },
  });
  expect(seen?.usage.totalTokens).toBe(first?.totalTokens);
  expect(first?.totalTokens).toBeGreaterThan(0);
});

test("a tool's context says in which run and for which user it runs [tool.context.fields]", async () => {
  const seen: unknown[] = [];
  const look = tool({
    ...plain,
    name: "look",
    execute: (_input, ctx) => {
      const { toolName, runId, sessionId, userId, tenantId, metadata, step, attempt } = ctx;
      seen.push({ toolName, runId, sessionId, userId, tenantId, metadata, step, attempt, calls: ctx.messages.length });
      return "seen";
    },
  });
  const agent = new Agent({ ...openAgent, model: calls({ name: "look" }), tools: [look] });
  const result = await agent.run("go", { sessionId: "s", userId: "u", tenantId: "t", metadata: { plan: "pro" } });
  expect(seen).toEqual([
    {
      toolName: "look",
      runId: result.runId,
      sessionId: "s",
      userId: "u",
      tenantId: "t",
      metadata: { plan: "pro" },
      step: 1,
      attempt: 1,
      calls: 2,
    },
  ]);
});
