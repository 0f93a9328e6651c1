import type { ToolFailure } from "../../contracts/tool-call-result.ts";
import { toolMessage } from "./call.ts";
import type { ToolErrorKind } from "../../contracts/vocabularies.ts";
import type { CallState } from "../../journal/run-state.ts";
import { recordDecision, recordDecisionInside } from "./approval-binding.ts";
import type { Run } from "../run.ts";

/**
 * Gives every call of the turn without a result the result that it did not run, so that the history stays complete.
 * Skips calls with an uncertain effect: a person decides about them.
 *
 * @param message - The problem and its remedy, for the model.
 */
export function settleUnrunCalls(run: Run, kind: ToolErrorKind, message: string): void {
  for (const call of openCalls(run)) if (call.intent === undefined) settle(run, call, kind, message);
}

/**
 * Rejects every call of the turn that waits for a person, because the run ends without it. Each question of a call gets
 * its decision, and the call its result.
 *
 * @param reason - Why, for the journal and for the model.
 */
export function rejectOpenCalls(run: Run, reason: string): void {
  const via = "toolUseBehavior";
  for (const call of openCalls(run)) {
    const { approval, child, intent } = call;
    if (approval?.interruption.kind === "approval" && approval.decision === undefined)
      recordDecision(run, call, approval.interruption, { id: approval.interruption.id, type: "reject", reason }, via);
    for (const asked of child?.interruptions ?? [])
      if (asked.kind === "approval" && child?.decisions.some(({ id }) => id === asked.id) !== true)
        recordDecisionInside(run, call, { id: asked.id, type: "reject", reason }, via);
    // A tool that asked during its execution may have had an effect before.
    settle(run, call, "approval_denied", reason, intent === undefined ? false : "unknown");
  }
}

function openCalls({ journal: { state } }: Run): CallState[] {
  return state.turnCalls.flatMap((key) => {
    const call = state.calls.get(key);
    return call === undefined || call.result !== undefined ? [] : [call];
  });
}

function settle(
  run: Run,
  call: CallState,
  kind: ToolErrorKind,
  message: string,
  effectHappened: false | "unknown" = false,
): void {
  const { turn, index, toolCallId, toolName } = call;
  const answer = run.journal.state.lastAnswer?.toolCalls[index];
  const input = answer?.input ?? answer?.arguments;
  const error: ToolFailure = { kind, message, recoverable: true, recoveryHint: "try_alternative", effectHappened };
  run.journal.record({
    type: "tool.result",
    turn,
    index,
    message: toolMessage(run, call, message, { isError: true }),
    result: { toolCallId, toolName, input, isError: true, error, durationMs: 0 },
  });
}
