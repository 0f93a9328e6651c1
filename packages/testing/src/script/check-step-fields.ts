import { ScriptFaultError } from "./script-error.ts";
import type { ScriptFaults } from "./script-faults.ts";
import type { ScriptToolCall } from "./script-part.ts";
import type { ScriptStep, ScriptUsage } from "./script-step.ts";

/** Every valid field; the compiler checks that the list is complete. */
type Fields<Of> = { readonly [Name in keyof Required<Of>]: true };

const stepFields: Fields<ScriptStep> = {
  text: true,
  deltas: true,
  reasoning: true,
  toolCalls: true,
  refusal: true,
  sources: true,
  files: true,
  parts: true,
  finish: true,
  rawFinish: true,
  usage: true,
  responseId: true,
  model: true,
  faults: true,
};

const faultFields: Fields<ScriptFaults> = {
  delayMs: true,
  delayPerEventMs: true,
  error: true,
  contextOverflow: true,
  errorFrame: true,
  garbage: true,
  cutAfterEvents: true,
  cutAfterBytes: true,
  omitTerminal: true,
  hangAfterEvents: true,
};

const usageFields: Fields<ScriptUsage> = {
  inputTokens: true,
  outputTokens: true,
  reasoningTokens: true,
  cachedTokens: true,
  cacheWriteTokens: true,
};

const callFields: Fields<ScriptToolCall> = {
  name: true,
  arguments: true,
  id: true,
  deltas: true,
  signature: true,
  custom: true,
};

/**
 * Refuses unknown fields: a misspelt one would be ignored, and the test would prove something else.
 *
 * @param step - A step of a script.
 * @throws ScriptFaultError `SCRIPT_INVALID`
 */
export function checkStepFields(step: ScriptStep): void {
  check(`A step has`, step, stepFields);
  if (step.faults !== undefined) check(`The faults of a step have`, step.faults, faultFields);
  if (step.usage !== undefined) check(`The usage of a step has`, step.usage, usageFields);
  for (const call of step.toolCalls ?? []) check(`A tool call has`, call, callFields);
}

function check(whatHas: string, given: object, known: Readonly<Record<string, true>>): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const names = Object.keys(known).join(", ");
  throw new ScriptFaultError("SCRIPT_INVALID", `${whatHas} no "${unknown}". Known: ${names}.`);
}
