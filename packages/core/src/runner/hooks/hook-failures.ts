import { errorText, toErrorData } from "../../errors/error-text.ts";
import { tellUserCode } from "../../user-code/call-user-code.ts";
import { RunStoppedError } from "../limits/run-control.ts";
import type { Run } from "../run.ts";

/** Why a deciding hook or a guardrail gave no verdict. */
export interface HookFailure {
  readonly hook: string;
  readonly error: Error;
}

/** Names of the callbacks of a run whose failure was reported. */
const reported = new WeakMap<object, Set<string>>();

/**
 * Reports that a callback failed: journals `hook.failed`, and logs it once per run and callback.
 *
 * @param consequence - Effect on the run, as the second half of the log line.
 */
export function reportFailure(run: Run, hook: string, error: Error, consequence: string): void {
  logOnce(run, hook, error, consequence);
  // The journal of a run begins with run.start.
  if (run.journal.state.start === undefined) return;
  run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
}

function logOnce(run: Run, hook: string, error: Error, consequence: string): void {
  if (!isFirst(run, hook)) return;
  run.logger.warn(`"${hook}" of run ${run.runId} failed: ${errorText(error)}. ${consequence}`, { error });
}

function isFirst({ journal }: Run, hook: string): boolean {
  const names = reported.get(journal) ?? new Set();
  reported.set(journal, names);
  if (names.has(hook)) return false;
  names.add(hook);
  return true;
}

/**
 * Reports a callback that nothing waits for, once per run: at the next microtask, because it may fail while a record is
 * being shown. Nothing is recorded after the run's end.
 *
 * @param isLogged - The callback's owner has logged it.
 */
export function reportUnawaited(run: Run, hook: string, error: Error, isLogged = false): void {
  if (!isFirst(run, hook)) return;
  if (!isLogged)
    run.logger.warn(`"${hook}" of run ${run.runId} failed: ${errorText(error)}. The run is not affected.`, { error });
  queueMicrotask(() => {
    const { state } = run.journal;
    if (state.start === undefined || state.end !== undefined) return;
    run.journal.record({ type: "hook.failed", hook, error: toErrorData(error) });
  });
}

/** Calls a callback that nothing waits for; a throw and a rejection are reported and change nothing. */
export function tellCallback(run: Run, name: string, call: () => unknown): void {
  tellUserCode(call, (error) => reportUnawaited(run, name, error));
}

/** The end of a run whose deciding hook failed outside of a call; the reason is in the output's warnings. */
export function deniedByHook(run: Run, { hook, error }: HookFailure): RunStoppedError {
  run.warn({
    code: "hook_failed",
    message: `The run was stopped, because "${hook}" failed: ${error.message}`,
    subject: hook,
  });
  return new RunStoppedError({ reason: "policy_denied", text: "", error });
}

/** Why a deciding function failed, without known secrets. */
export function reasonOf({ run }: { readonly run: Run }, { message }: Error): string {
  return run.agent.secrets?.scrub(message) ?? message;
}
