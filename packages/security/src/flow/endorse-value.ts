import { EndorsementError } from "@bailiwick/core";
import type { EndorseRequest, FlowRunStart } from "@bailiwick/core";

import type { FlowState } from "./flow-state.ts";
import { integrityOf } from "./lattice.ts";
import { isTrusted } from "./trusted.ts";
import { valuesAt } from "./leaves.ts";
import { stepsOf } from "./paths.ts";
import { callBehind, callOfReference, referenceIn, referencePrefix, valueOf, referred } from "./reference-text.ts";

/** Inputs of an endorsement. */
export interface Endorsing {
  readonly state: FlowState;
  readonly start: Pick<FlowRunStart, "record">;
}

/**
 * [quarantine.endorse] Raises a quarantined value to `verified` if the developer's validator accepts it. Called by the
 * code of first-party tools, never by a model. A value that is not a reference is validated, and its label does not
 * change.
 *
 * @throws EndorsementError if the validator refuses or throws, or there is nothing to endorse: the label is
 *   unchanged.
 */
export async function endorseValue(request: EndorseRequest, { state, start }: Endorsing): Promise<unknown> {
  const { call, validator, reason } = request;
  const target = targetOf(request, state);
  const passed = await request.validate(target.value);
  const { reference } = target;
  if (reference === undefined) return passed;
  const before = referred(reference, state).level.integrity;
  // Nothing to raise: it is trusted already, for example by an attempt that a crash ended.
  if (isTrusted(before)) return passed;
  start.record({
    type: "flow.lowered",
    turn: call.turn,
    index: call.index,
    toolCallId: call.toolCallId,
    toolName: call.tool.name,
    by: "endorse",
    subject: reference,
    validator,
    reason,
    from: labelOfReference(reference, state),
    integrity: { before: integrityOf(before), after: "verified" },
  });
  return passed;
}

/** The label that a reference's value has now. */
function labelOfReference(reference: string, state: FlowState): string {
  return callBehind(callOfReference(reference), state)?.label ?? "untrusted";
}

function targetOf(
  { call, ref }: EndorseRequest,
  state: FlowState,
): { readonly value: unknown; readonly reference?: string } {
  const found = ref.startsWith(referencePrefix)
    ? [{ value: ref as unknown }]
    : valuesAt(call.given ?? call.args, stepsOf(ref) ?? [ref]);
  const [only, ...more] = found;
  if (only === undefined || more.length > 0) {
    throw impossible(`Tool "${call.tool.name}" wants to endorse "${ref}", which is not one argument of this call.`);
  }
  const reference = referenceIn(only.value);
  if (reference === undefined) return { value: only.value };
  const target = valueOf(reference, (call) => callBehind(call, state)?.output);
  if (target === undefined) throw impossible(`"${reference}" is not a reference of this run.`);
  return { value: target.value, reference };
}

function impossible(message: string): EndorsementError {
  return new EndorsementError("ENDORSEMENT_IMPOSSIBLE", message);
}
