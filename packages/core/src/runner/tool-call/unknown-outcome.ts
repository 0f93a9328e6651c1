import type { Decision } from "../../contracts/interruption.ts";
import { makeInterruption, questionAbout } from "./approval-binding.ts";
import { finish, flowCallOf, lastAttemptOf, scrubbed, wait, type PipelineCall } from "./call.ts";
import { failure } from "./failure.ts";

/** Asks a person whether the effect happened, or gives the model the unknown outcome. */
export async function askWhatHappened(call: PipelineCall, difference: string | undefined): Promise<void> {
  const { run } = call;
  if (run.settings.onUnknownOutcome === "tell-model" || call.batch.stopped !== undefined) {
    const why = "The process stopped while it ran.";
    return finish(call, { failure: unknownOutcome(call, why), durationMs: 0 }, { attempt: lastAttemptOf(call) });
  }
  const values = (await run.flow?.questionFor(flowCallOf(call)))?.values;
  const { formerHeardAt } = run.journal.state;
  const question = await questionAbout(call, { kind: "unknown_outcome", values, difference, heardAt: formerHeardAt });
  const data = makeInterruption(call, { kind: "unknown_outcome", question, args: call.args });
  run.journal.record({ type: "tool.approval.requested", turn: call.turn, index: call.index, interruption: data });
  wait(call, [data]);
}

export function applyResolution(call: PipelineCall, decision: Decision): void {
  const attempt = lastAttemptOf(call);
  if (decision.type === "it_happened") {
    return finish(call, { output: scrubbed(call, decision.output), durationMs: 0 }, { attempt });
  }
  const reason =
    decision.type === "give_up" && decision.reason !== undefined ? decision.reason : "It could not be found out.";
  finish(call, { failure: unknownOutcome(call, reason), durationMs: 0 }, { attempt });
}

/** The failure of a writer whose effect may have happened. */
export function unknownOutcome(call: PipelineCall, reason: string): ReturnType<typeof failure> {
  return failure(
    "unknown_outcome",
    `It is not known whether "${call.toolName}" took effect. ${reason} Do not call it again before you know: look it up, or tell the user.`,
    { effectHappened: "unknown" },
  );
}
