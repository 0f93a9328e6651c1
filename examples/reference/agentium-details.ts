// The types of Agentium, third part: each value, default and nested field of the page.
import { Agent, eventBus, tool, type AgentOptions } from "@bailiwick/agent";
import {
  handoff,
  resolveTool,
  sandboxedTool,
  toChatMessage,
  type AudioPart,
  type Clock,
  type ContentPart,
  type FileAccess,
  type ImagePart,
  type MemoryPort,
  type Message,
  type Tool,
} from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { createSandbox, type SandboxJob } from "@bailiwick/security/sandbox";
import { scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { z } from "zod";
import { row } from "./row.ts";

type Model = ReturnType<typeof scriptedModel>;
const open = { name: "agent", flow: "off", logger: { debug() {}, info() {}, warn() {}, error() {} } } as const;
const adding = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  sideEffectClass: "pure",
} as const;
let executions = 0;
const add = tool({
  ...adding,
  execute: ({ a, b }) => {
    executions += 1;
    return a + b;
  },
});
const call: ScriptStep = { toolCalls: [{ id: "c1", name: "add", arguments: { a: 1, b: 2 } }] };
const failure = (status: number): ScriptStep => ({ faults: { error: { status } } });
const agentWith = (steps: readonly (ScriptStep | string)[] | Model, options: Partial<AgentOptions> = {}) =>
  new Agent({ ...open, model: "generate" in steps ? steps : scriptedModel(steps), tools: [add], ...options });

// ChatMessage
const asking = scriptedModel([call, "It is 3."]);
const answered = await agentWith(asking, { instructions: "Add." }).run("1 + 2?");
const roles = new Set([...(asking.requests[0]?.messages ?? []), ...answered.messages].map(({ role }) => role));
for (const role of ["system", "user", "assistant", "tool"] as const)
  row(`ChatMessage.role "${role}"`, roles.has(role), true);
row(
  "ChatMessage.content null",
  answered.messages.map((message) => toChatMessage(message)).find((one) => "tool_calls" in one)?.content,
  null,
);

// Parts
const sentParts = async (parts: readonly ContentPart[]): Promise<readonly ContentPart[]> => {
  const model = scriptedModel(["Seen."]);
  await agentWith(model).run({ id: "m1", role: "user", content: parts });
  const content = model.requests[0]?.messages.at(-1)?.content;
  return typeof content === "string" || content === undefined ? [] : (content as readonly ContentPart[]);
};
const [textPart] = await sentParts([{ type: "text", text: "Hello." }]);
row('TextPart.type "text"', textPart?.type, "text");
for (const mimeType of ["image/png", "image/jpeg", "image/gif", "image/webp"] as const) {
  const [part] = await sentParts([{ type: "image", data: "https://example.com/photo", mimeType }]);
  if (mimeType === "image/png") row('ImagePart.type "image"', part?.type, "image");
  row(`ImagePart.mimeType "${mimeType}"`, (part as ImagePart).mimeType, mimeType);
}
for (const mimeType of ["audio/mp3", "audio/wav", "audio/ogg", "audio/webm"] as const) {
  const [part] = await sentParts([{ type: "audio", data: "UklGRg==", mimeType }]);
  if (mimeType === "audio/mp3") row('AudioPart.type "audio"', part?.type, "audio");
  row(`AudioPart.mimeType "${mimeType}"`, (part as AudioPart).mimeType, mimeType);
}
const [file] = await sentParts([{ type: "file", data: "JVBERi0=", mimeType: "application/pdf" }]);
row('FilePart.type "file"', file?.type, "file");

// ModelResponse and StreamChunk
for (const finish of ["stop", "tool_calls", "length", "content_filter"] as const) {
  const step: ScriptStep = finish === "tool_calls" ? call : { text: "Hm.", finish };
  const { finishReason } = await scriptedModel([step]).generate({
    messages: [{ id: "u", role: "user", content: "?" }],
  });
  row(`ModelResponse.finishReason "${finish}"`, finishReason, finish);
}
for await (const chunk of scriptedModel([call]).stream({ messages: [{ id: "u", role: "user", content: "1 + 2?" }] })) {
  if (chunk.type !== "tool_call_start") continue;
  row("StreamChunk.tool_call_start: id", chunk.toolCall.id, "c1");
  row("StreamChunk.tool_call_start: name", chunk.toolCall.name, "add");
}

// RunOutput and RunOpts
const ends: string[] = [];
const bus = eventBus();
bus.on("run.end", ({ status }) => void ends.push(status));
row('RunOutput.status "completed"', answered.status, "completed");
await agentWith([failure(400)], { eventBus: bus })
  .run("fail")
  .catch(() => undefined);
row('RunOutput.status "error"', ends, ["failed"]);
const stopping = agentWith([call, "Never."], { loopHooks: { onRoundtripComplete: () => ({ stop: true }) } });
const stopped = await stopping.run("go");
row('RunOutput.status "stopped"', stopped.status, "stopped");
row("LoopHooks.onRoundtripComplete: stop", stopped.stopReason, "stopped_by_hook");
row(
  'RunOutput.status "cancelled"',
  (await agentWith(["Never."]).run("go", { signal: AbortSignal.abort() })).status,
  "cancelled",
);
let metadata: unknown;
const plain = await agentWith(["Done."], { hooks: { beforeRun: (ctx) => void (metadata = ctx.metadata) } }).run("go");
row("RunOpts.sessionId default Auto-generated UUID", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/u.test(plain.sessionId), true);
row("RunOpts.metadata default {}", metadata, {});

// LoopHooks
const after: Record<string, unknown> = {};
const mocked = await agentWith([call, "Done."], {
  loopHooks: {
    afterLLMCall: ({ finishReason, usage }) => void Object.assign(after, { finishReason, total: usage.totalTokens }),
    beforeToolExec: () => ({ skip: true, result: "mocked" }),
  },
}).run("go");
row("LoopHooks.afterLLMCall: finishReason", after["finishReason"], "stop");
row("LoopHooks.afterLLMCall: usage", after["total"]);
row("LoopHooks.beforeToolExec: skip", executions, 2);
row("LoopHooks.beforeToolExec: result", JSON.stringify(mocked.messages).includes("mocked"), true);

// Guardrails
const guarded = (pass: boolean) =>
  agentWith(["Passed."], {
    guardrails: { input: [{ name: "one", validate: () => (pass ? { pass } : { pass, reason: "It is forbidden." }) }] },
  })
    .run("go")
    .then(
      ({ text }) => text,
      (error: Error) => error.message,
    );
row("GuardrailResult.pass true", await guarded(true), "Passed.");
const refused = await guarded(false);
row("GuardrailResult.pass false", refused !== "Passed.", true);
row("GuardrailResult.reason", refused.includes("It is forbidden."), true);

// RetryConfig: a clock that does not wait shows the delays; each is the configured one or up to a quarter less.
const delays: number[] = [];
const clock: Clock = {
  now: () => Date.now(),
  setTimer: (fire, ms) => {
    delays.push(ms);
    const timer = setTimeout(fire, ms > 20_000 ? 2_000 : 0);
    return () => clearTimeout(timer);
  },
};
const retriesOf = async (steps: readonly (ScriptStep | string)[], options: Partial<AgentOptions> = {}) => {
  delays.length = 0;
  const ended = await agentWith(steps, { clock, ...options })
    .run("go")
    .catch(() => undefined);
  return ended?.metrics.retries ?? -1;
};
const failing = (times: number): readonly ScriptStep[] => Array.from({ length: times }, () => failure(503));
row(
  "RetryConfig.maxRetries default 3",
  [await retriesOf([...failing(3), "Done."]), await retriesOf([...failing(4), "Done."])],
  [3, -1],
);
await retriesOf([failure(503), "Done."]);
row("RetryConfig.initialDelayMs default 500", delays.filter((ms) => ms >= 375 && ms <= 500).length, 1);
await retriesOf([...failing(7), "Done."], { retry: { maxRetries: 9 } });
row("RetryConfig.maxDelayMs default 10000", delays.filter((ms) => ms >= 7_500 && ms <= 10_000).length >= 2, true);
row("retried by default: 429", await retriesOf([failure(429), "Done."]), 1);
row("retried by default: 5xx", await retriesOf([failure(500), failure(502), failure(599), "Done."]), 3);
const throwing = (error: Error): Model => {
  const scripted = scriptedModel(["Done."]);
  let failed = false;
  return {
    ...scripted,
    generate: (request) => {
      if (failed) return scripted.generate(request);
      failed = true;
      return Promise.reject(error);
    },
  };
};
for (const code of ["ECONNRESET", "ETIMEDOUT", "ENOTFOUND"]) {
  const model = throwing(Object.assign(new Error(code), { code }));
  row(`retried by default: ${code}`, (await agentWith(model, { clock }).run("go")).metrics.retries, 1);
}
for (const words of ["rate limit", "overloaded"]) {
  const model = throwing(new Error(`The server says: ${words}.`));
  row(`retried by default: "${words}"`, (await agentWith(model, { clock }).run("go")).metrics.retries, 1);
}

// ApprovalConfig
const deciding = (approval: AgentOptions["approval"], options: Partial<AgentOptions> = {}) =>
  agentWith([call, "Done."], { ...(approval !== undefined && { approval }), ...options })
    .run("1 + 2?")
    .catch((error: Error) => error);
const ending = async (approval: AgentOptions["approval"], options?: Partial<AgentOptions>) => {
  const end = await deciding(approval, options);
  return end instanceof Error ? end.name : [end.stopReason, end.toolCalls[0]?.output ?? end.toolCalls[0]?.error?.kind];
};
const never = () => new Promise<never>(() => undefined);
row('ApprovalConfig.policy "none"', await ending({ policy: "none" }), ["completed", 3]);
row('ApprovalConfig.policy "all"', await ending({ policy: "all" }), ["awaiting_approval", undefined]);
row("ApprovalConfig.policy default none", await ending(undefined), ["completed", 3]);
const questions: unknown[] = [];
const approved = await ending({
  policy: "all",
  onApproval: ({ toolName, args }) => {
    questions.push(toolName, args);
    return { approved: true };
  },
});
row("ApprovalConfig.onApproval: toolName", questions[0], "add");
row("ApprovalConfig.onApproval: args", questions[1], { a: 1, b: 2 });
row("ApprovalConfig.onApproval: approved", approved, ["completed", 3]);
const late = { policy: "all", timeout: 5, onApproval: never } as const;
row('ApprovalConfig.timeoutAction "approve"', await ending({ ...late, timeoutAction: "approve" }), ["completed", 3]);
row('ApprovalConfig.timeoutAction "deny"', await ending({ ...late, timeoutAction: "deny" }), [
  "completed",
  "approval_denied",
]);
row(
  'ApprovalConfig.timeoutAction "throw"',
  (await deciding({ ...late, timeoutAction: "throw" })) instanceof Error,
  true,
);
row("ApprovalConfig.timeoutAction default deny", await ending(late), ["completed", "approval_denied"]);
const waited = await deciding({ policy: "all", onApproval: never }, { clock });
row(
  "ApprovalConfig.timeout default 300000",
  !(waited instanceof Error) && waited.toolCalls[0]?.error?.message.includes("within 300000 ms"),
  true,
);

// SandboxConfig: a driver of an own tier gets the limits and rights of each call.
const jobs: SandboxJob[] = [];
const sandbox = createSandbox({
  drivers: {
    remote: {
      tier: "remote",
      check: async () => undefined,
      register: async () => ({ moduleHash: "0" }),
      run: async (job) => (jobs.push(job), "worked"),
    },
  },
});
const boxed = async (config: object): Promise<SandboxJob | undefined> => {
  jobs.length = 0;
  const work = sandboxedTool({
    name: "work",
    description: "Works.",
    inputSchema: z.object({}),
    sideEffectClass: "pure",
    sandboxPolicy: { tier: "remote", ...config },
    execute: { module: new URL("file:///work.js"), export: "work" },
  });
  const model = scriptedModel([{ toolCalls: [{ name: "work", arguments: {} }] }, "Done."]);
  await new Agent({ ...open, model, tools: [work] }, { sandbox }).run("go");
  return jobs[0];
};
const usual = await boxed({});
row("SandboxConfig.enabled default true", usual !== undefined, true);
row("SandboxConfig.timeout default 30000", usual?.limits.timeoutMs, 30_000);
row("SandboxConfig.maxMemoryMB default 256", usual?.limits.memoryMB, 256);
row("SandboxConfig.allowNetwork default false", usual?.rights.network, "none");
row("SandboxConfig.allowFS default false", usual?.rights.files, "none");
const folders = await boxed({ allowFS: { readOnly: ["/data"], readWrite: ["/tmp"] } });
row("SandboxConfig.allowFS: readOnly", (folders?.rights.files as FileAccess).readOnly, ["/data"]);
row("SandboxConfig.allowFS: readWrite", (folders?.rights.files as FileAccess).readWrite, ["/tmp"]);

// ToolDef
const ports = { hasher: defaultHasher() };
const known = resolveTool(add, undefined, { ports });
executions = 0;
await agentWith([call, "3."]).run("1 + 2?", { userId: "ana" });
await agentWith([call, "3."]).run("1 + 2?", { userId: "ana" });
row("ToolDef.cache default Off", executions, 2);
row("ToolDef.cache: ttl", tool({ ...adding, cache: { ttlMs: 60_000 }, execute: () => 3 }).cache?.ttlMs, 60_000);
row("ToolDef.sandbox default Off", known.sandboxPolicy, "none");
row("ToolDef.requiresApproval default false", known.needsApproval, false);
row("ToolDef.strict default false", (asking.requests[0]?.tools?.[0] as { strict?: boolean }).strict ?? false, false);

// Events
const heard = new Map<string, Readonly<Record<string, unknown>>>();
const memory: MemoryPort = {
  contextFor: async () => [],
  accessFor: () => ({ remember: async () => "m1", recall: async () => [], forget: async () => undefined }),
};
const note = tool({
  name: "note",
  description: "Notes something.",
  inputSchema: z.object({}),
  sideEffectClass: "side-effecting",
  idempotencyKey: "call",
  execute: (_input, ctx) => ctx.memory?.remember("likes tea", { kind: "semantic" }) ?? "",
});
const fields = {
  "run.start": ["runId", "agentName", "input"],
  "run.complete": ["runId", "output"],
  "run.error": ["runId", "error"],
  "tool.call": ["runId", "toolName", "args"],
  "tool.result": ["runId", "toolName", "result"],
  "run.stream.chunk": ["runId", "chunk"],
  "cost.tracked": ["runId", "agentName", "modelId", "usage"],
  "memory.stored": ["store", "key", "agentName"],
  "handoff.transfer": ["runId", "fromAgent", "toAgent", "reason"],
} as const;
type EventName = keyof typeof fields;
const listening = eventBus();
for (const name of Object.keys(fields) as EventName[])
  listening.on(name, (data) => void heard.set(name, data as unknown as Readonly<Record<string, unknown>>));
const clerk = new Agent({ ...open, name: "clerk", model: scriptedModel(["Filed."]) });
const busy = agentWith(
  [
    { toolCalls: [{ name: "note" }] },
    { toolCalls: [{ name: "transfer_to_clerk", arguments: { reason: "It is a file." } }] },
  ],
  { tools: [note], handoffs: [handoff(clerk)], memory, eventBus: listening },
);
for await (const event of busy.stream("file it")) void event;
await agentWith([failure(400)], { eventBus: listening })
  .run("fail")
  .catch(() => undefined);
for (const [name, names] of Object.entries(fields))
  for (const field of names) row(`event ${name}: ${field}`, heard.get(name)?.[field]);

// ReasoningConfig, ContextCompactorConfig and ToolResultLimit
for (const effort of ["low", "medium", "high"] as const) {
  const model = scriptedModel(["Done."]);
  await agentWith(model, { reasoning: { enabled: true, effort } }).run("go");
  row(`ReasoningConfig.effort "${effort}"`, model.requests[0]?.reasoning?.effort, effort);
}
const history = Array.from({ length: 20 }, (_, index) => ({
  role: "user" as const,
  content: `message ${index} ${"word ".repeat(20)}`,
}));
const compacted = async (
  compactor: Partial<NonNullable<AgentOptions["contextCompactor"]>>,
  model = scriptedModel(() => "Done."),
) => {
  const contextCompactor = { maxContextTokens: 400, strategy: "trim" as const, ...compactor };
  await agentWith(model, { tools: [], contextCompactor }).run("go", { messages: history });
  return model.requests;
};
const last = (requests: Model["requests"]): readonly Message[] => requests.at(-1)?.messages ?? [];
const shortened = (messages: readonly Message[]) => messages.length > 0 && messages.length < history.length;
for (const strategy of ["trim", "summarize", "hybrid"] as const) {
  const summarizeModel = scriptedModel(() => "They counted.");
  const messages = last(await compacted({ strategy, summarizeModel }));
  row(
    `ContextCompactorConfig.strategy "${strategy}"`,
    [shortened(messages), JSON.stringify(messages).includes("They counted.")],
    [true, strategy !== "trim"],
  );
}
const own = await compacted({ strategy: "summarize" });
row("ContextCompactorConfig.summarizeModel default Agent’s model", own.length, 2);
for (const section of ["system", "recentHistory", "memory", "tools"] as const)
  row(
    `ContextCompactorConfig.priorityOrder "${section}"`,
    shortened(last(await compacted({ priorityOrder: [section] }))),
    true,
  );
const long = tool({ ...adding, execute: () => Array.from({ length: 50_000 }, (_, id) => ({ id })) });
const limited = async (toolResultLimit: AgentOptions["toolResultLimit"], result: Tool = long): Promise<string> => {
  const agent = agentWith([call, "Done."], {
    tools: [result],
    ...(toolResultLimit !== undefined && { toolResultLimit }),
  });
  return String((await agent.run("go")).messages.find(({ role }) => role === "tool")?.content);
};
const words = (length: number) => tool({ ...adding, execute: () => "x".repeat(length) });
const whole = async (length: number) => (await limited({}, words(length))).length >= length;
row("ToolResultLimit.maxChars default 20000", [await whole(20_000), await whole(20_001)], [true, false]);
const truncated = /^\[\{"id":0\},.*,"… \d+ more items"\]/u;
row('ToolResultLimit.strategy "truncate"', truncated.test(await limited({ maxTokens: 100, strategy: "middle" })), true);
const model = scriptedModel(() => "Two lists.");
row(
  'ToolResultLimit.strategy "summarize"',
  (await limited({ maxTokens: 100, strategy: "summarize", model })).includes("Two lists."),
  true,
);
row("ToolResultLimit.strategy default truncate", truncated.test(await limited({ maxTokens: 100 })), true);
