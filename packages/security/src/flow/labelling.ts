import type { FlowOptions, JournalEventInput, Label, LabelId, UserMessage, FlowRun } from "@bailiwick/core";
import { callId, type FindTool, type FlowState } from "./flow-state.ts";
import { joinLevels, untrustedLevel, betterIntegrity, integrityOf } from "./lattice.ts";
import { withReferred } from "./reference-text.ts";

/** Inputs of the labels of records. */
export interface Labelling {
  readonly state: FlowState;
  readonly options: FlowOptions;
  readonly findTool: FindTool;
  readonly parentLabel: Label | undefined;
  /** The mode guesses the effect of tools without declarations. */
  readonly guesses: boolean;
}

/** A record of some type, before it is written. */
export type RecordOf<Type extends JournalEventInput["type"]> = Extract<JournalEventInput, { type: Type }>;

/** The join of some nodes, as a node. */
export function joinLabels(nodes: readonly LabelId[], state: FlowState): LabelId {
  const [first, ...rest] = nodes;
  if (first === undefined) return "system";
  let level = state.graph.levelOf(first);
  for (const node of rest) level = joinLevels(level, state.graph.levelOf(node), state.graph.sets);
  return state.graph.add(level, { kind: "join" }, nodes);
}

/**
 * Labels of the parts of a user message that are not the user's own words.
 *
 * @param trust - `assumed` where a calling run marked them, whose label is no worse.
 */
export function untrustedParts(
  message: UserMessage,
  state: FlowState,
  trust: "assumed" | "untrusted" = "untrusted",
): readonly LabelId[] {
  if (typeof message.content === "string") return [];
  return message.content.flatMap((part, index) =>
    part.untrusted === true
      ? [
          state.graph.add(
            { ...untrustedLevel, integrity: trust, control: trust },
            { kind: "untrusted_part", messageId: message.id, index },
            [],
          ),
        ]
      : [],
  );
}

/** The label of content that a vendor's tool returned inside an answer, or that the answer cites. */
export function hostedLabel(toolName: string, state: FlowState, principals: FlowState["principals"]): LabelId {
  const readers = state.graph.sets.intern([...principals, `source:hosted:${toolName}`]);
  return state.graph.add({ ...untrustedLevel, readers }, { kind: "hosted_tool", toolName }, []);
}

/**
 * The effect of a person's approval on labels: the arguments had the join of the model's input and of their
 * references, and count as the user's word for this call [quarantine.endorse].
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
