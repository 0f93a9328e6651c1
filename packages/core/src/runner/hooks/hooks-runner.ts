import { askUserCode, askUserCodeNow, type CallLimits, type UserAnswer } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import { reportFailure, type HookFailure } from "./hook-failures.ts";
import type { Run } from "../run.ts";

/** Maximum wait for a deciding hook or a guardrail, in milliseconds. */
export const decidingTimeoutMs = 10_000;

/** Maximum wait for an observing hook, in milliseconds. */
const observingTimeoutMs = 30_000;

/** Result of a deciding hook, or the reason why it counts as a refusal. */
export type HookVerdict<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: HookFailure };

/** The limits of a call of user code for a run. */
export function limitsOf(run: Run, name: string, timeoutMs: number): CallLimits {
  return { name, timeoutMs, clock: run.timers, control: run.control, runId: run.runId };
}

/**
 * Runs an observing hook and waits for it, at most 30 seconds. A failure is logged and journaled as `hook.failed`;
 * the run continues.
 *
 * @param hook - The hook's name.
 * @param call - Calls it; nothing happens when it is not set.
 * @throws The hook's own error, with `hooksAreFatal`.
 */
export async function observe(run: Run, hook: string, call: (() => unknown) | undefined): Promise<void> {
  if (call === undefined) return;
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
 * @param hook - The hook's name.
 * @param call - Calls it.
 * @param read - Reads and copies the answer; it throws when the answer is none.
 */
export async function decide<T>(
  run: Run,
  hook: string,
  call: () => T | Promise<T>,
  read: (answer: T) => T = ownCopy,
): Promise<HookVerdict<T>> {
  return taken(run, hook, await askUserCode(call, limitsOf(run, hook, decidingTimeoutMs)), read);
}

function taken<T>(
  run: Run,
  hook: string,
  answer: UserAnswer<T>,
  read: (answer: T) => T,
  consequence = "It counts as a refusal.",
): HookVerdict<T> {
  if (!answer.ok) return refused(run, hook, answer.error, answer.stopped, consequence);
  // Getters of the answer are user code too.
  const { value } = answer;
  const copied = askUserCodeNow(hook, () => read(value));
  return copied.ok ? { ok: true, value: copied.value } : refused(run, hook, copied.error, false, consequence);
}

function refused<T>(run: Run, hook: string, error: Error, stopped: boolean, consequence: string): HookVerdict<T> {
  if (!stopped) reportFailure(run, hook, error, consequence);
  return { ok: false, failure: { hook, error } };
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
  read: (answer: T) => T,
): Promise<T> {
  const verdict = taken(
    run,
    hook,
    await askUserCode(call, limitsOf(run, hook, decidingTimeoutMs)),
    read,
    "The run fails.",
  );
  if (!verdict.ok) throw verdict.failure.error;
  return verdict.value;
}

/** An answer of the required kind, or an error that names the kind. */
export function expected<T>(hook: string, what: string, holds: boolean, answer: T): T {
  if (holds) return answer;
  throw new TypeError(`"${hook}" has to return ${what}, not ${kindOf(answer)}.`);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  return `an object with ${Object.keys(value).join(", ")}`;
}

/** True if an answer is an object or `undefined`. */
export function isObjectOrNothing(answer: unknown): boolean {
  return answer === undefined || answer === null || (typeof answer === "object" && !Array.isArray(answer));
}
