import type { ContextCompactorConfig, ToolResultLimit } from "../../contracts/context-config.ts";
import type { Fakes } from "../../contracts/fakes.ts";
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
  strings,
  text,
} from "../../errors/value-checks.ts";
import { extensionList, joinExtensions } from "./extension-options.ts";
import { approvalFields, joinApprovalOfRun, joinApprovalInside, smaller } from "./join-approval.ts";
import { flow, flowFields, joinFlow, joinFlowInside } from "./join-flow.ts";
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
  conditions,
  durableRecord,
  grants,
  guardrails,
  keyOrKeys,
  no,
  prices,
  resultLimit,
  sections,
  servers,
  toolChoice,
  toolUse,
} from "./option-checks.ts";
import type { FieldsOf, Inside, Kept, MergeRule, OptionFacts } from "./option-row.ts";

/** An option of an agent that a run may override. */
type SharedRow<Value> = OptionFacts & {
  readonly kept: Kept;
  readonly merge: MergeRule<Value>;
  readonly inside?: Inside<Value>;
};

/** An option of an agent only, or of a run only. */
type OwnRow = OptionFacts & { readonly inside?: "as is" | "once" };

/**
 * The table of options. The compiler checks that it is complete, and that each merge rule accepts the option's type.
 */
export interface OptionTable {
  readonly both: { readonly [Name in keyof Required<RunSettings>]: SharedRow<RunSettings[Name]> };
  readonly agent: { readonly [Name in Exclude<keyof AgentOptions, keyof RunSettings>]: OwnRow };
  readonly run: { readonly [Name in Exclude<keyof RunOptions, keyof RunSettings>]: OwnRow & { readonly kept: Kept } };
}

const positive = atLeast(Number.MIN_VALUE);

/** Settings that an agent has and a run may override. */
const both: OptionTable["both"] = {
  model: { merge: replace, inside: "as is", kept: "stored" },
  instructions: { check: either("is a text or a function", anyText, callback), merge: replace, kept: "stored" },
  maxTurns: { check: atLeast(1, true), merge: replace, kept: "stored" },
  toolChoice: { check: toolChoice, merge: replace, kept: "stored" },
  toolUseBehavior: { check: toolUse, merge: replace, kept: "stored" },
  reasoning: {
    fields: {
      enabled: flag,
      effort: oneOf(["none", "minimal", "low", "medium", "high", "xhigh", "max"]),
      budgetTokens: number(0, "tokens", true),
      summary: oneOf(["auto", "concise", "detailed", "none"]),
    } satisfies FieldsOf<ReasoningConfig>,
    merge: fieldByField,
    kept: "stored",
  },
  temperature: { check: between(0, Infinity), merge: replace, inside: "as is", kept: "stored" },
  topP: { check: between(0, 1), merge: replace, kept: "stored" },
  stopSequences: { check: strings, merge: replace, kept: "stored" },
  parallelToolCalls: { check: flag, merge: replace, kept: "stored" },
  maxTokens: { check: number(1, "tokens", true), merge: replace, inside: "as is", kept: "stored" },
  providerOptions: { check: recordOf(record), merge: vendorFields, kept: "stored" },
  modelTiers: {
    fields: { fast: undefined, balanced: undefined, smart: undefined } satisfies FieldsOf<Record<ModelHint, ModelSpec>>,
    merge: fieldByField,
    kept: "stored",
  },
  fallback: { check: list, merge: replace, kept: "stored" },
  retry: {
    fields: {
      maxRetries: atLeast(0, true),
      initialDelayMs: atLeast(0),
      maxDelayMs: atLeast(0),
      retryableErrors: callback,
    } satisfies FieldsOf<RetryConfig>,
    merge: fieldByField,
    kept: "stored",
  },
  timeouts: {
    fields: {
      totalMs: atLeast(1),
      turnMs: atLeast(1),
      firstChunkMs: atLeast(1),
      idleChunkMs: atLeast(1),
      toolGraceMs: atLeast(0),
      storeMs: atLeast(0),
    } satisfies FieldsOf<Timeouts>,
    merge: fieldByField,
    composition: true,
    kept: "stored",
  },
  toolConcurrency: { check: atLeast(1, true), merge: replace, program: true, kept: "stored" },
  toolTimeoutMs: { check: atLeast(0), merge: replace, program: true, kept: "stored" },
  stopWhen: { check: conditions, merge: replace, inside: "as is", kept: "again" },
  prepareStep: { check: callback, merge: replace, kept: "again" },
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
    kept: "again",
  },
  extensions: {
    check: extensionList,
    merge: chain(joinExtensions),
    inside: "once",
    program: true,
    composition: true,
    kept: "again",
  },
  hooksAreFatal: {
    check: flag,
    merge: tighten(stricterOf("hooksAreFatal", [false, true])),
    inside: "as is",
    program: true,
    kept: "stored",
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
    kept: "again",
    composition: true,
  },
  outputGuardrails: {
    check: oneOf(["hold", "after"]),
    merge: tighten(stricterOf("outputGuardrails", ["after", "hold"])),
    kept: "stored",
  },
  approval: {
    fields: approvalFields,
    merge: chain(joinApprovalOfRun),
    inside: once(joinApprovalInside),
    kept: "person",
    composition: true,
  },
  flow: {
    check: flow,
    fields: flowFields,
    merge: tighten(joinFlow),
    inside: tightenedInside(joinFlowInside, true),
    kept: "stored",
    composition: true,
  },
  contextCompactor: {
    fields: {
      maxContextTokens: atLeast(1),
      reserveTokens: atLeast(0),
      countTokens: callback,
      strategy: oneOf(["trim", "summarize", "hybrid"]),
      summarizeModel: undefined,
      priorityOrder: sections,
    } satisfies FieldsOf<ContextCompactorConfig>,
    check: compactor,
    merge: fieldByField,
    kept: "stored",
  },
  toolResultLimit: {
    fields: {
      maxTokens: atLeast(0, true),
      strategy: oneOf(VOCABULARIES.truncationStrategy),
      model: undefined,
    } satisfies FieldsOf<ToolResultLimit>,
    check: resultLimit,
    merge: fieldByField,
    kept: "stored",
  },
  memory: { check: having("a memory", "contextFor", "accessFor"), merge: replace, program: true, kept: "no" },
  session: {
    check: having("a session store, such as store.sessions or memorySessions()", "load", "append", "list"),
    merge: replace,
    composition: true,
    kept: "no",
  },
  dependencies: { merge: plainFields, inside: "as is", program: true, composition: true, kept: "noted" },
  userId: { check: text, merge: replace, inside: "as is", program: true, kept: "field" },
  generateFollowups: { check: flag, merge: replace, kept: "stored" },
  sandbox: {
    fields: sandboxFields,
    merge: tighten(joinSandbox),
    inside: tightenedInside(joinSandboxInside),
    program: true,
    kept: "stored",
    composition: true,
  },
  budget: {
    fields: { tokens: positive, usd: positive, durationMs: positive } satisfies FieldsOf<Budget>,
    merge: tighten(joinBudget),
    inside: "once",
    composition: true,
    kept: "stored",
  },
  eventBus: {
    check: having("an event bus, made by eventBus()", "on", "emit", "hasListeners"),
    merge: replace,
    program: true,
    composition: true,
    kept: "no",
  },
  logger: {
    check: having("a logger", "debug", "info", "warn", "error"),
    merge: replace,
    program: true,
    composition: true,
    kept: "no",
  },
  clock: { check: having("a clock", "now", "setTimer"), merge: replace, program: true, composition: true, kept: "no" },
  ids: { check: having("a source of ids", "next"), merge: replace, program: true, composition: true, kept: "no" },
  maxDepth: {
    check: atLeast(0, true),
    merge: tighten(lower("maxDepth")),
    inside: tightenedInside(smaller),
    program: true,
    composition: true,
    kept: "stored",
  },
  onUnknownOutcome: {
    check: oneOf(["suspend", "tell-model"]),
    merge: tighten(stricterOf("onUnknownOutcome", ["tell-model", "suspend"])),
    program: true,
    kept: "stored",
  },
  detached: { check: flag, merge: replace, kept: "no" },
  resumable: { check: flag, merge: replace, kept: "stored" },
  concurrentRuns: { check: oneOf(["queue", "refuse"]), merge: replace, kept: "no" },
  loopDetection: {
    check: either("is false or a whole number of at least 2", no, atLeast(2, true)),
    merge: replace,
    kept: "stored",
  },
  deadlineAt: {
    check: number(0, "milliseconds since the epoch"),
    merge: replace,
    inside: tightenedInside(smaller),
    kept: "field",
  },
};

/** Options of an agent only. */
const agent: OptionTable["agent"] = {
  name: {},
  description: { check: text, composition: true },
  tools: { check: either("is an array, such as [tool({ name, … })], or a function", list, callback) },
  mcp: { check: servers },
  hostedTools: { check: list },
  models: { check: having("a registry, made by modelRegistry()", "resolve"), program: true },
  prices: { check: prices },
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
    composition: true,
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
  ledger: { check: having("a ledger", "get", "reserve", "put", "release"), inside: "as is", composition: true },
  leaseMs: { check: number(1_000, "milliseconds"), composition: true },
  hasher: { check: having("a hasher", "sha256"), program: true },
  telemetry: {
    check: having("telemetry, such as otel()", "startRun", "startModelCall", "startToolCall"),
    program: true,
  },
  handoffs: { check: list },
  collisions: { check: oneOf(["auto-prefix", "priority", "manual"]) },
};

/** Options of a run only. */
const run: OptionTable["run"] = {
  sessionId: { check: text, kept: "field" },
  tenantId: { check: text, inside: "as is", kept: "field" },
  metadata: { check: durableRecord, inside: "as is", kept: "field" },
  apiKey: { check: text, kept: "no" },
  signal: { check: having("an AbortSignal", "addEventListener", "removeEventListener"), inside: "as is", kept: "no" },
  extraVars: { check: durableRecord, inside: "as is", kept: "field" },
  messages: { check: list, kept: "field" },
  conversationHistory: { check: list, kept: "field" },
  enableCaching: { check: flag, inside: "as is", kept: "stored" },
  onToken: { inside: "once", kept: "no" },
  onStart: { check: callback, inside: "once", kept: "no" },
  onComplete: { check: callback, inside: "once", kept: "no" },
  onError: { check: callback, inside: "once", kept: "no" },
  onApprovalRequired: { check: callback, inside: "once", kept: "person" },
  grants: { check: grants, kept: "stored" },
  includeRawEvents: { check: flag, kept: "no" },
  verbose: { check: flag, inside: "as is", kept: "no" },
  parent: { inside: "as is", kept: "field" },
  hooks: {
    fields: { onNodeStart: callback, onNodeEnd: callback, onNodeError: callback } satisfies FieldsOf<NodeHooks>,
    inside: "as is",
    kept: "no",
  },
  output: { kept: "no" },
  clientTools: { check: clientTools, kept: "field" },
  idempotencyKey: { check: text, kept: "field" },
  fakes: {
    fields: { answer: callback, realEffects: strings, ownStore: flag } satisfies FieldsOf<Fakes>,
    check: having("fakes with a function", "answer"),
    inside: "as is",
    kept: "again",
  },
};

/** Each option of an agent or a run, once: its value, its merge rule, and the value that an inner run inherits. */
export const optionTable: OptionTable = { both, agent, run };
