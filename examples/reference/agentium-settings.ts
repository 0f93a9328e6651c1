// The types of Agentium, second part: hooks, guardrails, retries, approvals, sandboxes, tools, events and contexts.
import { Agent, eventBus, tool, toolReturn, type AgentOptions, type EventBus } from "@bailiwick/agent";
import {
  GuardrailTrippedError,
  handoff,
  resolveTool,
  sandboxedTool,
  type Clock,
  type MemoryPort,
  type Message,
  type ResolvedTool,
} from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { z } from "zod";
import { row } from "./row.ts";

const heard: string[] = [];
const tell = (line: string) => void heard.push(line);
const told = (word: string) => heard.find((line) => line.startsWith(word));
const open = { name: "agent", flow: "off", logger: { debug() {}, info() {}, warn() {}, error() {} } } as const;
const adding = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: "pure",
} as const;
const add = tool({ ...adding, execute: ({ a, b }) => a + b });
const call: ScriptStep = { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] };
const agentWith = (steps: readonly (ScriptStep | string)[], options: Partial<AgentOptions> = {}) =>
  new Agent({ ...open, model: scriptedModel(steps), tools: [add], ...options });

// AgentHooks and LoopHooks
await agentWith([call, "It is 3."], {
  hooks: {
    beforeRun: (ctx) => tell(`beforeRun ${ctx.runId.length > 0}`),
    afterRun: (_ctx, output) => tell(`afterRun ${output.text}`),
    onToolCall: (_ctx, name, args) => tell(`onToolCall ${name} ${JSON.stringify(args)}`),
  },
  loopHooks: {
    beforeLLMCall: (messages, roundtrip) => tell(`beforeLLMCall ${messages.length} ${roundtrip}`),
    afterLLMCall: ({ finishReason }, roundtrip) => tell(`afterLLMCall ${finishReason} ${roundtrip}`),
    beforeToolExec: (name) => tell(`beforeToolExec ${name}`),
    afterToolExec: (name, result) => tell(`afterToolExec ${name} ${result}`),
    onRoundtripComplete: (roundtrip, { totalTokens }) => tell(`onRoundtripComplete ${roundtrip} ${totalTokens > 0}`),
  },
}).run("1 + 2?");
await agentWith([{ faults: { error: { status: 400 } } }], {
  hooks: { onError: (_ctx, error) => tell(`onError ${error.name}`) },
})
  .run("fail")
  .catch(() => undefined);
for (const name of ["beforeRun", "afterRun", "onToolCall", "onError"]) row(`AgentHooks.${name}`, told(name));
for (const name of ["beforeLLMCall", "afterLLMCall", "beforeToolExec", "afterToolExec", "onRoundtripComplete"])
  row(`LoopHooks.${name}`, told(name));

// Guardrails
const guarded = await agentWith(["Never."], {
  guardrails: {
    input: [
      {
        name: "no-sql-injection",
        validate: (input) =>
          /drop\s+table/iu.test(String(input)) ? { pass: false, reason: "SQL injection detected" } : { pass: true },
      },
    ],
  },
})
  .run("DROP TABLE users")
  .catch((error: unknown) => error);
const leaking = await agentWith(["It is 123-45-6789."], {
  guardrails: {
    output: [
      {
        name: "no-pii-leak",
        validate: ({ text }) =>
          /\d{3}-\d{2}-\d{4}/u.test(text) ? { pass: false, reason: "Output contains SSN" } : { pass: true },
      },
    ],
  },
})
  .run("Number?")
  .catch((error: unknown) => error);
const blocked = (error: unknown) => error instanceof GuardrailTrippedError && error.verdicts[0]?.verdict.pass;
row("InputGuardrail.validate", blocked(guarded), false);
row("InputGuardrail.name", JSON.stringify(guarded).includes("no-sql-injection"), true);
row("OutputGuardrail.validate", blocked(leaking), false);
row("OutputGuardrail.name", JSON.stringify(leaking).includes("no-pii-leak"), true);

// RetryConfig: a clock that does not wait shows the delays.
const delays: number[] = [];
const clock: Clock = {
  now: () => Date.now(),
  setTimer: (fire, ms) => {
    delays.push(ms);
    const timer = setTimeout(fire, ms > 20_000 ? 2_000 : 0);
    return () => clearTimeout(timer);
  },
};
const overloaded = (status: number): ScriptStep => ({ faults: { error: { status } } });
const retried = async (steps: readonly (ScriptStep | string)[], retry?: AgentOptions["retry"]) =>
  agentWith(steps, { clock, ...(retry !== undefined && { retry }) })
    .run("go")
    .then(({ metrics }) => metrics.retries)
    .catch(() => -1);
row("RetryConfig.maxRetries", await retried([overloaded(500), "Done."], { maxRetries: 0 }), -1);
delays.length = 0;
await retried([overloaded(500), overloaded(500), "Done."], { initialDelayMs: 4, maxDelayMs: 5 });
row(
  "RetryConfig.initialDelayMs",
  delays.some((ms) => ms > 0 && ms <= 5),
  true,
);
row("RetryConfig.maxDelayMs", delays.filter((ms) => ms <= 5).length >= 2, true);
row("RetryConfig.retryableErrors", await retried([overloaded(400), "Done."], { retryableErrors: () => true }), 1);

// ApprovalConfig
const writer = tool({
  name: "delete_record",
  description: "Deletes a record.",
  inputSchema: z.object({ id: z.string() }),
  sideEffectClass: "external-stateful",
  idempotencyKey: "call",
  execute: ({ id }) => `deleted ${id}`,
});
const deletion: ScriptStep = { toolCalls: [{ name: "delete_record", arguments: { id: "7" } }] };
const deciding = (approval: AgentOptions["approval"], more: Partial<AgentOptions> = {}) =>
  agentWith([deletion, "Done."], { tools: [writer], ...(approval !== undefined && { approval }), ...more }).run(
    "Delete 7.",
  );
row("ApprovalConfig.policy", (await deciding({ policy: ["delete_record"] })).stopReason, "awaiting_approval");
const approved = await deciding({
  policy: "all",
  onApproval: ({ toolName, args }) => {
    tell(`onApproval ${toolName} ${JSON.stringify(args)}`);
    return { approved: true };
  },
});
row(
  "ApprovalConfig.onApproval",
  [told("onApproval"), approved.toolCalls[0]?.output],
  ['onApproval delete_record {"id":"7"}', "deleted 7"],
);
const never = () => new Promise<never>(() => undefined);
delays.length = 0;
const late = await deciding({ policy: "all", timeout: 5, onApproval: never });
row("ApprovalConfig.timeout", late.toolCalls[0]?.isError, true);
const thrown = deciding({ policy: "all", timeout: 5, timeoutAction: "throw", onApproval: never });
row(
  "ApprovalConfig.timeoutAction",
  await thrown.then(
    () => "ended",
    () => "rejected",
  ),
  "rejected",
);

// SandboxConfig: the record of a tool that is a module has the limits and rights.
const ports = { hasher: defaultHasher(), sandbox: { resolve: async () => ({ moduleHash: "0" }), run: never } as never };
const boxed = (sandboxPolicy: Parameters<typeof sandboxedTool>[0]["sandboxPolicy"]): ResolvedTool["sandboxConfig"] =>
  resolveTool(
    sandboxedTool({
      name: "work",
      description: "Works.",
      inputSchema: z.object({}),
      sideEffectClass: "pure",
      sandboxPolicy,
      execute: { module: new URL("file:///work.js"), export: "work" },
    }),
    undefined,
    { ports },
  ).sandboxConfig;
const limits = boxed({
  timeout: 10_000,
  maxMemoryMB: 128,
  allowNetwork: false,
  allowFS: { readOnly: ["/data"], readWrite: ["/tmp"] },
  env: { API_KEY: "k" },
});
const field = (name: string) => (limits as unknown as Readonly<Record<string, unknown>>)[name];
row("SandboxConfig.timeout", field("timeout"), 10_000);
row("SandboxConfig.maxMemoryMB", field("maxMemoryMB"), 128);
row("SandboxConfig.allowNetwork", field("allowNetwork"), false);
row("SandboxConfig.allowFS", field("allowFS"), { readOnly: ["/data"], readWrite: ["/tmp"] });
row("SandboxConfig.env", field("env"), { API_KEY: "k" });
row("SandboxConfig.enabled", boxed({ tier: "os", enabled: false }).tier, "none");

// ToolDef and ToolResult
let made = 0;
const cached = tool({
  ...adding,
  cache: { ttlMs: 60_000 },
  strict: true,
  execute: ({ a, b }) => {
    made += 1;
    return toolReturn({ output: a + b, details: { made } });
  },
});
const strict = scriptedModel([call, "3.", call, "3."]);
const calculator = new Agent({ ...open, model: strict, tools: [cached] });
const results = [await calculator.run("1 + 2?", { userId: "ana" }), await calculator.run("1 + 2?", { userId: "ana" })];
row("ToolDef.name", cached.name, "add");
row("ToolDef.description", cached.description);
row("ToolDef.execute", results[0]?.toolCalls[0]?.output, 3);
row("ToolDef.parameters", strict.requests[0]?.tools?.[0]);
row("ToolDef.strict", (strict.requests[0]?.tools?.[0] as { strict?: boolean }).strict, true);
row("ToolDef.cache", [results[1]?.toolCalls[0]?.output, made], [3, 1]);
row("cache.ttl", cached.cache?.ttlMs, 60_000);
row("ToolResult", results[0]?.toolCalls[0]?.details, { made: 1 });
row("defineTool", Object.isFrozen(add), true);
row("ToolDef.sandbox", boxed({ tier: "wasm" }).tier, "wasm");
row(
  "ToolDef.requiresApproval",
  resolveTool(tool({ ...adding, needsApproval: true, execute: () => 3 }), undefined, { ports }).needsApproval,
  true,
);
const raw = tool({
  ...adding,
  inputSchema: { type: "object", properties: { a: { type: "number" } }, required: ["a"] },
  execute: () => 1,
});
row("ToolDef.rawJsonSchema", resolveTool(raw, undefined, { ports }).__inputJsonSchema["required"], ["a"]);

// EventBus
const bus: EventBus = eventBus();
let times = 0;
const count = () => void (times += 1);
const sent = { runId: "r", agentName: "a", input: "hi" };
row("EventBus.on", bus.on("run.start", count) === bus, true);
row("EventBus.emit", bus.emit("run.start", sent), true);
row("EventBus.off", (bus.off("run.start", count), bus.emit("run.start", sent), times), 1);
row(
  "EventBus.once",
  (bus.once("run.start", count), bus.emit("run.start", sent), bus.emit("run.start", sent), times),
  2,
);
row("EventBus.removeAllListeners", (bus.removeAllListeners(), bus.emit("run.start", sent)), false);
row("new EventBus()", typeof bus.on, "function");

// ReasoningConfig
const thinking = scriptedModel(["Done."]);
const reasoning = { enabled: true, effort: "high", budgetTokens: 4_000 } as const;
await agentWith([], { model: thinking, reasoning }).run("go");
row("ReasoningConfig.enabled", thinking.requests[0]?.reasoning?.enabled, true);
row("ReasoningConfig.effort", thinking.requests[0]?.reasoning?.effort, "high");
row("ReasoningConfig.budgetTokens", thinking.requests[0]?.reasoning?.budgetTokens, 4_000);

// ContextCompactorConfig and ToolResultLimit
const history = Array.from({ length: 20 }, (_, index) => ({
  role: "user" as const,
  content: `message ${index} ${"word ".repeat(20)}`,
}));
const kept = async (compactor: Partial<NonNullable<AgentOptions["contextCompactor"]>>): Promise<readonly Message[]> => {
  const model = scriptedModel(() => "Done.");
  const contextCompactor = { maxContextTokens: 400, strategy: "trim" as const, ...compactor };
  await agentWith([], { model, tools: [], contextCompactor }).run("go", { messages: history });
  return model.requests.at(-1)?.messages ?? [];
};
const summarizeModel = scriptedModel(() => "They counted.");
row("ContextCompactorConfig.maxContextTokens", (await kept({})).length < history.length, true);
row(
  "ContextCompactorConfig.reserveTokens",
  (await kept({ reserveTokens: 200 })).length < (await kept({})).length,
  true,
);
row(
  "ContextCompactorConfig.strategy",
  JSON.stringify(await kept({ strategy: "summarize", summarizeModel })).includes("They counted."),
  true,
);
row("ContextCompactorConfig.summarizeModel", summarizeModel.requests.length > 0, true);
row(
  "ContextCompactorConfig.priorityOrder",
  (await kept({ priorityOrder: ["system", "tools", "recentHistory", "memory"] })).length > 0,
  true,
);
const long = tool({ ...adding, execute: () => "x".repeat(100_000) });
const limited = async (toolResultLimit: AgentOptions["toolResultLimit"]): Promise<string> => {
  const agent = agentWith([call, "Done."], {
    tools: [long],
    ...(toolResultLimit !== undefined && { toolResultLimit }),
  });
  return JSON.stringify((await agent.run("go")).messages.find(({ role }) => role === "tool")?.content);
};
const cheap = scriptedModel(() => "Only x.");
row("ToolResultLimit.maxChars", (await limited({ maxTokens: 100 })).length < 1_000, true);
row(
  "ToolResultLimit.strategy",
  (await limited({ maxTokens: 100, strategy: "summarize", model: cheap })).includes("Only x."),
  true,
);
row("ToolResultLimit.model", cheap.requests.length, 1);
