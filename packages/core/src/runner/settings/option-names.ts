import type { StepSettings } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { nearestNames } from "../../errors/nearest-names.ts";
import type { OptionFacts } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

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
 * Refuses options that nobody knows: a misspelt one would be ignored.
 *
 * @param kind - Whose options they are.
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
