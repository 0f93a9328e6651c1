import type { DrivenRun } from "../driven-run.ts";
import { RunStoppedError } from "../limits/run-control.ts";
import { settleUnrunCalls } from "../tool-call/unrun-calls.ts";

/** Input guardrails that run beside the model decide before any tool runs. */
export async function awaitInputVerdict(run: DrivenRun): Promise<void> {
  if (run.inputVerdict === undefined) return;
  await run.inputVerdict;
  if (run.control.ending !== undefined) {
    settleUnrunCalls(run, "policy_denied", "Not run: a guardrail blocked the input.");
    throw new RunStoppedError(run.control.ending);
  }
}
