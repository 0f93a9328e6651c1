import {
  costExceeds,
  elapsed,
  hasToolCall,
  memoryStore,
  stepCountIs,
  tokensExceed,
  tool,
  type RunContext,
  type StopCondition,
  type Tool,
  type ToolResultLimit,
} from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { add, addCall, counter, failureOf, listeningLogger, quiet, writeCall } from "../fixtures.test.helper.ts";
import { Agent } from "../../src/index.ts";

const base = { name: "agent", logger: quiet } as const;

/** Number of turns of an endless run under a stop condition. */
async function turnsUnder(stopWhen: StopCondition | readonly StopCondition[]): Promise<number> {
  const model = scriptedModel((request) => ({
    ...addCall(request.turn, 1),
    usage: { inputTokens: 90, outputTokens: 10 },
  }));
  const prices = { "scripted/scripted-1": { input: 1, output: 1 } };
  let now = 0;
  const clock = { now: () => (now += 1), setTimer: () => () => undefined };
  const result = await new Agent({ ...base, model, tools: [add], stopWhen, prices, clock, maxTurns: 10 }).run("go");
  if (result.stopReason !== "max_turns") expect(result.stopReason).toBe("stop_condition");
  return model.requests.length;
}

test("stop conditions on calls [run.stop-when.step-count-is] [run.stop-when.has-tool-call] [run.stop-when.function]", async () => {
  expect(await turnsUnder(stepCountIs(4))).toBe(4);
  expect(await turnsUnder(hasToolCall("add"))).toBe(1);
  // The whole name counts, and only executed calls.
  const other: Tool = { ...(add as Tool), name: "add_all" };
  const model = scriptedModel([addCall(), "Done."]);
  const stopWhen = hasToolCall("add_all");
  expect((await new Agent({ ...base, model, tools: [add, other], stopWhen }).run("go")).stopReason).toBe("completed");
  // One of the turn's calls is enough.
  const both = scriptedModel([{ toolCalls: ["add", "add_all"].map((name) => ({ name, arguments: { a: 1, b: 2 } })) }]);
  const tools = [add, other];
  expect((await new Agent({ ...base, model: both, tools, stopWhen }).run("go")).stopReason).toBe("stop_condition");
  expect(await turnsUnder(async ({ messages }) => messages.length >= 5)).toBe(2);
});

test("tokensExceed(), costExceeds() and elapsed() stop a run when its usage reaches them [run.stop-when.tokens-exceed] [run.stop-when.cost-exceeds] [run.stop-when.elapsed]", async () => {
  expect(await turnsUnder(tokensExceed(250))).toBe(3);
  expect(await turnsUnder(costExceeds(0.00035))).toBe(4);
  expect(await turnsUnder(elapsed(1))).toBe(1);
  // A model without a price has an unknown cost, which does not stop the run.
  const unpriced = new Agent({ ...base, model: scriptedModel([addCall(), "Done."]), tools: [add] });
  expect((await unpriced.run("go", { stopWhen: costExceeds(0.001) })).stopReason).toBe("completed");
});

test("any condition of an array stops the run [run.stop-when.any-of-array]", async () => {
  expect(await turnsUnder([stepCountIs(9), tokensExceed(150)])).toBe(2);
});

test("a condition that names an unknown tool is refused when the run starts", async () => {
  const error = await failureOf(
    new Agent({ ...base, model: scriptedModel(["never"]), tools: [add], stopWhen: hasToolCall("ad") }).run("go"),
  );
  expect(error).toMatchObject({ code: "UNKNOWN_TOOL_NAME" });
});

test("instructions may be a function of the run context [options.instructions-function] [messages.run-context]", async () => {
  const model = scriptedModel(["Hola."]);
  const agent = new Agent({
    ...base,
    model,
    dependencies: { shop: "north", page: 1 },
    instructions: (ctx: RunContext) =>
      `Speak ${String(ctx.metadata["language"])} to ${ctx.userId} of ${(ctx.dependencies as { shop: string; page: number }).shop} ${(ctx.dependencies as { page: number }).page}.`,
  });
  await agent.run("go", { metadata: { language: "Spanish" }, userId: "u1", dependencies: { page: 2 } });
  expect(model.requests[0]?.messages[0]).toMatchObject({ role: "system", content: "Speak Spanish to u1 of north 2." });
});

test("tools may be resolved per run [options.tools-resolver]", async () => {
  const model = scriptedModel(() => "Done.");
  const agent = new Agent({ ...base, model, tools: (ctx) => (ctx.userId === "admin" ? [add] : []) });
  await agent.run("go", { userId: "admin" });
  await agent.run("go");
  expect(model.requests.map((request) => request.tools?.length ?? 0)).toEqual([1, 0]);
});

test("tools are offered to the model that a step chooses [field-bug:PB-runner-01]", async () => {
  const one = scriptedModel([addCall()], { modelId: "one" });
  const two = scriptedModel(["Done."], { modelId: "two" });
  await new Agent({
    ...base,
    model: one,
    tools: [add],
    prepareStep: ({ step }) => ({ model: step === 1 ? one : two }),
  }).run("go");
  expect([one, two].map((model) => model.requests[0]?.tools?.map((each) => ("name" in each ? each.name : "")))).toEqual(
    [["add"], ["add"]],
  );
});

test("a forced choice is reset to auto once a tool was called [options.tool-choice]", async () => {
  const model = scriptedModel([addCall(), "Done."]);
  await new Agent({ ...base, model, tools: [add], toolChoice: "required" }).run("go");
  expect(model.requests.map(({ toolChoice }) => toolChoice)).toEqual(["required", "auto"]);
});

test.each([{ tool: "add" }, { toolName: 5 }, { type: "tool", toolName: "add" }, "always", null])(
  "an invalid tool choice, %j, is refused [options.tool-choice]",
  async (wrong) => {
    const settings = { toolChoice: wrong as never };
    expect(() => new Agent({ ...base, model: scriptedModel([]), tools: [add], ...settings })).toThrow(
      /toolChoice must be "auto"/,
    );
    const agent = new Agent({ ...base, model: scriptedModel([]), tools: [add] });
    await expect(agent.run("go", settings)).rejects.toMatchObject({ code: "INVALID_OPTION" });
    await expect(agent.run("go", { prepareStep: () => settings })).rejects.toMatchObject({ code: "INVALID_OPTION" });
  },
);

test.each([["tool"], "tools", [5]])(
  "an invalid order of sections, %j, is refused [messages.context-compactor-config.priority-order]",
  (priorityOrder) => {
    const contextCompactor = {
      maxContextTokens: 1_000,
      strategy: "trim",
      priorityOrder: priorityOrder as never,
    } as const;
    expect(() => new Agent({ ...base, model: scriptedModel([]), contextCompactor })).toThrow(
      /priorityOrder must be a list whose entry is one of "system"/u,
    );
  },
);

test("a setting that a step cannot change, or an unknown tool, is refused by name [hooks.prepare-step]", async () => {
  const agent = new Agent({ ...base, model: scriptedModel([]), tools: [add] });
  await expect(agent.run("go", { prepareStep: () => ({ tools: ["add"] }) as never })).rejects.toThrow(
    /"tools" is not a setting that "prepareStep" may change. Did you mean "activeTools"/,
  );
  await expect(agent.run("go", { prepareStep: () => ({ activeTools: ["ad"] }) })).rejects.toThrow(/"ad"/);
});

test("a count that is not a whole number is refused", () => {
  for (const settings of [{ maxTurns: 1.5 }, { toolConcurrency: 2.5 }, { retry: { maxRetries: 0.5 } }])
    expect(() => new Agent({ ...base, model: scriptedModel([]), ...settings })).toThrow(/must be a whole number/);
});

test("an option group refuses unknown names", () => {
  const make = (settings: object) => (): unknown => new Agent({ ...base, model: scriptedModel([]), ...settings });
  expect(make({ contextCompactor: { maxTokens: 5 } })).toThrow(/contextCompactor.maxTokens.*maxContextTokens/);
  expect(make({ toolResultLimit: { maxLength: 5 } })).toThrow(/toolResultLimit.maxLength/);
  expect(make({ reasoning: { enabled: true, level: "high" } })).toThrow(/reasoning.level/);
  expect(make({ keys: { signing: "x" } })).toThrow(/keys.signing.*sign/);
});

test.each(["fast", "balanced", "smart"] as const)(
  "a tool's preferredModel tier %s chooses the model that reads its result [options.model-tiers]",
  async (tier) => {
    const other = scriptedModel(["Done."], { modelId: "other" });
    const hard = tool({
      name: "hard",
      description: "Hard.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      preferredModel: tier,
      execute: () => "x",
    });
    const result = await new Agent({
      ...base,
      model: scriptedModel([{ toolCalls: [{ name: "hard" }] }]),
      tools: [hard],
      modelTiers: { [tier]: other },
    }).run("go");
    expect(result.model).toBe("other");
  },
);

test("8 calls run at once by default [options.tool-concurrency]", async () => {
  let active = 0;
  let most = 0;
  const slow = tool({
    name: "slow",
    description: "Slow.",
    inputSchema: z.object({ n: z.number() }),
    sideEffectClass: "pure",
    execute: async () => {
      most = Math.max(most, (active += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      active -= 1;
      return "x";
    },
  });
  const calls = Array.from({ length: 20 }, (_, n) => ({ name: "slow", arguments: { n } }));
  const model = scriptedModel((request) => (request.toolResults.length === 0 ? { toolCalls: calls } : "Done."));
  await new Agent({ ...base, model, tools: [slow] }).run("go");
  expect(most).toBe(8);
  most = 0;
  await new Agent({ ...base, model, tools: [slow], toolConcurrency: 2 }).run("go");
  expect(most).toBe(2);
});

test("three prompts are suggested if requested, and none otherwise [options.generate-followups]", async () => {
  const model = scriptedModel(["Answer.", '{"prompts": ["a?", "b?", "c?", "d?"]}', "Answer.", "no json"]);
  const agent = new Agent({ ...base, model });
  const asked = await agent.run("go", { generateFollowups: true });
  expect(asked.followupSuggestions).toEqual(["a?", "b?", "c?"]);
  expect(asked.metrics.modelCalls).toBe(2);
  // The model that suggests reads both sides of the conversation.
  expect(model.requests[1]?.messages.at(-1)?.content).toBe("user: go\nassistant: Answer.");
  const plain = await agent.run("go");
  expect(plain.followupSuggestions).toBeUndefined();
  expect(model.requests).toHaveLength(3);
  expect((await agent.run("go", { generateFollowups: true }).catch((error: unknown) => error)) as object).toMatchObject(
    { followupSuggestions: [] },
  );
  const refusing = scriptedModel([{ text: "I can't help with that.", finish: "content_filter" }]);
  const refused = new Agent({ ...base, model: refusing }).run("go", { generateFollowups: true });
  expect(await refused).toMatchObject({ stopReason: "refused", followupSuggestions: undefined });
  expect(refusing.requests).toHaveLength(1);
});

test("the same script, clock and ids create the same journal [options.clock-and-ids] [journal.deterministic]", async () => {
  const play = async (): Promise<unknown> => {
    let now = 0;
    let id = 0;
    const clock = { now: () => now, setTimer: () => () => undefined };
    const ids = { next: (kind: string) => `${kind}-${(id += 1)}` };
    const slow = tool({
      name: "add",
      description: "Adds two numbers.",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => ((now += 7), a + b),
    });
    const agent = new Agent({
      ...base,
      model: scriptedModel([addCall(), "Done."]),
      tools: [slow],
      clock,
      ids,
      store: memoryStore({ clock, ids }),
    });
    const { runId } = await agent.run("go");
    return (await agent.inspect(runId)).events;
  };
  expect(await play()).toEqual(await play());
});

test("by default the session is a new UUID and metadata is empty [messages.run-defaults]", async () => {
  let seen: RunContext | undefined;
  const result = await new Agent({
    ...base,
    model: scriptedModel(["x"]),
    hooks: { beforeRun: (ctx) => void (seen = ctx) },
  }).run("go");
  expect(result.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(seen?.metadata).toEqual({});
  expect(seen?.dependencies).toEqual({});
});

test("onStart, onComplete and onError receive the documented arguments [options.run.callbacks]", async () => {
  const seen: unknown[] = [];
  const callbacks = {
    onStart: (...args: unknown[]) => void seen.push(["start", ...args]),
    onComplete: (...args: unknown[]) => void seen.push(["complete", ...args]),
    onError: (...args: unknown[]) => void seen.push(["error", ...args]),
  };
  const output = await new Agent({ ...base, model: scriptedModel(["x"]) }).run("go", callbacks);
  expect(seen).toEqual([
    ["start", "agent"],
    ["complete", "agent", output],
  ]);
  seen.length = 0;
  const error = await failureOf(
    new Agent({ ...base, model: scriptedModel([{ faults: { error: { status: 400 } } }]) }).run("go", callbacks),
  );
  expect(seen).toEqual([
    ["start", "agent"],
    ["error", "agent", error],
  ]);
});

test("a run can make policies stricter but not weaker [options.run.tighten-only]", async () => {
  const { write, ran } = counter();
  const agent = new Agent({
    ...base,
    model: scriptedModel(() => writeCall()),
    tools: [write],
    approval: { policy: "all" },
    budget: { tokens: 50_000 },
    flow: "enforce",
  });
  expect((await agent.run("go", { approval: { policy: "none" } })).status).toBe("suspended");
  expect((await agent.run("go", { budget: { tokens: 10 } })).stopReason).toBe("budget_exhausted");
  expect(await failureOf(agent.run("go", { flow: "off" }))).toMatchObject({ code: "WEAKER_POLICY" });
  expect(ran).toEqual([]);
  const verdicts: string[] = [];
  const pass = (name: string) => ({ name, validate: () => (verdicts.push(name), { pass: true } as const) });
  await new Agent({ ...base, model: scriptedModel(["x"]), guardrails: { input: [pass("agent's")] } }).run("go", {
    guardrails: { input: [pass("run's")] },
  });
  expect(verdicts).toEqual(["agent's", "run's"]);
});

test("earlier messages are accepted in either form, and giving both options throws [messages.conversation-history]", async () => {
  const model = scriptedModel(() => "x");
  const agent = new Agent({ ...base, model });
  const before = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello." },
  ] as const;
  await agent.run("go", { conversationHistory: before });
  expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(await failureOf(agent.run("go", { messages: before, conversationHistory: before }))).toMatchObject({
    code: "CONFLICTING_OPTIONS",
  });
});

test("unknown options, misplaced groups and impossible settings are refused, and the right name is suggested", async () => {
  const model = scriptedModel([]);
  const make = (options: object) => () => new Agent({ ...base, model, ...options });
  expect(make({ structuredOutput: z.object({}) })).toThrow('Did you mean "output"?');
  expect(make({ maxTurn: 3 })).toThrow('Did you mean "maxTurns"?');
  expect(make({ hooks: { beforeLLMCall: () => undefined } })).toThrow("hooks.beforeLLMCall");
  expect(make({ hooks: { beforeRun: "x" } })).toThrow("must be a function");
  expect(make({ model: "openai/gpt" })).toThrow('no "models" registry');
  expect(make({ toolResultLimit: { strategy: "summarize" } })).toThrow("toolResultLimit.model");
  expect(make({ maxTurns: 0 })).toThrow("maxTurns");
  expect(make({ approval: { timeoutAction: "approve" }, tools: [counter().write] })).toThrow("without an answer");
  expect(await failureOf(new Agent({ ...base, model }).run("go", { stopWen: stepCountIs(1) } as object))).toMatchObject(
    { code: "UNKNOWN_OPTION" },
  );
});

test("hooks that are not functions are refused at once [field-bug:PB-hooks-02]", () => {
  expect(
    () => new Agent({ ...base, model: scriptedModel([]), loopHooks: { beforeRun: () => undefined } as object }),
  ).toThrow("loopHooks.beforeRun");
  for (const wrong of [{ loopHooks: { beforeLLMCall: "log" } }, { hooks: { beforeRun: [] } }, { hooks: 5 }])
    expect(() => new Agent({ ...base, model: scriptedModel([]), ...(wrong as object) })).toThrow(
      /ooks(\.\w+|" of an agent) must be /u,
    );
});

test("the same idempotency key returns the same run [seams.options.idempotency-key]", async () => {
  const model = scriptedModel(() => "x");
  const agent = new Agent({ ...base, model, store: memoryStore() });
  const [first, second] = [
    await agent.run("go", { idempotencyKey: "k" }),
    await agent.run("go", { idempotencyKey: "k" }),
  ];
  expect(second.runId).toBe(first.runId);
  expect(second.text).toBe("x");
  expect(model.requests).toHaveLength(1);
});

test("a run that passes its deadline fails as expired [seams.options.deadline-at]", async () => {
  const silent = scriptedModel(() => ({ faults: { hangAfterEvents: 0 } }));
  expect(
    await failureOf(new Agent({ ...base, model: silent }).run("go", { deadlineAt: Date.now() + 20 })),
  ).toMatchObject({ code: "RUN_EXPIRED" });
  const agent = new Agent({ ...base, model: silent });
  const { runId } = await agent.enqueue("go", { deadlineAt: Date.now() + 20 });
  expect(await failureOf(agent.resume(runId))).toMatchObject({ code: "RUN_EXPIRED" });
});

test("a run's settings reach the model and win over the agent's [options.agent] [options.run]", async () => {
  const model = scriptedModel(() => "x");
  const agent = new Agent({
    ...base,
    model,
    temperature: 0.1,
    maxTokens: 100,
    reasoning: { enabled: true },
    providerOptions: { scripted: { a: 1 } },
    topP: 0.2,
    stopSequences: ["END"],
    parallelToolCalls: false,
  });
  await agent.run("go", {
    temperature: 0.9,
    topP: 0.3,
    stopSequences: ["STOP"],
    apiKey: "k",
    enableCaching: false,
    includeRawEvents: true,
    sessionId: "s",
  });
  expect(model.requests[0]).toMatchObject({
    temperature: 0.9,
    maxTokens: 100,
    reasoning: { enabled: true },
    providerOptions: { scripted: { a: 1 } },
    topP: 0.3,
    stopSequences: ["STOP"],
    parallelToolCalls: false,
    apiKey: "k",
    caching: false,
    includeRawEvents: true,
    sessionId: "s",
  });
});

test("verbose logs each step, without secrets; without it nothing is logged [options.verbose]", async () => {
  const logger = listeningLogger();
  const leak = tool({
    name: "leak",
    description: "Reads a key.",
    inputSchema: z.object({ q: z.string() }),
    sideEffectClass: "read-only",
    secretsAllowed: ["KEY"],
    execute: ({ q }) => `found ${q} with sk-very-secret`,
  });
  const agent = new Agent({
    ...base,
    logger,
    secrets: { name: "test", has: (name) => name === "KEY", get: () => "sk-very-secret" },
    model: scriptedModel([
      { toolCalls: [{ name: "leak", arguments: { q: "x" } }], usage: { inputTokens: 12, outputTokens: 5 } },
      { text: "The answer.", usage: { inputTokens: 60, outputTokens: 3 } },
      "Again.",
    ]),
    tools: [leak],
  });
  await agent.run("go", { verbose: true });
  const steps = logger.lines
    .filter((line) => line.startsWith("[agent "))
    .map((line) => line.replace(/^\[[^\]]*\] /, "").replaceAll(/\d+ ms/g, "N ms"));
  expect(steps).toEqual([
    "starts",
    "turn 1: asks scripted/scripted-1, attempt 1",
    "turn 1: answered (tool_calls, 12 + 5 tokens, N ms)",
    'turn 1: calls leak {"q":"x"}',
    "turn 1: leak returned (N ms): found x with [secret KEY]",
    "turn 2: asks scripted/scripted-1, attempt 1",
    "turn 2: answered (stop, 60 + 3 tokens, N ms): The answer.",
    "ends: completed (N ms)",
  ]);
  const before = logger.lines.length;
  await agent.run("go");
  expect(logger.lines.slice(before).filter((line) => line.startsWith("[agent "))).toEqual([]);
});

/** The text that the model reads for a tool that returns text. */
async function readOf(
  text: string,
  fields: Partial<Pick<Tool, "maxResultTokens" | "truncationStrategy">>,
  toolResultLimit?: ToolResultLimit,
): Promise<string> {
  const gives = tool({
    name: "gives",
    description: "Gives.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    inboundSanitization: "pass-through",
    execute: () => text,
    ...fields,
  });
  const model = scriptedModel([{ toolCalls: [{ name: "gives", arguments: {} }] }, "Done."]);
  await new Agent({ ...base, model, tools: [gives], toolResultLimit }).run("go");
  const content = model.requests[1]?.messages.find(({ role }) => role === "tool")?.content;
  return typeof content === "string" ? content : JSON.stringify(content);
}

test("toolResultLimit is off by default; when set, it limits tools without their own limit to 5,000 tokens or the given number [options.tool-result-limit] [messages.tool-result-limit]", async () => {
  const long = "a".repeat(30_000);
  expect(await readOf(long, {})).toBe(long);
  expect((await readOf(long, {}, { strategy: "middle" })).length).toBeLessThanOrEqual(20_000);
  expect(await readOf("a".repeat(20_000), {}, { strategy: "middle" })).toHaveLength(20_000);
  expect((await readOf(long, {}, { maxTokens: 125, strategy: "tail" })).length).toBeLessThanOrEqual(500);
  expect(await readOf(long, { maxResultTokens: 10_000 }, { maxTokens: 125, strategy: "tail" })).toBe(long);
  const both = `${"a".repeat(600)}${"z".repeat(600)}`;
  expect(await readOf(both, {}, { maxTokens: 125, strategy: "tail" })).toMatch(/^\[.*\]\nz+$/);
  expect(await readOf(both, { truncationStrategy: "middle" }, { maxTokens: 125, strategy: "tail" })).toMatch(/^a.*z$/s);
  expect(await readOf(both, {}, { maxTokens: 125, strategy: "spill" })).toContain("read_result");
  expect(await readOf(long, {}, { maxTokens: 0 })).toBe(long);
  for (const wrong of [{ strategy: "truncate" }, { maxTokens: -1 }, { maxTokens: 1.5 }])
    expect(() => new Agent({ ...base, model: scriptedModel([]), toolResultLimit: wrong as never })).toThrow(
      /toolResultLimit/,
    );
});

test("the summarize strategy calls its model once, outside the conversation [messages.tool-result-limit]", async () => {
  const summarizer = scriptedModel(["In short: many a."]);
  const read = await readOf("a".repeat(600), {}, { maxTokens: 125, strategy: "summarize", model: summarizer });
  expect(read).toContain("In short: many a.");
  expect(summarizer.requests).toHaveLength(1);
});

test("the estimate counts a token for every four bytes, for all characters [options.max-result-tokens-count]", async () => {
  for (const character of ["a", "é", "漢", "🙂"]) {
    const bytes = new TextEncoder().encode(character).length;
    const fits = character.repeat(Math.floor(400 / bytes));
    expect(await readOf(fits, { maxResultTokens: 100 })).toBe(fits);
    const tooLong = character.repeat(Math.floor(400 / bytes) + 1);
    const read = await readOf(tooLong, { maxResultTokens: 100 });
    expect(read).not.toBe(tooLong);
    expect(new TextEncoder().encode(read).length).toBeLessThanOrEqual(400);
    expect(await readOf(tooLong, { maxResultTokens: 100 })).toBe(read);
  }
});
