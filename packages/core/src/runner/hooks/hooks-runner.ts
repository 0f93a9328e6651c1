import type { Validation } from "../../contracts/resolved-tool.ts";
import type { Schema } from "../../contracts/schema.ts";
import { validatorOf } from "../../tools/standard-schema.ts";
import {
  askUserCode,
  askUserCodeNow,
  toError,
  type CallLimits,
  type UserAnswer,
} from "../../user-code/call-user-code.ts";
import { ownAnswer, ownCopy } from "../../user-code/copies.ts";
import type { Run } from "../run.ts";
import { reportFailure } from "./hook-failures.ts";
import type { GuardrailResult } from "../../contracts/guardrail.ts";
import type { JournalPayloads } from "../../contracts/journal-event.ts";
import { GuardrailTrippedError } from "../../errors/run-errors.ts";
import { RunStoppedError } from "../limits/run-control.ts";

/** Maximum wait for a deciding hook or a guardrail, in milliseconds. */
export const decidingTimeoutMs = 10_000;

/** Maximum wait for an observing hook, in milliseconds. */
const observingTimeoutMs = 30_000;

export function limitsOf(run: Run, name: string, timeoutMs: number): CallLimits {
  return { name, timeoutMs, clock: run.timers, control: run.control, runId: run.runId };
}

/**
 * Runs an observing hook and waits for it, at most 30 seconds. A failure is logged and journaled as `hook.failed`;
 * the run continues.
 *
 * @throws The hook's own error, with `hooksAreFatal`.
 */
export async function observe(run: Run, hook: string, call: () => unknown): Promise<void> {
  const answer = await askUserCode(call, limitsOf(run, hook, observingTimeoutMs));
  if (answer.ok || answer.stopped) return;
  const fatal = run.settings.hooksAreFatal === true;
  reportFailure(run, hook, answer.error, fatal ? "The run fails (hooksAreFatal)." : "The run continues.");
  if (fatal) throw answer.error;
}

/**
 * Runs a deciding hook, which fails closed: a throw, no answer within 10 seconds, or an invalid answer is a refusal.
 * The hook's answer is copied: later changes by the hook have no effect.
 *
 * @param read - Reads and copies the answer; it throws when the answer is none.
 */
export function decide<T>(
  run: Run,
  hook: string,
  call: () => T | Promise<T>,
  read: (answer: T) => T = ownCopy,
): Promise<UserAnswer<T>> {
  return ask(run, hook, call, read, "It counts as a refusal.");
}

/**
 * Calls a function whose answer the run needs, such as `instructions`.
 *
 * @throws the function's error, or that of an invalid answer: the run fails with it.
 */
export async function demand<T>(
  run: Run,
  hook: string,
  call: () => T | Promise<T>,
  read: (answer: T) => T = (answer) => answer,
  consequence: string = "The run fails.",
): Promise<T> {
  const answer = await ask(run, hook, call, read, consequence);
  if (answer.ok) return answer.value;
  throw answer.error;
}

async function ask<T>(
  run: Run,
  hook: string,
  call: () => T | Promise<T>,
  read: (answer: T) => T,
  consequence: string,
): Promise<UserAnswer<T>> {
  const given = await askUserCode(call, limitsOf(run, hook, decidingTimeoutMs));
  // Getters of the answer are user code too.
  const answer = given.ok ? askUserCodeNow(hook, () => read(given.value)) : given;
  if (!answer.ok && !answer.stopped) reportFailure(run, hook, answer.error, consequence);
  return answer;
}

/**
 * Checks a value with the user's schema, for at most 10 seconds. A failure of the schema is logged and journaled as
 * `hook.failed`; a value that it does not accept is none.
 *
 * @returns the result: at once if the schema is synchronous.
 * @throws the schema's error, or that of the time limit or of a stopped run.
 */
export function askSchema<T>(run: Run, schema: string, check: () => T | Promise<T>): T | Promise<T> {
  let pending: Promise<T>;
  try {
    const checked = check();
    if (!(checked instanceof Promise)) return checked;
    pending = checked;
  } catch (thrown) {
    pending = Promise.reject(toError(thrown));
  }
  return demand(run, schema, () => pending, undefined, "It counts as a refusal.");
}

/** Checks a value with a schema that a tool gives to its context. */
export async function askGivenSchema<T>(
  run: Run,
  name: string,
  schema: Schema<T>,
  value: unknown,
): Promise<Validation<T>> {
  return askSchema(run, name, () => validatorOf(schema)(value) as Promise<Validation<T>>);
}

type GuardrailKind = JournalPayloads["guardrail.decided"]["kind"];

export interface NamedVerdict {
  readonly name: string;
  readonly verdict: GuardrailResult;
}

/** Result of a list of guardrails for a value. */
export interface Guarded<T> {
  /** The value, with replacements. */
  readonly value: T;
  readonly replaced: boolean;
  /** Set when one of them blocked. */
  readonly blocked: { readonly name: string; readonly reason: string } | undefined;
  readonly verdicts: readonly NamedVerdict[];
}

/** Calls one guardrail and journals its verdict. If it throws or gives no answer within 10 seconds, it blocks. */
export async function askGuardrail<T>(
  run: Run,
  kind: GuardrailKind,
  name: string,
  validate: () => GuardrailResult<T> | Promise<GuardrailResult<T>>,
): Promise<GuardrailResult<T>> {
  const answer = await decide(run, `guardrail ${name}`, validate, (given) => verdictOf(run, name, given));
  const verdict: GuardrailResult<T> = answer.ok
    ? answer.value
    : { pass: false, reason: `The guardrail "${name}" failed and therefore blocks: ${answer.error.message}` };
  run.journal.record({ type: "guardrail.decided", kind, name, verdict });
  return verdict;
}

/** Reads and copies a verdict. An invalid one is reported as a failure, and blocks with a message that shows the valid form. */
export function verdictOf<T>(run: Run, name: string, given: GuardrailResult<T>): GuardrailResult<T> {
  const verdict = ownAnswer(given);
  const { pass, reason } = (verdict ?? {}) as { readonly pass?: unknown; readonly reason?: unknown };
  if (pass === true || (pass === false && typeof reason === "string")) return verdict;
  if (pass === false) return { pass, reason: `The guardrail "${name}" gave no reason.` };
  const blocks = `The guardrail "${name}" gave no verdict and therefore blocks: it has to return { pass: true }, { pass: true, replace } or { pass: false, reason }.`;
  reportFailure(run, name, new TypeError(blocks), "It counts as a refusal.");
  return { pass: false, reason: blocks };
}

/**
 * Runs guardrails in order, each on the output of the previous one. All run, even after a block, so that an error has
 * every verdict.
 */
export async function askGuardrails<T>(
  run: Run,
  kind: GuardrailKind,
  guardrails: readonly {
    readonly name: string;
    readonly validate: (value: T) => GuardrailResult<T> | Promise<GuardrailResult<T>>;
  }[],
  value: T,
): Promise<Guarded<T>> {
  const verdicts: NamedVerdict[] = [];
  let current = value;
  let replaced = false;
  let blocked: Guarded<T>["blocked"];
  for (const guardrail of guardrails) {
    const verdict = await askGuardrail(run, kind, guardrail.name, () => guardrail.validate(current));
    verdicts.push({ name: guardrail.name, verdict });
    if (!verdict.pass) blocked ??= { name: guardrail.name, reason: verdict.reason };
    else if (verdict.replace !== undefined) {
      current = verdict.replace;
      replaced = true;
    }
  }
  return { value: current, replaced, blocked, verdicts };
}

export function tripped(
  run: Run,
  kind: GuardrailKind,
  guarded: Pick<Guarded<unknown>, "blocked" | "verdicts">,
): GuardrailTrippedError {
  const { name, reason } = guarded.blocked ?? { name: "unknown", reason: "blocked" };
  const { runId } = run;
  const message = `The ${kind} guardrail "${name}" blocked run ${runId}: ${reason}`;
  return new GuardrailTrippedError(message, guarded.verdicts, { runId });
}

/**
 * Runs a deciding hook outside of a call.
 *
 * @throws RunStoppedError if it fails: the run ends as denied, and the output's warnings have the reason.
 */
export async function decideOrEnd<T>(
  run: Run,
  hook: string,
  call: () => T | Promise<T>,
  read: (answer: T) => T,
): Promise<T> {
  const answer = await decide(run, hook, call, read);
  if (answer.ok) return answer.value;
  const { error } = answer;
  run.warn({
    code: "hook_failed",
    message: `The run was stopped, because "${hook}" failed: ${error.message}`,
    subject: hook,
  });
  throw new RunStoppedError({ reason: "policy_denied", text: "", error });
}
