import type { Label, LabelId, StateChange, ToolReturn } from "@bailiwick/core";

import { isStepFrom } from "./session-counters.ts";
import { joinLabels, type Labelling, type RecordOf } from "./labelling.ts";
import { joinLevels, sameLevel, trustOf, type Level } from "./lattice.ts";
import { outcomeLevel, widen } from "./output-level.ts";
import { asLabel, controlLevel, notedReads } from "./r9-inherit.ts";

/**
 * The label of values that a call stores beside its result: they are at most as trusted as the call's input and the
 * tool's results, and as what the call has read: memories, and the input of runs inside. Session state is open to every tool and hook, so it has this label for each tool [flow.r9.state]; a
 * memory, for each tool that declares its results untrusted [flow.r7].
 */
export function storedLabel(
  labelling: Labelling,
  place: "state" | "memory",
  toolCallId: string | undefined,
  read: ToolReturn["label"],
  change?: StateChange,
): Label {
  const { state } = labelling;
  const level = storedLevel(labelling, toolCallId);
  const isCounter = change !== undefined && isStepFrom(change.before, change.after);
  const isKept = (place === "state" && !isCounter) || level.integrity === "untrusted";
  const stored = isKept ? level : controlLevel(state, toolCallId);
  return asLabel(widen(stored, { resultLabel: read }, state.graph.sets), state);
}

/** The label of a change of session state, of this run or of another one of the session. */
export function stateLabel(event: RecordOf<"state.changed">, labelling: Labelling): LabelId {
  const { state } = labelling;
  const { context, graph } = state;
  const found = event.found === true ? notedReads({ [event.stateKey]: event.value }) : [];
  const level = found.reduce(
    (joined, { readers, ...noted }) => {
      const trust = trustOf(noted);
      return joinLevels(joined, { integrity: trust, control: trust, readers: graph.sets.intern(readers) }, graph.sets);
    },
    widen(
      // A counter that grows by one shows nothing of the data that its tool has read [flow.r9.state.counter].
      state.counters.isStep(event.stateKey, event.value)
        ? controlLevel(state, event.toolCallId)
        : storedLevel(labelling, event.toolCallId),
      { resultLabel: event.read },
      graph.sets,
    ),
  );
  // Fast path: the join would be the same label.
  if (sameLevel(level, context.level)) return context.label();
  return joinLabels([context.label(), graph.add(level, { kind: "join" }, [context.label()])], state);
}

function storedLevel({ state, findTool, guesses }: Labelling, toolCallId: string | undefined): Level {
  const control = controlLevel(state, toolCallId);
  // Skips the lookup if no call stored the value.
  const call = toolCallId === undefined ? undefined : state.callsById.get(toolCallId);
  const tool = call === undefined ? undefined : findTool(call.toolName);
  // A hook or a guardrail stores values of its input.
  if (tool === undefined) return control;
  const { level } = outcomeLevel(
    tool,
    {},
    {
      sets: state.graph.sets,
      argumentsLevel: control,
      principals: state.principals,
      // A stored value has no schema that bounds it.
      lowCapacityLeaves: false,
      bitsSpent: 0,
      guesses,
    },
  );
  return joinLevels(control, { ...level, control: level.integrity }, state.graph.sets);
}
