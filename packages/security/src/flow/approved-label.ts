import type { FlowRun } from "@bailiwick/core";

import { callId } from "./flow-state.ts";
import type { FlowState } from "./flow-state.ts";
import { betterIntegrity, integrityOf } from "./lattice.ts";
import { withReferred } from "./referred.ts";

/**
 * [quarantine.endorse] What a person's approval of a call lowers: the arguments had the join of all that the model had
 * read and of what they refer to, and count as the user's word for this call.
 */
export function approvedLabel(state: FlowState, turn: number, index: number): ReturnType<FlowRun["loweredBy"]> {
  const emitted = state.emitted.get(turn);
  const context = emitted?.level ?? state.context.level;
  const parent = emitted?.label ?? state.context.label();
  const level = withReferred(context, state.calls.get(callId(turn, index))?.args, state);
  const from = state.graph.add(level, { kind: "join" }, [parent]);
  return {
    from,
    integrity: { before: integrityOf(level.integrity), after: integrityOf(betterIntegrity(level.integrity, "user")) },
  };
}
