import { tellUserCode } from "../../user-code/call-user-code.ts";
import type { Run } from "../run.ts";
import { errorText, toErrorData } from "../../errors/error-text.ts";

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
  journalFailure(run, hook, error);
}

/** Nothing is recorded after the run's end. */
function journalFailure(run: Run, hook: string, error: Error): void {
  run.afterStart(() => {
    if (run.journal.state.end === undefined)
      run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
  });
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
 * record is being shown.
 *
 * @param isLogged - The callback's owner has logged it.
 */
export function reportUnawaited(run: Run, hook: string, error: Error, isLogged = false): void {
  if (!isFirst(run, hook)) return;
  if (!isLogged) log(run, hook, error, "The run is not affected.");
  queueMicrotask(() => journalFailure(run, hook, error));
}

/** Calls a callback without awaiting it; an error or a rejection is reported and changes nothing. */
export function tellCallback(run: Run, name: string, call: () => unknown): void {
  tellUserCode(call, (error) => reportUnawaited(run, name, error));
}

/** The reason why a deciding function failed, without known secrets. */
export function reasonOf({ run }: { readonly run: Run }, { message }: Error): string {
  return run.agent.secrets?.scrub(message) ?? message;
}
