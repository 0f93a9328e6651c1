import { Agent, env, memoryStore, tool } from "@bailiwick/agent";
import type { AgentOptions, Tool, ToolExecutionContext } from "@bailiwick/agent";
import { scriptedModel } from "@bailiwick/testing";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import { z } from "zod";
import { otel } from "./index.ts";
import type { OtelOptions } from "./index.ts";
import { recorded, withContextManager } from "./recorded.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A tool that finds an order. */
const finding = (
  execute: (order: string, ctx: ToolExecutionContext) => unknown,
  more: { readonly secretsAllowed?: readonly string[] } = {},
): Tool =>
  tool({
    ...more,
    name: "find",
    description: "Finds an order.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    execute: async ({ order }, ctx) => execute(order, ctx),
  });
const find = finding((order) => `found ${order}`);

const callsFind = { toolCalls: [{ name: "find", arguments: { order: "private-1042" } }] };

function desk(sink: ReturnType<typeof recorded>, more: Partial<AgentOptions> = {}, options: OtelOptions = {}): Agent {
  const { tracerProvider, meterProvider } = sink;
  return new Agent({
    name: "desk",
    description: "Looks orders up.",
    model: scriptedModel([callsFind, "It is on its way."]),
    tools: [find],
    logger: quiet,
    telemetry: otel({ tracerProvider, meterProvider, ...options }),
    ...more,
  });
}

test("a run is a span, and its model calls and tools are spans inside it [feature:S170]", async () => {
  const sink = recorded();
  const output = await desk(sink).run("Where is private-1042?");
  expect(sink.spans().map(sink.pathOf)).toEqual([
    "invoke_agent desk > chat scripted-1",
    "invoke_agent desk > policy find",
    "invoke_agent desk > execute_tool find",
    "invoke_agent desk > chat scripted-1",
    "invoke_agent desk",
  ]);
  const [chat, , execute, , run] = sink.spans();
  expect(run?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": "desk",
    "gen_ai.agent.description": "Looks orders up.",
    "gen_ai.conversation.id": output.sessionId,
    "bailiwick.run.id": output.runId,
    "bailiwick.run.status": "completed",
    "gen_ai.usage.input_tokens": output.usage.inputTokens,
    "gen_ai.usage.output_tokens": output.usage.outputTokens,
  });
  expect(chat?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "scripted-1",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.output.type": "text",
  });
  expect(execute?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "find",
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": output.toolCalls[0]?.toolCallId,
    "bailiwick.tool.side_effect_class": "read-only",
  });
});

test("durations and tokens are measured under the convention's names [feature:S171]", async () => {
  const sink = recorded();
  const { usage } = await desk(sink).run("Where is it?");
  const [model] = await sink.points("gen_ai.client.operation.duration");
  expect(model).toMatchObject({
    count: 2,
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": "scripted-1" },
  });
  expect(await sink.points("gen_ai.execute_tool.duration")).toMatchObject([
    { count: 1, attributes: { "gen_ai.tool.name": "find" } },
  ]);
  expect(await sink.points("gen_ai.invoke_agent.duration")).toMatchObject([
    { count: 1, attributes: { "gen_ai.agent.name": "desk" } },
  ]);
  const tokens = await sink.points("gen_ai.client.token.usage");
  expect(
    tokens.map(({ attributes, sum }) => [(attributes as Record<string, unknown>)["gen_ai.token.type"], sum]),
  ).toEqual([
    ["input", usage.inputTokens],
    ["output", usage.outputTokens],
  ]);
  expect(await sink.points("gen_ai.client.operation.time_to_first_chunk")).toEqual([]);
  const streamed = recorded();
  for await (const event of desk(streamed).stream("Where is it?")) void event;
  expect(await streamed.points("gen_ai.client.operation.time_to_first_chunk")).toMatchObject([{ count: 2 }]);
});

test("content is recorded only with the option, and without secrets", async () => {
  process.env["SHOP_KEY"] = "sk-very-secret-value";
  const leaking = finding((order) => `found ${order} with sk-very-secret-value`, { secretsAllowed: ["SHOP_KEY"] });
  const plain = recorded();
  await desk(plain, { secrets: env(), tools: [leaking] }).run("Where is private-1042?");
  const all = JSON.stringify(
    plain.spans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
  );
  expect(all).not.toContain("private-1042");
  expect(all).not.toContain("on its way");

  const full = recorded();
  await desk(
    full,
    { secrets: env(), tools: [leaking], instructions: "Be brief." },
    { inputs: true, outputs: true },
  ).run("Where is private-1042?");
  const [, , execute, chat, run] = full.spans();
  expect(run?.attributes["gen_ai.input.messages"]).toBe(
    '[{"role":"user","parts":[{"type":"text","content":"Where is private-1042?"}]}]',
  );
  expect(run?.attributes["gen_ai.output.messages"]).toContain("It is on its way.");
  expect(execute?.attributes["gen_ai.tool.call.arguments"]).toBe('{"order":"private-1042"}');
  expect(execute?.attributes["gen_ai.tool.call.result"]).toContain("found private-1042");
  expect(chat?.attributes["gen_ai.system_instructions"]).toContain("Be brief.");
  expect(JSON.parse(String(chat?.attributes["gen_ai.tool.definitions"]))).toMatchObject([
    { type: "function", name: "find", description: "Finds an order.", parameters: { type: "object" } },
  ]);
  const read = JSON.parse(String(chat?.attributes["gen_ai.input.messages"])) as {
    readonly role: string;
    readonly parts: readonly { readonly type: string }[];
  }[];
  expect(read.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
    ["user", ["text"]],
    ["assistant", ["tool_call"]],
    ["tool", ["tool_call_response"]],
  ]);
  expect(JSON.stringify(full.spans().map(({ attributes }) => attributes))).not.toContain("sk-very-secret-value");
  delete process.env["SHOP_KEY"];
});

test("inputs and outputs have separate switches [telemetry.content]", async () => {
  const attributesWith = async (options: OtelOptions): Promise<string> => {
    const sink = recorded();
    await desk(sink, {}, options).run("Where is private-1042?");
    return sink
      .spans()
      .flatMap(({ attributes }) => Object.keys(attributes))
      .join(" ");
  };
  const inputs = ["gen_ai.input.messages", "gen_ai.tool.definitions", "gen_ai.tool.call.arguments"];
  const outputs = ["gen_ai.output.messages", "gen_ai.tool.call.result"];
  const [neither, onlyInputs, onlyOutputs] = [
    await attributesWith({}),
    await attributesWith({ inputs: true }),
    await attributesWith({ outputs: true }),
  ];
  for (const name of inputs)
    expect([neither, onlyInputs, onlyOutputs].map((all) => all.includes(name))).toEqual([false, true, false]);
  for (const name of outputs)
    expect([neither, onlyInputs, onlyOutputs].map((all) => all.includes(name))).toEqual([false, false, true]);
});

test("the text of an error is recorded only with outputs, because it may quote content [telemetry.content]", async () => {
  for (const [options, isShown] of [
    [{}, false],
    [{ inputs: true }, false],
    [{ outputs: true }, true],
  ] as const) {
    const sink = recorded();
    const failing = finding((order) => {
      throw new Error(`There is no order ${order}.`);
    });
    await desk(sink, { tools: [failing] }, options).run("Where is it?");
    const statuses = JSON.stringify(sink.spans().map(({ status }) => status));
    expect([options, statuses.includes("There is no order private-1042.")]).toEqual([options, isShown]);
  }
});

test("decisions, handoffs, compactions and recalled memories are spans inside the run [telemetry.moments]", () => {
  const sink = recorded();
  const { tracerProvider, meterProvider } = sink;
  const telemetry = otel({ tracerProvider, meterProvider });
  const owner = { runId: "r1", agentName: "desk", agentId: "d1", sessionId: "s1", startedAt: 1_000, endedAt: 61_000 };
  const call = { toolName: "pay", toolCallId: "c1" };
  const run = telemetry.startRun({
    ...owner,
    agentDescription: undefined,
    userId: undefined,
    tenantId: undefined,
    modelProvider: "openai",
    model: "m",
    resumed: false,
    input: undefined,
  });
  const note = telemetry.noteMoment?.bind(telemetry);
  note?.({ ...owner, ...call, kind: "policy", verdict: "ask", rule: "R2", shadow: true, explanation: "Why." });
  note?.({ ...owner, ...call, kind: "approval", decision: "approve", via: "resume", decidedBy: "ana" });
  note?.({ ...owner, kind: "handoff", fromAgent: "desk", toAgent: "billing" });
  note?.({ ...owner, kind: "compaction", strategy: "summarize", droppedMessages: 4 });
  note?.({ ...owner, kind: "memory", memoryIds: ["m1"] });
  run.end({ error: undefined });
  expect(sink.spans().map(sink.pathOf)).toEqual(
    ["policy pay", "approval pay", "handoff billing", "compact", "search_memory"]
      .map((name) => `invoke_agent desk > ${name}`)
      .concat("invoke_agent desk"),
  );
  const moments = sink.spans().slice(0, -1);
  expect(moments.map(({ startTime, endTime }) => [startTime[0], endTime[0]])).toEqual(moments.map(() => [1, 61]));
  const common = {
    "gen_ai.agent.name": "desk",
    "gen_ai.agent.id": "d1",
    "gen_ai.conversation.id": "s1",
    "bailiwick.run.id": "r1",
  };
  const called = { "gen_ai.tool.name": "pay", "gen_ai.tool.call.id": "c1" };
  expect(moments.map(({ attributes }) => attributes)).toEqual([
    {
      ...common,
      ...called,
      "gen_ai.operation.name": "policy",
      "bailiwick.policy.verdict": "ask",
      "bailiwick.policy.rule": "R2",
      "bailiwick.policy.shadow": true,
      "bailiwick.policy.explanation": "Why.",
    },
    {
      ...common,
      ...called,
      "gen_ai.operation.name": "approval",
      "bailiwick.approval.decision": "approve",
      "bailiwick.approval.via": "resume",
    },
    {
      ...common,
      "gen_ai.operation.name": "handoff",
      "bailiwick.handoff.from": "desk",
      "bailiwick.handoff.to": "billing",
    },
    {
      ...common,
      "gen_ai.operation.name": "compact",
      "bailiwick.compaction.strategy": "summarize",
      "bailiwick.compaction.dropped_messages": 4,
    },
    {
      ...common,
      "gen_ai.operation.name": "search_memory",
      "bailiwick.memory.count": 1,
      "bailiwick.memory.ids": ["m1"],
    },
  ]);
});

test("an approval's span starts when the run asked, also if another process resumes it [telemetry.moments]", async () => {
  const store = memoryStore();
  const asking = tool({
    name: "find",
    description: "Finds an order.",
    inputSchema: z.object({ order: z.string() }),
    sideEffectClass: "read-only",
    needsApproval: true,
    execute: () => "found",
  });
  let now = 1_000_000;
  const clock = { now: () => now, setTimer: () => () => undefined };
  const suspended = await desk(recorded(), { tools: [asking], store, clock }).run("Where is it?");
  now += 86_400_000;
  const next = recorded();
  await desk(next, { tools: [asking], store, clock, model: scriptedModel(() => "Done.") }).resume(
    suspended.runId,
    suspended.interruptions.map((one) => one.approve()),
  );
  const approval = next.spans().find(({ name }) => name === "approval find");
  expect([approval?.startTime[0], approval?.endTime[0]]).toEqual([1_000, 87_400]);
  expect(approval?.attributes).toMatchObject({ "bailiwick.approval.decision": "approve" });
});

test("spans created by a tool are children of its span, also those of an inner agent", async () => {
  using _registered = withContextManager();
  const sink = recorded();
  const tracer = sink.tracerProvider.getTracer("the shop's own");
  const looking = finding(() =>
    tracer.startActiveSpan("query", async (span) => (await Promise.resolve(), span.end(), "found")),
  );
  const inner = desk(sink, { name: "inner", tools: [looking] });
  const outer = desk(sink, {
    name: "outer",
    model: scriptedModel([{ toolCalls: [{ name: "inner", arguments: { input: "Look." } }] }, "Done."]),
    tools: [inner.asTool()],
  });
  await tracer.startActiveSpan("request", async (span) => {
    await outer.run("Where is it?");
    span.end();
  });
  const paths = sink.spans().map(sink.pathOf);
  const inside = "request > invoke_agent outer > execute_tool inner > invoke_agent inner";
  expect(paths).toContain(`${inside} > execute_tool find > query`);
  expect(paths).toContain(`${inside} > chat scripted-1`);
  expect(trace.getActiveSpan()).toBeUndefined();
});

test("errors have their kind; a suspended call is not an error, and continues in a span of the next process", async () => {
  const failing = finding(() => Promise.reject(new Error("private words")));
  const sink = recorded();
  await desk(sink, { tools: [failing] }).run("Where is it?");
  const execute = sink.spans().find(({ name }) => name === "execute_tool find");
  expect(execute?.attributes["error.type"]).toBe("execution_failed");
  expect(execute?.status).toEqual({ code: 2 });
  expect(await sink.points("gen_ai.execute_tool.duration")).toMatchObject([
    { attributes: { "error.type": "execution_failed" } },
  ]);

  const store = memoryStore();
  const asking = finding((_order, ctx) => ctx.ask({ question: "Which?", schema: z.string() }));
  const waiting = recorded();
  const suspended = await desk(waiting, { tools: [asking], store }).run("Where is it?");
  expect(waiting.spans().find(({ name }) => name === "execute_tool find")?.attributes["bailiwick.tool.waiting"]).toBe(
    true,
  );
  expect(waiting.spans().at(-1)?.attributes).toMatchObject({
    "bailiwick.run.status": "suspended",
    "bailiwick.run.resumed": false,
  });
  expect(waiting.spans().at(-1)?.status.code).toBe(0);
  const next = recorded();
  const decisions = suspended.interruptions.map((one) => one.answer("1042"));
  await desk(next, { tools: [asking], store, model: scriptedModel(() => "Done.") }).resume(suspended.runId, decisions);
  expect(next.spans().map(sink.pathOf)).toEqual(["execute_tool find", "chat scripted-1", "invoke_agent desk"]);
  expect(next.spans().at(-1)?.attributes).toMatchObject({
    "bailiwick.run.resumed": true,
    "bailiwick.run.status": "completed",
  });
});

test("a run whose model fails is a failed span", async () => {
  const sink = recorded();
  const broken = scriptedModel(() => {
    throw new Error("no network");
  });
  await expect(desk(sink, { model: broken, retry: { maxRetries: 0 } }).run("Where is it?")).rejects.toThrow(
    "no network",
  );
  expect(sink.spans().map(({ name, status }) => [name, status.code])).toEqual([
    ["chat scripted-1", 2],
    ["invoke_agent desk", 2],
  ]);
});

test("the user is recorded only with the option", async () => {
  const who = { userId: "ana", tenantId: "north" };
  const [plain, named] = [recorded(), recorded()];
  await desk(plain).run("Where is it?", who);
  await desk(named, {}, { identities: true }).run("Where is it?", who);
  expect(plain.spans().at(-1)?.attributes).not.toHaveProperty(["user.id"]);
  expect(named.spans().at(-1)?.attributes).toMatchObject({ "user.id": "ana", "bailiwick.tenant.id": "north" });
});

test("telemetry that throws is logged, and the run continues", async () => {
  const warned: string[] = [];
  const telemetry = otel();
  const thrower = (): never => {
    throw new Error("the collector is gone");
  };
  const half = { within: thrower, end: thrower };
  const output = await desk(recorded(), {
    logger: { ...quiet, warn: (message) => warned.push(message) },
    telemetry: { ...telemetry, startRun: () => half, startModelCall: thrower, startToolCall: () => half },
  }).run("Where is it?");
  expect(output).toMatchObject({ status: "completed", text: "It is on its way." });
  expect(warned.some((message) => message.includes("the collector is gone"))).toBe(true);
});

test.each([
  [{ contents: true }, "UNKNOWN_OPTION"],
  [{ inputs: "yes" }, "INVALID_OPTION"],
  [{ outputs: 1 }, "INVALID_OPTION"],
  [{ content: true }, "UNKNOWN_OPTION"],
  [{ identities: 1 }, "INVALID_OPTION"],
  [{ tracerProvider: {} }, "INVALID_OPTION"],
  [{ meterProvider: { getTracer: () => undefined } }, "INVALID_OPTION"],
])("options that cannot be meant are refused: %j", (options, code) => {
  expect(() => otel(options as never)).toThrow(expect.objectContaining({ code }));
});

test("an agent refuses any other value for telemetry", () => {
  expect(() => new Agent({ name: "a", model: scriptedModel([]), telemetry: {} as never })).toThrow(
    expect.objectContaining({ code: "INVALID_OPTION" }),
  );
});
