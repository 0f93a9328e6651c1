import type { ApprovalConfig } from "../../contracts/approval-config.ts";
import type { ContextCompactorConfig, ToolResultLimit } from "../../contracts/context-config.ts";
import type { FlowOptions } from "../../contracts/flow-options.ts";
import type { Guardrails } from "../../contracts/guardrail.ts";
import type { AgentHooks, LoopHooks, NodeHooks } from "../../contracts/hooks.ts";
import type { Keys } from "../../contracts/keys.ts";
import type { ModelSpec } from "../../contracts/model-provider.ts";
import type { ReasoningConfig } from "../../contracts/reasoning-config.ts";
import type { RetryConfig } from "../../contracts/retry-config.ts";
import type { AgentOptions, Budget, RunOptions, RunSettings, Timeouts } from "../../contracts/run-options.ts";
import type { ModelHint } from "../../contracts/vocabularies.ts";
import { sandboxFields } from "../../registry/sandbox-of.ts";
import { VOCABULARIES } from "../../tools/vocabularies.ts";
import {
  anyText,
  atLeast,
  between,
  callback,
  either,
  flag,
  having,
  list,
  number,
  oneOf,
  record,
  recordOf,
  shape,
  strings,
  text,
} from "../../errors/value-checks.ts";
import { extensionList, joinExtensions } from "./extension-options.ts";
import { joinApprovalOfRun, joinApprovalInside, smaller } from "./join-approval.ts";
import { choice, joinFlow, joinFlowInside } from "./join-flow.ts";
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
import {
  clientTools,
  compactor,
  durableRecord,
  grants,
  guardrails,
  keyOrKeys,
  no,
  price,
  quarantine,
  resultLimit,
  toolChoice,
} from "./option-checks.ts";
import type { FieldsOf, Inside, MergeRule, OptionFacts } from "./option-row.ts";

/** An option of an agent that a run may override. */
type SharedRow<Value> = OptionFacts & { readonly merge: MergeRule<Value>; readonly inside?: Inside<Value> };

/** An option of an agent only, or of a run only. */
type OwnRow = OptionFacts & { readonly inside?: "as is" | "once" };

/**
 * The table of options. The compiler checks that it is complete, and that each merge rule accepts the option's type.
 */
export interface OptionTable {
  readonly both: { readonly [Name in keyof Required<RunSettings>]: SharedRow<RunSettings[Name]> };
  readonly agent: { readonly [Name in Exclude<keyof AgentOptions, keyof RunSettings>]: OwnRow };
  readonly run: { readonly [Name in Exclude<keyof RunOptions, keyof RunSettings>]: OwnRow };
}

const positive = atLeast(Number.MIN_VALUE);

/** Settings that an agent has and a run may override. */
const both: OptionTable["both"] = {
  model: { merge: replace, inside: "as is" },
  instructions: {
    check: either("is a text or a function", anyText, callback),
    merge: replace,
  },
  maxTurns: { check: atLeast(1, true), merge: replace },
  toolChoice: { check: toolChoice, merge: replace },
  toolUseBehavior: {
    check: (value) =>
      value === "run_llm_again" ||
      value === "stop_on_first_tool" ||
      typeof value === "function" ||
      (shape({ stopAtToolNames: strings })(value) === undefined &&
        (value as { readonly stopAtToolNames?: unknown }).stopAtToolNames !== undefined)
        ? undefined
        : 'is "run_llm_again", "stop_on_first_tool", { stopAtToolNames } or a function',
    merge: replace,
  },
  reasoning: {
    fields: {
      enabled: flag,
      effort: oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
      budgetTokens: number(0, "tokens", true),
      summary: oneOf(["auto", "concise", "detailed", "none"]),
    } satisfies FieldsOf<ReasoningConfig>,
    merge: fieldByField,
  },
  temperature: { check: between(0, Number.POSITIVE_INFINITY), merge: replace, inside: "as is" },
  topP: { check: between(0, 1), merge: replace },
  stopSequences: { check: strings, merge: replace },
  parallelToolCalls: { check: flag, merge: replace },
  maxTokens: { check: number(1, "tokens", true), merge: replace, inside: "as is" },
  providerOptions: { check: recordOf(record), merge: vendorFields },
  modelTiers: {
    fields: { fast: undefined, balanced: undefined, smart: undefined } satisfies FieldsOf<Record<ModelHint, ModelSpec>>,
    merge: fieldByField,
  },
  fallback: { check: list, merge: replace },
  retry: {
    fields: {
      maxRetries: atLeast(0, true),
      initialDelayMs: atLeast(0),
      maxDelayMs: atLeast(0),
      retryableErrors: callback,
    } satisfies FieldsOf<RetryConfig>,
    merge: fieldByField,
  },
  timeouts: {
    fields: {
      totalMs: atLeast(1),
      turnMs: atLeast(1),
      firstChunkMs: atLeast(1),
      idleChunkMs: atLeast(1),
      toolGraceMs: atLeast(0),
    } satisfies FieldsOf<Timeouts>,
    merge: fieldByField,
    composition: true,
  },
  toolConcurrency: { check: atLeast(1, true), merge: replace, program: true },
  toolTimeoutMs: { check: atLeast(0), merge: replace, program: true },
  stopWhen: {
    check: (value) =>
      [value].flat().every((condition) => typeof condition === "function")
        ? undefined
        : "is a condition such as stepCountIs(5), a function, or a list of them",
    merge: replace,
    inside: "as is",
  },
  prepareStep: { check: callback, merge: replace },
  loopHooks: {
    fields: {
      beforeLLMCall: callback,
      afterLLMCall: callback,
      beforeToolExec: callback,
      afterToolExec: callback,
      onRoundtripComplete: callback,
    } satisfies FieldsOf<LoopHooks>,
    merge: chain(joinLoopHooks),
    inside: once(joinLoopHooks, loopHooksInside),
  },
  extensions: {
    check: extensionList,
    merge: chain(joinExtensions),
    inside: "once",
    program: true,
    composition: true,
  },
  hooksAreFatal: {
    check: flag,
    merge: tighten(stricterOf("hooksAreFatal", [false, true])),
    inside: "as is",
    program: true,
  },
  guardrails: {
    fields: {
      input: guardrails,
      output: guardrails,
      toolInput: guardrails,
      toolOutput: guardrails,
    } satisfies FieldsOf<Guardrails>,
    merge: chain(joinGuardrails),
    inside: once(joinGuardrails, guardrailsInside),
  },
  outputGuardrails: {
    check: oneOf(["hold", "after"]),
    merge: tighten(stricterOf("outputGuardrails", ["after", "hold"])),
  },
  approval: {
    fields: {
      policy: either('is "none", "all", a list of tool names or a function', oneOf(["none", "all"]), strings, callback),
      onApproval: callback,
      timeout: atLeast(1),
      timeoutAction: oneOf(["deny", "throw", "approve"]),
      expiresAfterMs: atLeast(1),
    } satisfies FieldsOf<ApprovalConfig>,
    merge: chain(joinApprovalOfRun),
    inside: once(joinApprovalInside),
  },
  flow: {
    check: either('is "auto", "enforce", "shadow", "off" or an object', choice("mode"), record),
    fields: {
      mode: choice("mode"),
      grants,
      planner: either('is a model, such as openai("gpt-5-mini"), or false', no, text, having("", "generate")),
      plannerTtlMs: number(1, "milliseconds"),
      quarantine,
      lowCapacityLeaves: flag,
      serverDefinitions: choice("serverDefinitions"),
      answerLinks: choice("answerLinks"),
      allowedHosts: strings,
      undeclared: choice("undeclared"),
      unattended: choice("unattended"),
      allowUngovernedHostedTools: flag,
    } satisfies FieldsOf<FlowOptions>,
    merge: tighten(joinFlow),
    inside: tightenedInside(joinFlowInside, true),
  },
  contextCompactor: {
    fields: {
      maxContextTokens: atLeast(1),
      reserveTokens: atLeast(0),
      countTokens: callback,
      strategy: oneOf(["trim", "summarize", "hybrid"]),
      summarizeModel: undefined,
      priorityOrder: list,
    } satisfies FieldsOf<ContextCompactorConfig>,
    check: compactor,
    merge: fieldByField,
  },
  toolResultLimit: {
    fields: {
      maxTokens: atLeast(0, true),
      strategy: oneOf(VOCABULARIES.truncationStrategy),
      model: undefined,
    } satisfies FieldsOf<ToolResultLimit>,
    check: resultLimit,
    merge: fieldByField,
  },
  memory: { check: having("a memory", "contextFor", "accessFor"), merge: replace, program: true },
  session: {
    check: having("a session store, such as store.sessions or memorySessions()", "load", "append", "list"),
    merge: replace,
    composition: true,
  },
  dependencies: { merge: plainFields, inside: "as is", program: true },
  userId: { check: text, merge: replace, inside: "as is", program: true },
  generateFollowups: { check: flag, merge: replace },
  sandbox: {
    fields: sandboxFields,
    merge: tighten(joinSandbox),
    inside: tightenedInside(joinSandboxInside),
    program: true,
  },
  budget: {
    fields: { tokens: positive, usd: positive, durationMs: positive } satisfies FieldsOf<Budget>,
    merge: tighten(joinBudget),
    inside: "once",
    composition: true,
  },
  eventBus: {
    check: having("an event bus, made by eventBus()", "on", "emit", "hasListeners"),
    merge: replace,
    program: true,
    composition: true,
  },
  logger: {
    check: having("a logger", "debug", "info", "warn", "error"),
    merge: replace,
    program: true,
    composition: true,
  },
  clock: {
    check: having("a clock", "now", "setTimer"),
    merge: replace,
    program: true,
    composition: true,
  },
  ids: { check: having("a source of ids", "next"), merge: replace, program: true, composition: true },
  maxDepth: {
    check: atLeast(0, true),
    merge: tighten(lower("maxDepth")),
    inside: tightenedInside(smaller),
    program: true,
    composition: true,
  },
  onUnknownOutcome: {
    check: oneOf(["suspend", "tell-model"]),
    merge: tighten(stricterOf("onUnknownOutcome", ["tell-model", "suspend"])),
    program: true,
  },
  detached: { check: flag, merge: replace },
  resumable: { check: flag, merge: replace },
  concurrentRuns: { check: oneOf(["queue", "refuse"]), merge: replace },
  loopDetection: { check: either("is false or a whole number of at least 2", no, atLeast(2, true)), merge: replace },
  deadlineAt: {
    check: number(0, "milliseconds since the epoch"),
    merge: replace,
    inside: tightenedInside(smaller),
  },
};

/** Options of an agent only. */
const agent: OptionTable["agent"] = {
  name: {},
  description: { check: text, composition: true },
  tools: {
    check: either("is an array, such as [tool({ name, … })], or a function", list, callback),
  },
  mcp: {
    check: (value) =>
      Array.isArray(value) && value.every((one) => having("a server", "serve")(one) === undefined)
        ? undefined
        : 'is a list of servers of tools, such as [mcp({ name: "tracker", url })]',
  },
  hostedTools: { check: list },
  models: { check: having("a registry, made by modelRegistry()", "resolve"), program: true },
  prices: { check: recordOf(price) },
  output: {},
  hooks: {
    fields: {
      beforeRun: callback,
      afterRun: callback,
      onToolCall: callback,
      onError: callback,
    } satisfies FieldsOf<AgentHooks>,
  },
  secrets: {
    check: having("a source of secrets, such as env()", "has", "get"),
    inside: "once",
    program: true,
  },
  keys: {
    fields: { sign: keyOrKeys, seal: keyOrKeys } satisfies FieldsOf<Keys>,
    inside: "as is",
    program: true,
    composition: true,
  },
  store: {
    check: having("a store, such as memoryStore() or sqliteStore({ path })", "create", "append", "load", "listRuns"),
    inside: "as is",
    composition: true,
  },
  ledger: {
    check: having("a ledger", "get", "reserve", "put", "release"),
    inside: "as is",
    composition: true,
  },
  leaseMs: { check: number(1_000, "milliseconds"), composition: true },
  hasher: { check: having("a hasher", "sha256"), program: true },
  telemetry: {
    check: having("telemetry, such as otel()", "startRun", "startModelCall", "startToolCall"),
    program: true,
  },
  handoffs: { check: list },
  collisions: {
    check: oneOf(["auto-prefix", "priority", "manual"]),
  },
};

/** Options of a run only. */
const run: OptionTable["run"] = {
  sessionId: { check: text },
  tenantId: { check: text, inside: "as is" },
  metadata: { check: durableRecord, inside: "as is" },
  apiKey: { check: text },
  signal: {
    check: having("an AbortSignal", "addEventListener", "removeEventListener"),
    inside: "as is",
  },
  extraVars: { check: durableRecord, inside: "as is" },
  messages: { check: list },
  conversationHistory: { check: list },
  enableCaching: { check: flag, inside: "as is" },
  onToken: { inside: "once" },
  onStart: { check: callback, inside: "once" },
  onComplete: { check: callback, inside: "once" },
  onError: { check: callback, inside: "once" },
  onApprovalRequired: { check: callback, inside: "once" },
  grants: { check: grants },
  includeRawEvents: { check: flag },
  verbose: { check: flag, inside: "as is" },
  parent: { inside: "as is" },
  hooks: {
    fields: { onNodeStart: callback, onNodeEnd: callback, onNodeError: callback } satisfies FieldsOf<NodeHooks>,
    inside: "as is",
  },
  output: {},
  clientTools: { check: clientTools },
  idempotencyKey: { check: text },
};

/** Each option of an agent or a run, once: its value, its merge rule, and the value that an inner run inherits. */
export const optionTable: OptionTable = { both, agent, run };
