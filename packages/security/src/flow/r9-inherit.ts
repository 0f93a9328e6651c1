import type { Label } from "@bailiwick/core";

import type { FlowState } from "./flow-state.ts";
import type { Level, ReaderSets } from "./lattice.ts";
import { withReferred } from "./referred.ts";

/** [flow.r9] The level that a label carries over to another run: no leaf of it spares the control label there. */
export function parentLevel(label: Label, sets: ReaderSets): Level {
  return { integrity: label.integrity, control: label.integrity, readers: sets.intern(label.readers) };
}

/**
 * [flow.r9] The join over all that a run has read, and over what the arguments of a call refer to: what a child run, a
 * memory or a cache carries on.
 */
export function controlLabel(state: FlowState, toolCallId?: string): Label {
  const context = state.context.label();
  let args: unknown;
  if (toolCallId !== undefined) args = state.callsById.get(toolCallId)?.args;
  const level = withReferred(state.context.level, args, state);
  const id = state.graph.add(level, { kind: "join" }, [context]);
  const { integrity, readers } = level;
  return (
    state.graph.labelOf(id) ?? {
      id,
      integrity,
      readers: state.graph.sets.readersOf(readers),
      parents: [],
      origin: { kind: "join" },
    }
  );
}
