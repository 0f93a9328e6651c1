import type { BitAccount, FlowOptions, FlowRunStart, QuarantineOptions } from "@bailiwick/core";
import { bitsPerRun } from "./bits-per-run.ts";
import type { FindTool, FlowState, RecordedCall } from "./flow-state.ts";

/** Inputs of readings. */
export interface Readings {
  readonly state: FlowState;
  readonly start: Pick<FlowRunStart, "runId" | "callModel" | "record" | "parentFlow">;
  readonly options: FlowOptions;
  readonly findTool: FindTool;
}

/** Bits that are left for readings: of this run, and of the runs around it. */
export function bitsLeft({ state, options, start }: Readings): number {
  const limit = quarantineOf(options)?.bits ?? bitsPerRun;
  const own = Math.max(0, limit - state.bitsSpent - state.quarantine.bits);
  return Math.min(own, start.parentFlow?.bits.left() ?? own);
}

/**
 * Records the bits that an inner run has spent, in this run's journal and in the outer runs.
 *
 * @returns true if the budget allowed the new bits.
 */
export function spendInside(spending: Parameters<BitAccount["spendInside"]>[0], readings: Readings): boolean {
  const { state, start } = readings;
  const { toolCallId, childRunId, ref, total } = spending;
  const bits = total - (state.quarantine.inside.get(childRunId) ?? 0);
  if (bits <= 0) return true;
  if (bits > bitsLeft(readings)) return false;
  const above = start.parentFlow;
  const booked = above?.bits.spendInside({
    toolCallId: above.toolCallId,
    childRunId: start.runId,
    ref,
    total: state.quarantine.bits + bits,
  });
  if (booked === false) return false;
  const place = placeOf(state.callsById.get(toolCallId));
  start.record({ type: "flow.extract", ...place, toolCallId, ref, bits, childRunId });
  return true;
}

/** The settings of the quarantine; `undefined` where it is off. */
export function quarantineOf({ quarantine }: FlowOptions): QuarantineOptions | undefined {
  if (quarantine === false) return undefined;
  return quarantine === true ? {} : quarantine;
}

/** The place of a call in the journal. */
export function placeOf(call: RecordedCall | undefined): { readonly turn: number; readonly index: number } {
  const place = call === undefined ? null : /^t(\d+)\/c(\d+)$/u.exec(call.id);
  if (place === null) throw new TypeError("A reading belongs to a call of its run.");
  const [, turn, index] = place;
  return { turn: Number(turn), index: Number(index) };
}
