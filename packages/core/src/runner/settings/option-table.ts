import type { AgentOptions, RunOptions, RunSettings } from "../../contracts/run-options.ts";
import { sandboxFields } from "../../registry/sandbox-of.ts";
import {
  between,
  callback,
  flag,
  having,
  list,
  number,
  oneOf,
  record,
  shape,
  strings,
  text,
} from "../../errors/value-checks.ts";
import { extensionList, joinExtensions } from "./extension-options.ts";
import { joinApprovalOfRun, joinApprovalInside, smaller } from "./join-approval.ts";
import { joinFlow, joinFlowInside } from "./join-flow.ts";
import { guardrailsInside, joinGuardrails, joinLoopHooks, loopHooksInside } from "./join-hooks.ts";
import { joinSandbox, joinSandboxInside } from "./join-sandbox.ts";
import {
  chain,
  fieldByField,
  joinBudget,
  lower,
  once,
  plainFields,
  replace,
  stricterOf,
  tighten,
  tightenedInside,
  vendorFields,
} from "./merge-rules.ts";
import { clientTools, durableRecord, either, grants, keyOrKeys, price, recordOf } from "./option-checks.ts";
import type { Inside, MergeRule, OptionFacts } from "./option-row.ts";

/** An option of an agent that a run may override. */
type SharedRow<Value> = OptionFacts & { readonly merge: MergeRule<Value>; readonly inside?: Inside<Value> };

/** An option of an agent alone, or of a run alone. */
type OwnRow = OptionFacts & { readonly inside?: "as is" | "once" };

/**
 * The table of options. The compiler checks that it is complete, and that each merge rule accepts the option's type.
 */
export interface OptionTable {
  readonly both: { readonly [Name in keyof Required<RunSettings>]: SharedRow<RunSettings[Name]> };
  readonly agent: { readonly [Name in Exclude<keyof AgentOptions, keyof RunSettings>]: OwnRow };
  readonly run: { readonly [Name in Exclude<keyof RunOptions, keyof RunSettings>]: OwnRow };
}

/** Settings that an agent has and a run may override. */
const both: OptionTable["both"] = {
  model: { type: "ModelSpec", merge: replace, inside: "as is" },
  instructions: {
    type: "string | (ctx) => string",
    check: (value) =>
      typeof value === "string" || typeof value === "function" ? undefined : "is a text or a function",
    merge: replace,
  },
  maxTurns: { type: "number", default: "20", unit: "model calls", merge: replace },
  toolChoice: { type: '"auto" | "none" | "required" | { toolName }', merge: replace },
  toolUseBehavior: {
    type: '"run_llm_again" | "stop_on_first_tool" | { stopAtToolNames } | function',
    default: "run_llm_again",
    check: (value) =>
      value === "run_llm_again" ||
      value === "stop_on_first_tool" ||
      typeof value === "function" ||
      shape({ stopAtToolNames: strings })(value) === undefined
        ? undefined
        : 'is "run_llm_again", "stop_on_first_tool", { stopAtToolNames } or a function',
    merge: replace,
  },
  reasoning: {
    type: "ReasoningConfig",
    check: (value) =>
      shape({
        enabled: flag,
        effort: oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
        budgetTokens: number(0, "tokens", true),
        summary: oneOf(["auto", "concise", "detailed", "none"]),
      })(value),
    fields: ["enabled", "effort", "budgetTokens", "summary"],
    merge: fieldByField,
  },
  temperature: { type: "number", check: between(0, Number.POSITIVE_INFINITY), merge: replace, inside: "as is" },
  topP: { type: "number", check: between(0, 1), merge: replace },
  stopSequences: { type: "string[]", check: strings, merge: replace },
  parallelToolCalls: { type: "boolean", check: flag, merge: replace },
  maxTokens: { type: "number", unit: "tokens", check: number(1, "tokens", true), merge: replace, inside: "as is" },
  providerOptions: { type: "{ [vendor]: { … } }", check: recordOf(record), merge: vendorFields },
  modelTiers: { type: "{ fast, balanced, smart }", fields: ["fast", "balanced", "smart"], merge: fieldByField },
  fallback: { type: "ModelSpec[]", check: list, merge: replace },
  retry: {
    type: "RetryConfig",
    fields: ["maxRetries", "initialDelayMs", "maxDelayMs", "retryableErrors"],
    merge: fieldByField,
  },
  timeouts: {
    type: "Timeouts",
    unit: "ms",
    fields: ["totalMs", "turnMs", "firstChunkMs", "idleChunkMs", "toolGraceMs"],
    merge: fieldByField,
    composition: true,
  },
  toolConcurrency: { type: "number", default: "8", merge: replace, program: true },
  toolTimeoutMs: { type: "number", default: "60000", unit: "ms", merge: replace, program: true },
  stopWhen: {
    type: "StopCondition | StopCondition[]",
    check: (value) =>
      [value].flat().every((condition) => typeof condition === "function")
        ? undefined
        : "is a condition such as stepCountIs(5), a function, or a list of them",
    merge: replace,
    inside: "as is",
  },
  prepareStep: { type: "function", check: callback, merge: replace },
  loopHooks: {
    type: "LoopHooks",
    fields: ["beforeLLMCall", "afterLLMCall", "beforeToolExec", "afterToolExec", "onRoundtripComplete"],
    merge: chain(joinLoopHooks),
    inside: once(joinLoopHooks, loopHooksInside),
  },
  extensions: {
    type: "Extension[]",
    check: extensionList,
    merge: chain(joinExtensions),
    inside: "once",
    program: true,
    composition: true,
  },
  hooksAreFatal: {
    type: "boolean",
    default: "false",
    check: flag,
    merge: tighten(stricterOf("hooksAreFatal", [false, true])),
    inside: "as is",
    program: true,
  },
  guardrails: {
    type: "Guardrails",
    fields: ["input", "output", "toolInput", "toolOutput"],
    merge: chain(joinGuardrails),
    inside: once(joinGuardrails, guardrailsInside),
  },
  outputGuardrails: {
    type: '"hold" | "after"',
    default: "hold",
    check: oneOf(["hold", "after"]),
    merge: tighten(stricterOf("outputGuardrails", ["after", "hold"])),
  },
  approval: {
    type: "ApprovalConfig",
    fields: ["policy", "onApproval", "timeout", "timeoutAction", "expiresAfterMs"],
    merge: chain(joinApprovalOfRun),
    inside: once(joinApprovalInside),
  },
  flow: {
    type: "FlowMode | FlowOptions",
    default: "auto",
    check: either(
      'is "auto", "enforce", "shadow", "off" or an object',
      oneOf(["auto", "enforce", "shadow", "off"]),
      record,
    ),
    fields: [
      "mode",
      "grants",
      "planner",
      "plannerTtlMs",
      "quarantine",
      "lowCapacityLeaves",
      "serverDefinitions",
      "answerLinks",
      "allowedHosts",
      "undeclared",
      "unattended",
      "allowUngovernedHostedTools",
    ],
    merge: tighten(joinFlow),
    inside: tightenedInside(joinFlowInside, true),
  },
  contextCompactor: {
    type: "ContextCompactorConfig",
    unit: "tokens",
    fields: ["maxContextTokens", "reserveTokens", "countTokens", "strategy", "summarizeModel", "priorityOrder"],
    merge: fieldByField,
  },
  toolResultLimit: {
    type: "ToolResultLimit",
    unit: "tokens",
    fields: ["maxTokens", "strategy", "model"],
    merge: fieldByField,
  },
  memory: { type: "MemoryPort", check: having("a memory", "contextFor", "accessFor"), merge: replace, program: true },
  session: {
    type: "SessionStore",
    check: having("a session store, such as store.sessions or memorySessions()", "load", "append", "list"),
    merge: replace,
    composition: true,
  },
  dependencies: { type: "any", merge: plainFields, inside: "as is", program: true },
  userId: { type: "string", check: text, merge: replace, inside: "as is", program: true },
  generateFollowups: { type: "boolean", default: "false", check: flag, merge: replace },
  sandbox: {
    type: "SandboxConfig",
    fields: sandboxFields,
    merge: tighten(joinSandbox),
    inside: tightenedInside(joinSandboxInside),
    program: true,
  },
  budget: {
    type: "Budget",
    unit: "tokens, US dollars, ms",
    fields: ["tokens", "usd", "durationMs"],
    merge: tighten(joinBudget),
    inside: "once",
    composition: true,
  },
  eventBus: {
    type: "EventBus",
    check: having("an event bus, made by eventBus()", "on", "emit", "hasListeners"),
    merge: replace,
    program: true,
    composition: true,
  },
  logger: {
    type: "Logger",
    check: having("a logger", "debug", "info", "warn", "error"),
    merge: replace,
    program: true,
    composition: true,
  },
  clock: {
    type: "Clock",
    check: having("a clock", "now", "setTimer"),
    merge: replace,
    program: true,
    composition: true,
  },
  ids: { type: "Ids", check: having("a source of ids", "next"), merge: replace, program: true, composition: true },
  maxDepth: {
    type: "number",
    default: "8",
    merge: tighten(lower("maxDepth")),
    inside: tightenedInside(smaller),
    program: true,
    composition: true,
  },
  onUnknownOutcome: {
    type: '"suspend" | "tell-model"',
    default: "suspend",
    check: oneOf(["suspend", "tell-model"]),
    merge: tighten(stricterOf("onUnknownOutcome", ["tell-model", "suspend"])),
    program: true,
  },
  detached: { type: "boolean", default: "false", check: flag, merge: replace },
  resumable: { type: "boolean", default: "false", check: flag, merge: replace },
  concurrentRuns: { type: '"queue" | "refuse"', default: "queue", check: oneOf(["queue", "refuse"]), merge: replace },
  loopDetection: { type: "number | false", default: "3", unit: "calls", merge: replace },
  deadlineAt: {
    type: "number",
    unit: "ms since the epoch",
    check: number(0, "milliseconds since the epoch"),
    merge: replace,
    inside: tightenedInside(smaller),
  },
};

/** Options of an agent alone. */
const agent: OptionTable["agent"] = {
  name: { type: "string" },
  description: { type: "string", check: text, composition: true },
  tools: {
    type: "Tool[] | (ctx) => Tool[]",
    check: either("is an array, such as [tool({ name, … })], or a function", list, callback),
  },
  mcp: {
    type: "ToolServer[]",
    check: (value) =>
      Array.isArray(value) && value.every((one) => having("a server", "serve")(one) === undefined)
        ? undefined
        : 'is a list of servers of tools, such as [mcp({ name: "tracker", url })]',
  },
  hostedTools: { type: "HostedTool[]", check: list },
  models: { type: "ModelRegistry", check: having("a registry, made by modelRegistry()", "resolve"), program: true },
  prices: { type: "PriceTable", check: recordOf(price) },
  output: { type: "Schema" },
  hooks: { type: "AgentHooks", fields: ["beforeRun", "afterRun", "onToolCall", "onError"] },
  secrets: {
    type: "SecretSource",
    check: having("a source of secrets, such as env()", "has", "get"),
    inside: "once",
    program: true,
  },
  keys: {
    type: "Keys",
    check: shape({ sign: keyOrKeys, seal: keyOrKeys }),
    fields: ["sign", "seal"],
    inside: "as is",
    program: true,
    composition: true,
  },
  store: {
    type: "RunStore",
    check: having("a store, such as memoryStore() or sqliteStore({ path })", "create", "append", "load", "listRuns"),
    inside: "as is",
    composition: true,
  },
  ledger: {
    type: "Ledger",
    check: having("a ledger", "get", "reserve", "put", "release"),
    inside: "as is",
    composition: true,
  },
  leaseMs: { type: "number", default: "30000", unit: "ms", composition: true },
  hasher: { type: "Hasher", check: having("a hasher", "sha256"), program: true },
  telemetry: {
    type: "Telemetry",
    check: having("telemetry, such as otel()", "startRun", "startModelCall", "startToolCall"),
    program: true,
  },
  handoffs: { type: "(Runnable | Handoff)[]", check: list },
  collisions: {
    type: "CollisionStrategy",
    default: "auto-prefix",
    check: oneOf(["auto-prefix", "priority", "manual"]),
  },
};

/** Options of a run alone. */
const run: OptionTable["run"] = {
  sessionId: { type: "string", check: text },
  tenantId: { type: "string", check: text, inside: "as is" },
  metadata: { type: "object", check: durableRecord, inside: "as is" },
  apiKey: { type: "string", check: text },
  signal: {
    type: "AbortSignal",
    check: having("an AbortSignal", "addEventListener", "removeEventListener"),
    inside: "as is",
  },
  extraVars: { type: "object", check: durableRecord, inside: "as is" },
  messages: { type: "Message[]", check: list },
  conversationHistory: { type: "Message[]", check: list },
  enableCaching: { type: "boolean", check: flag, inside: "as is" },
  onToken: { type: "TokenHandlers", inside: "once" },
  onStart: { type: "function", check: callback, inside: "once" },
  onComplete: { type: "function", check: callback, inside: "once" },
  onError: { type: "function", check: callback, inside: "once" },
  onApprovalRequired: { type: "function", check: callback, inside: "once" },
  grants: { type: "Grant[]", check: grants },
  includeRawEvents: { type: "boolean", check: flag },
  verbose: { type: "boolean", default: "false", check: flag, inside: "as is" },
  parent: { type: "ParentHandle", inside: "as is" },
  hooks: { type: "NodeHooks", fields: ["onNodeStart", "onNodeEnd", "onNodeError"], inside: "as is" },
  output: { type: "Schema" },
  clientTools: { type: "ClientToolDefinition[]", check: clientTools },
  idempotencyKey: { type: "string", check: text },
};

/** Each option of an agent or a run, once: its value, its merge rule, and the value that an inner run inherits. */
export const optionTable: OptionTable = { both, agent, run };
