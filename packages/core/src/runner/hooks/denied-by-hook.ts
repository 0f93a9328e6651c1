import { RunStoppedError } from "../limits/run-control.ts";
import type { Run } from "../run.ts";
import type { HookFailure } from "./hook-failures.ts";

/** The end of a run because a deciding hook outside of a call failed; the reason is in the output's warnings. */
export function deniedByHook(run: Run, { hook, error }: HookFailure): RunStoppedError {
  run.warn({
    code: "hook_failed",
    message: `The run was stopped, because "${hook}" failed: ${error.message}`,
    subject: hook,
  });
  return new RunStoppedError({ reason: "policy_denied", text: "", error });
}
