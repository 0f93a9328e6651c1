import type { DrivenRun } from "../driven-run.ts";
import { RunStoppedError } from "../limits/run-control.ts";
import type { HookFailure } from "./hooks-runner.ts";

/** The end of a run whose deciding hook failed where no call is at hand; the reason stands in the output's warnings. */
export function deniedByHook(run: DrivenRun, { hook, error }: HookFailure): RunStoppedError {
  run.warn({
    code: "hook_failed",
    message: `The run was stopped, because "${hook}" failed: ${error.message}`,
    subject: hook,
  });
  return new RunStoppedError({ reason: "policy_denied", text: "", error });
}
