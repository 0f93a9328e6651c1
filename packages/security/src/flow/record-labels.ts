import type {
  JournalEventInput,
  LabelAssignment,
  LabelId,
  LabelOrigin,
  UserMessage,
  RecalledMemory,
} from "@bailiwick/core";
import { isExtract } from "@bailiwick/core/extension";
import { callAt, type FlowState } from "./flow-state.ts";
import { isUsers } from "./fold-record.ts";
import { hostedLabel, joinLabels, untrustedParts, type Labelling, type RecordOf } from "./labelling.ts";
import { betterIntegrity, joinLevels, untrustedLevel, verifiedLevel, type Level } from "./lattice.ts";
import { outcomeLevel } from "./output-level.ts";
import { referred, withReferred } from "./reference-text.ts";
import { changedLabel, startLabel } from "./start-label.ts";
import { stateLabel } from "./stored-label.ts";

/** The label of a record that is about to be written. Every record has one; nodes are written with their first use. */
export function labelRecord(event: JournalEventInput, labelling: Labelling): LabelAssignment {
  const label = labelOf(event, labelling);
  const labels = labelling.state.graph.take();
  return labels.length === 0 ? { label } : { label, labels };
}

function labelOf(event: JournalEventInput, labelling: Labelling): LabelId {
  const { state } = labelling;
  switch (event.type) {
    case "run.start":
      return startLabel(event, labelling);
    case "model.result":
      return answerLabel(event, state);
    case "message.inserted":
      return insertedLabel(event, state);
    case "tool.outcome":
      return outcomeLabel(event, labelling);
    case "tool.result":
      return resultLabel(event, state);
    case "tool.call":
    case "tool.intent":
    case "tool.approval.requested":
    case "flow.decided":
    case "flow.extract":
      return state.emitted.get(event.turn)?.label ?? state.context.label();
    case "input.requested":
      return questionLabel(event, labelling);
    case "flow.lowered":
      return loweredLabel(event, state);
    case "memory.recalled":
      return joinLabels(
        event.memories.map((memory) => recalledLabel(memory, state)),
        state,
      );
    case "flow.grants":
      return event.source === "developer" ? "system" : "user";
    case "input.answered":
      // A client answers with content of its page, which others may have written.
      return event.by === "client" ? "untrusted" : "user";
    case "tool.approval.decided":
    case "signal.taken":
      return "user";
    case "run.definition_changed":
      return changedLabel(event, labelling);
    case "state.changed":
      return stateLabel(event, labelling);
    // The bytes have the label of the message that named their address, like a file that a vendor fetches itself.
    case "media.fetched":
    case "run.resumed":
    case "model.intent":
    case "catalogue.promoted":
    case "run.suspended":
    case "secret.revealed":
    case "secret.denied":
      return "system";
    default:
      // Unknown cases count as if they revealed the whole value.
      return state.context.label();
  }
}

/** An answer has the label of the model's input; results of the vendor's tools inside it are untrusted. */
function answerLabel(event: RecordOf<"model.result">, state: FlowState): LabelId {
  // [grants.planner.two-run] The planner reads trusted text only.
  if (event.purpose === "planner") return "user";
  if (event.purpose === "extract") return readingLabel(event, state);
  const ran = event.message.content.flatMap((part) =>
    part.type === "hosted_tool" || part.type === "source"
      ? [hostedLabel(part.type === "source" ? "source" : part.toolName, state, state.principals)]
      : [],
  );
  return joinLabels([state.context.label(), ...ran], state);
}

/** Text of a model that read a quarantined value is at most as trusted as the value. */
function readingLabel(event: RecordOf<"model.result">, state: FlowState): LabelId {
  const reading = state.quarantine.readings.get(event.toolCallId as string);
  const level = reading === undefined ? untrustedLevel : referred(reading.ref, state).level;
  return state.graph.add({ ...level, control: level.integrity }, { kind: "model", turn: event.turn }, []);
}

/** The label after an endorsement: better by its reason, and no wider [quarantine.endorse]. */
function loweredLabel(event: RecordOf<"flow.lowered">, state: FlowState): LabelId {
  const { readers } = state.graph.levelOf(event.from);
  const { after } = event.integrity;
  const by = event.validator ?? event.decidedBy ?? event.by;
  const level = { integrity: after, control: after, readers };
  return state.graph.add(level, { kind: "endorsed", by, reason: event.reason }, [event.from]);
}

function insertedLabel(event: RecordOf<"message.inserted">, state: FlowState): LabelId {
  // The developer is responsible for text that a hook inserts; it may repeat the hook's input [hooks.labels-kept].
  if (event.by === "hook") {
    const { readers } = state.context.level;
    return state.graph.add(
      { ...verifiedLevel, readers },
      { kind: "endorsed", by: "beforeLLMCall", reason: "A hook inserted the message." },
      [],
    );
  }
  // The text may come from anywhere: the extension did not declare it verified.
  if (event.by === "extension") return joinLabels(["untrusted", state.context.label()], state);
  if (!isUsers(event)) return state.context.label();
  return joinLabels(["user", ...untrustedParts(event.message as UserMessage, state)], state);
}

function outcomeLabel(event: RecordOf<"tool.outcome">, labelling: Labelling): LabelId {
  const { state, options, findTool, guesses } = labelling;
  const { graph } = state;
  const origin: LabelOrigin = { kind: "tool", toolName: event.toolName, toolCallId: event.toolCallId };
  const emitted = state.emitted.get(event.turn) ?? { level: state.context.level, label: state.context.label() };
  const tool = findTool(event.toolName);
  if (tool === undefined) {
    // [flow.r2.own-errors] No tool ran, because none has this name.
    return event.failure !== undefined && event.failure.fromTool !== true ? emitted.label : "untrusted";
  }
  const { args } = callAt(state, event.turn, event.index) ?? {};
  if (isExtract(tool)) return graph.add(extractedLevel(args, emitted.level, labelling), origin, [emitted.label]);
  const { level, bits } = outcomeLevel(tool, event, {
    sets: graph.sets,
    // The tool got the values of references, although the model never read them [quarantine.boundary].
    argumentsLevel: saysNothing(event.failure) ? emitted.level : withReferred(emitted.level, args, state),
    principals: state.principals,
    ingredients: { args, isCount: state.counters.isCount },
    lowCapacityLeaves: options.lowCapacityLeaves !== false,
    bitsSpent: state.bitsSpent,
    guesses,
  });
  return graph.add(level, origin, [emitted.label], bits);
}

/**
 * Texts of the framework have its trust, unless they describe values, which may be behind references
 * [flow.r2.own-errors].
 */
function saysNothing(failure: RecordOf<"tool.outcome">["failure"]): boolean {
  return failure !== undefined && failure.fromTool !== true && failure.kind !== "invalid_input";
}

/**
 * The answer of a reading is untrusted, and readable by the readers of the value; its bits are counted separately, so
 * that it does not raise the control label [quarantine.extract].
 */
function extractedLevel(args: unknown, emitted: Level, { state, options }: Labelling): Level {
  const { level } = referred(String((args as { readonly ref?: unknown } | undefined)?.ref), state);
  const control = options.lowCapacityLeaves === false ? level.integrity : betterIntegrity(level.integrity, "verified");
  return joinLevels(emitted, { ...level, control }, state.graph.sets);
}

function resultLabel(event: RecordOf<"tool.result">, state: FlowState): LabelId {
  const label = shownOrWhole(event, state);
  // Text that looks like an attack, or was not scanned, is no longer trusted [sanitize.detection-raises].
  if ((event.findings ?? []).length === 0) return label;
  const level = joinLevels(state.graph.levelOf(label), untrustedLevel, state.graph.sets);
  return state.graph.add(level, { kind: "join" }, [label]);
}

function shownOrWhole(event: RecordOf<"tool.result">, state: FlowState): LabelId {
  const call = callAt(state, event.turn, event.index);
  const label = call?.label;
  if (label === undefined) return state.emitted.get(event.turn)?.label ?? state.context.label();
  // A reference shows the source of a value and its length, not its content.
  if (call?.shown !== undefined) return shownLabel(event, call.shown, state);
  // The error about an invalid output may contain parts of it.
  if (event.result.error?.kind !== "invalid_output") return label;
  const level = state.graph.levelOf(label);
  return state.graph.add({ ...level, control: level.integrity }, { kind: "join" }, [label]);
}

function shownLabel(event: RecordOf<"tool.result">, level: Level, state: FlowState): LabelId {
  const { toolName, toolCallId } = event.message;
  return state.graph.add(level, { kind: "tool", toolName, toolCallId }, [
    state.emitted.get(event.turn)?.label ?? state.context.label(),
  ]);
}

function questionLabel(event: RecordOf<"input.requested">, { state, findTool }: Labelling): LabelId {
  const tool = findTool(event.interruption.toolName);
  return tool?.output?.integrity === "untrusted" ? "untrusted" : state.context.label();
}

/**
 * The label of a recalled memory: the one that it was stored with. Its bounded leaves raise the control label too
 * [flow.r7].
 */
function recalledLabel(
  { id, integrity, readers }: Pick<RecalledMemory, "id" | "integrity" | "readers">,
  { graph }: FlowState,
): LabelId {
  const level = { integrity, control: integrity, readers: graph.sets.intern(readers) };
  return graph.add(level, { kind: "memory", entryId: id }, []);
}
