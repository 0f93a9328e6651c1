import type { AgentOptions, RunOptions, RunSettings, StepSettings } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { nearestNames } from "../../errors/nearest-names.ts";

/** The compiler checks that no option is forgotten here: one that is missing would be refused as unknown. */
const settings: { readonly [Name in keyof Required<RunSettings>]: true } = {
  model: true,
  instructions: true,
  maxTurns: true,
  toolChoice: true,
  toolUseBehavior: true,
  reasoning: true,
  temperature: true,
  topP: true,
  stopSequences: true,
  parallelToolCalls: true,
  maxTokens: true,
  providerOptions: true,
  modelTiers: true,
  fallback: true,
  retry: true,
  timeouts: true,
  toolConcurrency: true,
  toolTimeoutMs: true,
  stopWhen: true,
  prepareStep: true,
  loopHooks: true,
  hooksAreFatal: true,
  guardrails: true,
  outputGuardrails: true,
  approval: true,
  flow: true,
  contextCompactor: true,
  toolResultLimit: true,
  memory: true,
  session: true,
  dependencies: true,
  userId: true,
  generateFollowups: true,
  budget: true,
  eventBus: true,
  logger: true,
  clock: true,
  ids: true,
  maxDepth: true,
  onUnknownOutcome: true,
  detached: true,
  resumable: true,
  concurrentRuns: true,
  loopDetection: true,
  deadlineAt: true,
};

const ofAgents: { readonly [Name in Exclude<keyof AgentOptions, keyof RunSettings>]: true } = {
  name: true,
  description: true,
  tools: true,
  mcp: true,
  hostedTools: true,
  models: true,
  prices: true,
  output: true,
  hooks: true,
  sandbox: true,
  secrets: true,
  keys: true,
  store: true,
  ledger: true,
  leaseMs: true,
  hasher: true,
  telemetry: true,
  handoffs: true,
  collisions: true,
};

const ofRuns: { readonly [Name in Exclude<keyof RunOptions, keyof RunSettings>]: true } = {
  sessionId: true,
  tenantId: true,
  metadata: true,
  apiKey: true,
  signal: true,
  extraVars: true,
  messages: true,
  conversationHistory: true,
  enableCaching: true,
  onToken: true,
  onStart: true,
  onComplete: true,
  onError: true,
  onApprovalRequired: true,
  grants: true,
  includeRawEvents: true,
  verbose: true,
  parent: true,
  hooks: true,
  output: true,
  idempotencyKey: true,
};

/** Names of the settings that an agent has and a run may override. */
export const settingNames: readonly (keyof RunSettings)[] = Object.keys(settings) as (keyof RunSettings)[];

/** Names of what a group of options may hold. */
const groupNames: Readonly<Record<string, readonly string[]>> = {
  hooks: ["beforeRun", "afterRun", "onToolCall", "onError"],
  loopHooks: ["beforeLLMCall", "afterLLMCall", "beforeToolExec", "afterToolExec", "onRoundtripComplete"],
  nodeHooks: ["onNodeStart", "onNodeEnd", "onNodeError"],
  guardrails: ["input", "output", "toolInput", "toolOutput"],
  timeouts: ["totalMs", "stepMs", "firstChunkMs", "idleChunkMs"],
  budget: ["tokens", "usd", "ms"],
  retry: ["maxRetries", "initialDelayMs", "maxDelayMs", "retryableErrors"],
  approval: ["policy", "onApproval", "timeout", "timeoutAction", "expiresAfterMs"],
  contextCompactor: ["maxContextTokens", "reserveTokens", "strategy", "summarizeModel", "priorityOrder"],
  toolResultLimit: ["maxChars", "strategy", "model"],
  reasoning: ["enabled", "effort", "budgetTokens", "summary"],
  keys: ["sign", "seal"],
  flow: [
    "mode",
    "grants",
    "planner",
    "quarantine",
    "lowCapacityLeaves",
    "serverDefinitions",
    "answerLinks",
    "allowedHosts",
    "undeclared",
    "allowUngovernedHostedTools",
  ],
  sandbox: ["tier", "enabled", "timeout", "maxMemoryMB", "allowNetwork", "allowFS", "acknowledgeUnrestricted", "env"],
  modelTiers: ["fast", "balanced", "smart"],
};

/** The compiler checks that no setting of a step is forgotten. */
const ofSteps: { readonly [Name in keyof Required<StepSettings>]: true } = {
  model: true,
  activeTools: true,
  toolChoice: true,
  temperature: true,
  maxTokens: true,
  instructions: true,
  reasoning: true,
};

/** Names that other frameworks give an option, so that the message can say ours. */
const otherNames: Readonly<Record<string, string>> = {
  structuredOutput: "output",
  outputType: "output",
  outputSchema: "output",
  systemPrompt: "instructions",
  system: "instructions",
  prompt: "instructions",
  maxSteps: "maxTurns",
  maxToolRoundtrips: "maxTurns",
  toolGuardrails: "guardrails",
  inputGuardrails: "guardrails",
  requiresApproval: "approval",
  abortSignal: "signal",
  history: "messages",
  tools: "activeTools",
  context: "dependencies",
  experimental_context: "dependencies",
  deps: "dependencies",
  stop: "stopSequences",
  maxOutputTokens: "maxTokens",
  maxRetries: "retry",
  subAgents: "handoffs",
  parallel_tool_calls: "parallelToolCalls",
};

const agentNames: readonly string[] = [...settingNames, ...Object.keys(ofAgents)];
const runNames: readonly string[] = [...settingNames, ...Object.keys(ofRuns)];
const groups = Object.entries(groupNames);

/**
 * Refuses options that nobody knows: a misspelt one would be ignored.
 *
 * @param kind - Whose options they are.
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one; `INVALID_OPTION` for a group of another shape.
 */
export function checkOptionNames(kind: "agent" | "run", options: object): void {
  const known = kind === "agent" ? agentNames : runNames;
  const where = kind === "agent" ? "an agent" : "a run";
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `The options of ${where} are an object with ${kind === "agent" ? "name, model, tools" : "sessionId, signal, maxTurns"} and others.`,
    );
  }
  checkNames(options, known, (name) => `"${name}" is not an option of ${where}.`);
  for (const [group, names] of groups) {
    const option = group === "nodeHooks" ? "hooks" : group;
    if ((group === "hooks") !== (kind === "agent") && option === "hooks") continue;
    const value = (options as Record<string, unknown>)[option];
    if (value === undefined || (group === "flow" && typeof value === "string")) continue;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ConfigurationError(
        "INVALID_OPTION",
        `"${option}" of ${where} must be an object with ${names.join(", ")}.`,
      );
    }
    checkNames(
      value,
      names,
      (name) => `"${option}.${name}" of ${where} is not known; ${option} has ${names.join(", ")}.`,
    );
    if (option === "hooks" || option === "loopHooks") checkFunctions(option, value);
  }
}

/**
 * Refuses settings of a step that nobody knows.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one.
 */
export function checkStepNames(step: StepSettings): void {
  checkNames(step, Object.keys(ofSteps), (name) => `"${name}" is not a setting that "prepareStep" may change.`);
}

function checkFunctions(group: string, value: object): void {
  for (const [name, callback] of Object.entries(value)) {
    if (callback === undefined || typeof callback === "function") continue;
    throw new ConfigurationError("INVALID_OPTION", `"${group}.${name}" must be a function, not ${typeof callback}.`);
  }
}

function checkNames(value: object, known: readonly string[], message: (name: string) => string): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const other = otherNames[name];
    const near = other !== undefined && known.includes(other) ? other : nearestNames(name, known, 1)[0];
    const hint = near === undefined ? "" : ` Did you mean "${near}"?`;
    throw new ConfigurationError("UNKNOWN_OPTION", `${message(name)}${hint}`);
  }
}
