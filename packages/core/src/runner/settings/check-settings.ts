import type { RunSettings, StepSettings } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { VOCABULARIES } from "../../tools/vocabularies.ts";
import { said, shown } from "../../errors/value-checks.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";
import { nearestNames } from "../../errors/nearest-names.ts";

function refuse(where: string, message: string): never {
  throw new ConfigurationError("INVALID_OPTION", `${where}: ${message}`);
}

/**
 * Checks the values of an agent's or a run's options.
 *
 * @param where - Owner of the options, for the message.
 * @throws ConfigurationError `INVALID_OPTION` for options that cannot be honoured.
 */
export function checkSettings(settings: RunSettings, where: string): void {
  checkOptionValues(settings, where);
  wholeAtLeast(settings.maxTurns, 1, "maxTurns", where);
  wholeAtLeast(settings.toolConcurrency, 1, "toolConcurrency", where);
  atLeast(settings.toolTimeoutMs, 0, "toolTimeoutMs", where);
  wholeAtLeast(settings.maxDepth, 0, "maxDepth", where);
  if (settings.loopDetection !== false) wholeAtLeast(settings.loopDetection, 2, "loopDetection", where);
  for (const [name, value] of Object.entries(settings.timeouts ?? {}))
    atLeast(value, name === "toolGraceMs" ? 0 : 1, `timeouts.${name}`, where);
  for (const [name, value] of Object.entries(settings.budget ?? {}))
    atLeast(value, Number.MIN_VALUE, `budget.${name}`, where);
  wholeAtLeast(settings.retry?.maxRetries, 0, "retry.maxRetries", where);
  atLeast(settings.retry?.initialDelayMs, 0, "retry.initialDelayMs", where);
  atLeast(settings.retry?.maxDelayMs, 0, "retry.maxDelayMs", where);
  checkResultLimit(settings, where);
  const compactor = settings.contextCompactor;
  if (compactor !== undefined) {
    atLeast(compactor.maxContextTokens, 1, "contextCompactor.maxContextTokens", where);
    if ((compactor.reserveTokens ?? 0) >= compactor.maxContextTokens) {
      refuse(
        where,
        `contextCompactor.reserveTokens (${compactor.reserveTokens}) leaves nothing of maxContextTokens (${compactor.maxContextTokens}).`,
      );
    }
    oneOf(compactor.strategy, ["trim", "summarize", "hybrid"], "contextCompactor.strategy", where);
  }
  checkToolChoice(settings.toolChoice, where);
  checkGuardrails(settings, where);
  checkApproval(settings, where);
}

/**
 * Checks the form of a tool choice.
 *
 * @param where - Owner of the option, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkToolChoice(choice: unknown, where: string): void {
  const named = (choice as { readonly toolName?: unknown } | null | undefined)?.toolName;
  if (choice === undefined || typeof named === "string" || ["auto", "none", "required"].includes(choice as string))
    return;
  refuse(where, `toolChoice must be "auto", "none", "required" or { toolName }, not ${JSON.stringify(choice)}.`);
}

function checkResultLimit({ toolResultLimit }: RunSettings, where: string): void {
  if (toolResultLimit === undefined) return;
  const { maxTokens, strategy, model } = toolResultLimit;
  wholeAtLeast(maxTokens, 0, "toolResultLimit.maxTokens", where);
  if (strategy !== undefined) oneOf(strategy, VOCABULARIES.truncationStrategy, "toolResultLimit.strategy", where);
  if (strategy === "summarize" && model === undefined)
    refuse(where, `toolResultLimit.strategy "summarize" needs toolResultLimit.model.`);
}

/**
 * Checks how long an agent's leases last.
 *
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkLease(leaseMs: number | undefined, where: string): void {
  atLeast(leaseMs, 1_000, "leaseMs", where);
  if (leaseMs === Infinity) refuse(where, "leaseMs must be finite, else no process can take a run over.");
}

function checkApproval({ approval }: RunSettings, where: string): void {
  if (approval === undefined) return;
  const { policy, onApproval, timeout, timeoutAction, expiresAfterMs } = approval;
  const known =
    policy === undefined ||
    typeof policy === "function" ||
    policy === "none" ||
    policy === "all" ||
    (Array.isArray(policy) && policy.every((name) => typeof name === "string"));
  if (!known)
    refuse(
      where,
      `approval.policy must be "none", "all", a list of tool names or a function, not ${JSON.stringify(policy)}.`,
    );
  if (onApproval !== undefined && typeof onApproval !== "function")
    refuse(where, "approval.onApproval must be a function.");
  if (timeoutAction !== undefined) oneOf(timeoutAction, ["deny", "throw", "approve"], "approval.timeoutAction", where);
  atLeast(timeout, 1, "approval.timeout", where);
  atLeast(expiresAfterMs, 1, "approval.expiresAfterMs", where);
}

function checkGuardrails(settings: RunSettings, where: string): void {
  for (const [kind, list] of Object.entries(settings.guardrails ?? {})) {
    if (list === undefined) continue;
    if (!Array.isArray(list)) refuse(where, `guardrails.${kind} must be an array.`);
    for (const guardrail of list as readonly { readonly name?: unknown; readonly validate?: unknown }[]) {
      if (typeof guardrail?.name !== "string" || typeof guardrail.validate !== "function") {
        refuse(where, `every guardrail of guardrails.${kind} needs a name and a validate function.`);
      }
    }
  }
}

function oneOf(value: string, known: readonly string[], name: string, where: string): void {
  if (!known.includes(value))
    refuse(where, `${name} must be one of ${known.map((one) => `"${one}"`).join(", ")}, not ${JSON.stringify(value)}.`);
}

function atLeast(value: unknown, least: number, name: string, where: string): void {
  if (value === undefined) return;
  if (typeof value === "number" && !Number.isNaN(value) && value >= least) return;
  refuse(
    where,
    `${name} must be a number ${least === Number.MIN_VALUE ? "of more than 0" : `of at least ${least}`}, not ${typeof value === "number" ? value : JSON.stringify(value)}.`,
  );
}

/** Adds counts: infinity is "no limit". */
function wholeAtLeast(value: unknown, least: number, name: string, where: string): void {
  atLeast(value, least, name, where);
  if (value !== undefined && value !== Infinity && !Number.isInteger(value))
    refuse(where, `${name} must be a whole number, not ${value as number}.`);
}

const facts: Readonly<Record<string, OptionFacts>> = { ...optionTable.run, ...optionTable.agent, ...optionTable.both };

/**
 * Refuses values that an option cannot mean: they would be ignored, or fail far from here. The values of the others are
 * checked by `checkSettings`, or where they are read.
 *
 * @param options - An agent's or a run's; the names are known.
 * @param where - The agent or run, for the message.
 * @throws ConfigurationError `INVALID_OPTION`
 */
function checkOptionValues(options: object, where: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const wrong = facts[name]?.check?.(value);
    if (wrong === undefined) continue;
    throw new ConfigurationError("INVALID_OPTION", `${where}: ${said(name, wrong)}${shown(value)}.`);
  }
}

/** The options that an agent or a run may have, by name. */
function optionsOf(kind: "agent" | "run"): Readonly<Record<string, OptionFacts>> {
  return { ...optionTable.both, ...optionTable[kind] };
}

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
  schema: "output",
  onFinish: "onComplete",
  onStepFinish: "loopHooks",
  id: "name",
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

const options = { agent: optionsOf("agent"), run: optionsOf("run") } as const;

/**
 * Refuses unknown options, because a misspelt one would be ignored.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one; `INVALID_OPTION` for a group of another shape.
 */
export function checkOptionNames(kind: "agent" | "run", given: object): void {
  checkOptionsAgainst(options[kind], kind, given);
}

/** Like `checkOptionNames`, for any rows. */
export function checkOptionsAgainst(
  rows: Readonly<Record<string, OptionFacts>>,
  kind: "agent" | "run",
  given: object,
): void {
  const where = kind === "agent" ? "an agent" : "a run";
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `The options of ${where} are an object with ${kind === "agent" ? "name, model, tools" : "sessionId, signal, maxTurns"} and others.`,
    );
  }
  checkNames(given, Object.keys(rows), (name) => `"${name}" is not an option of ${where}.`);
  for (const [option, value] of Object.entries(given)) {
    const names = rows[option]?.fields;
    if (names === undefined || value === undefined || (option === "flow" && typeof value === "string")) continue;
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new ConfigurationError(
        "INVALID_OPTION",
        `"${option}" of ${where} must be an object with ${names.join(", ")}.`,
      );
    }
    checkNames(
      value as object,
      names,
      (name) => `"${option}.${name}" of ${where} is not known; ${option} has ${names.join(", ")}.`,
    );
    if (option === "hooks" || option === "loopHooks") checkFunctions(option, value as object);
  }
}

/**
 * Refuses unknown settings of a step.
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
