import type { JournalPayloads } from "../../contracts/journal-event.ts";
import type { ToolErrorKind } from "../../contracts/vocabularies.ts";
import type { ActiveRun } from "../active-run.ts";

/**
 * Gives every call of the turn that has no result one that says it was not run, so that no history is left with a
 * call and no answer. A call whose effect is uncertain is left alone: a person decides about it.
 *
 * @param kind - What the result says went wrong.
 * @param message - What happened and what to do, for the model.
 */
export function settleUnrunCalls(run: ActiveRun, kind: ToolErrorKind, message: string): void {
  const { state } = run.journal;
  for (const key of state.turnCalls) {
    const call = state.calls.get(key);
    if (call === undefined || call.result !== undefined || call.intent !== undefined) continue;
    const answer = state.lastAnswer?.toolCalls[call.index];
    const result: JournalPayloads["tool.result"] = {
      turn: call.turn,
      index: call.index,
      message: {
        id: run.ids.next("message"),
        role: "tool",
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        content: message,
        isError: true,
        timestamp: run.clock.now(),
      },
      result: {
        toolCallId: call.toolCallId,
        toolName: call.toolName,
        input: answer?.input ?? answer?.arguments,
        isError: true,
        error: { kind, message, recoverable: true, recoveryHint: "try_alternative", effectHappened: false },
        durationMs: 0,
      },
    };
    run.journal.record({ type: "tool.result", ...result });
  }
}
