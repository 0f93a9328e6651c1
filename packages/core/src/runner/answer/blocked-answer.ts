import { GuardrailTrippedError } from "../../errors/run-errors.ts";
import type { DrivenRun } from "../driven-run.ts";
import type { Ending } from "../limits/run-control.ts";

/** Forgets what is held of an answer, and withdraws what was shown of it. */
export function retract(run: DrivenRun, blocked: { readonly name: string; readonly reason: string }): void {
  run.answer.drop();
  if (run.answer.shown && run.sink.wants("guardrail.retracted"))
    run.sink.show({ type: "guardrail.retracted", ...blocked });
}

/** The ending of an answer of which a window was blocked while it streamed. */
export function blockedByWindow(run: DrivenRun, blocked: NonNullable<DrivenRun["answer"]["blocked"]>): Ending {
  const reason = blocked.verdict.pass ? "" : blocked.verdict.reason;
  retract(run, { name: blocked.name, reason });
  const error = new GuardrailTrippedError(
    `The output guardrail "${blocked.name}" blocked run ${run.runId}: ${reason}`,
    [blocked],
    { runId: run.runId },
  );
  return { reason: "guardrail_blocked", text: "", error };
}
