import {
  askUserCode,
  askUserCodeNow,
  tellUserCode,
  type CallLimits,
  type UserAnswer,
} from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { Run } from "../run.ts";
import { errorText, toErrorData } from "../../errors/error-text.ts";

/** Maximum wait for a deciding hook or a guardrail, in milliseconds. */
export const decidingTimeoutMs = 10_000;

/** Maximum wait for an observing hook, in milliseconds. */
const observingTimeoutMs = 30_000;

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
  read: (answer: T) => T,
): Promise<T> {
  const answer = await ask(run, hook, call, read, "The run fails.");
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

/** Names of the callbacks of a run whose failure was reported. */
const reported = new WeakMap<object, Set<string>>();

/**
 * Reports that a callback failed: journals `hook.failed`, and logs it once per run and callback.
 *
 * @param consequence - Effect on the run, as the second half of the log line.
 */
export function reportFailure(run: Run, hook: string, error: Error, consequence: string): void {
  if (isFirst(run, hook)) log(run, hook, error, consequence);
  // The journal of a run begins with run.start.
  if (run.journal.state.start === undefined) return;
  run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
}

function log(run: Run, hook: string, error: Error, consequence: string): void {
  run.logger.warn(`"${hook}" of run ${run.runId} failed: ${errorText(error).replace(/\.$/u, "")}. ${consequence}`, {
    error,
  });
}

function isFirst({ journal }: Run, hook: string): boolean {
  const names = reported.get(journal) ?? new Set();
  reported.set(journal, names);
  if (names.has(hook)) return false;
  names.add(hook);
  return true;
}

/**
 * Reports a failed callback that is not awaited, once per run: in the next microtask, because it may fail while a
 * record is being shown. Nothing is recorded after the run's end.
 *
 * @param isLogged - The callback's owner has logged it.
 */
export function reportUnawaited(run: Run, hook: string, error: Error, isLogged = false): void {
  if (!isFirst(run, hook)) return;
  if (!isLogged) log(run, hook, error, "The run is not affected.");
  queueMicrotask(() => {
    const { state } = run.journal;
    if (state.start === undefined || state.end !== undefined) return;
    run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
  });
}

/** Calls a callback without awaiting it; an error or a rejection is reported and changes nothing. */
export function tellCallback(run: Run, name: string, call: () => unknown): void {
  tellUserCode(call, (error) => reportUnawaited(run, name, error));
}

/** The reason why a deciding function failed, without known secrets. */
export function reasonOf({ run }: { readonly run: Run }, { message }: Error): string {
  return run.agent.secrets?.scrub(message) ?? message;
}
