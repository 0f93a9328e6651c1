import type { Grant, LabelId, Principal, ResolvedTool } from "@bailiwick/core";

import { createContextLevel } from "./context-level.ts";
import type { ContextLevel } from "./context-level.ts";
import { createDenials } from "./r10-denials.ts";
import type { Denials } from "./r10-denials.ts";
import { createLabelGraph } from "./label-graph.ts";
import type { LabelGraph } from "./label-graph.ts";
import { everyone } from "./lattice.ts";
import type { Level, ReadersId } from "./lattice.ts";
import { emptyQuarantine } from "./quarantine-state.ts";
import type { QuarantineState } from "./quarantine-state.ts";
import { rolesOf } from "./tool-roles.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** Key of a call within its run. */
export type CallId = `t${number}/c${number}`;

/** The key of a call. */
export function callId(turn: number, index: number): CallId {
  return `t${turn}/c${index}`;
}

/** A tool call, as the rules remember it. */
export interface RecordedCall {
  /** `t<turn>/c<index>`, or the id that an earlier run's call or a vendor's has. */
  readonly id: string;
  readonly toolName: string;
  args: unknown;
  /** It ran, or may have: it has an intent or an outcome that is no gate failure. */
  ran: boolean;
  /** Its output, when it succeeded. */
  output?: unknown;
  succeeded?: boolean;
  label?: LabelId;
  /** Its label is worse than its tool's fields say: the tool said so of this result, or a run inside it had read worse. */
  distrusted?: boolean;
  /** Level of what of it the model was shown, where that is less than all. */
  shown?: Level;
  /** Index of the grant that it uses, when one allowed it. */
  grant?: number | undefined;
  /** Number of user messages of the session when it was made. */
  readonly userMessages: number;
}

/** A result that the model has read. */
export interface ReadResult {
  readonly call: RecordedCall;
  readonly level: Level;
}

/** A grant with where it came from. */
export interface HeldGrant {
  readonly grant: Grant;
  readonly source: "developer" | "user" | "planner";
  /** For planner's grants: the user message that they serve. */
  readonly messageId: string | undefined;
}

/** What the user said, without parts that are not the user's own voice. */
export interface UserWords {
  readonly id: string;
  readonly texts: readonly string[];
}

/** What the rules know of a run: a fold over its journal. */
export interface FlowState {
  /** What the rules read of a tool, in the mode of the run. */
  readonly roles: (tool: ResolvedTool) => ToolRoles;
  readonly graph: LabelGraph;
  readonly context: ContextLevel;
  /** The context's level and label when each turn's answer was made. */
  readonly emitted: Map<number, { readonly level: Level; readonly label: LabelId; readonly reads: number }>;
  readonly calls: Map<string, RecordedCall>;
  readonly callsById: Map<string, RecordedCall>;
  /** The run's own calls by turn, and by place in its answer. */
  readonly callsByTurn: Map<number, RecordedCall[]>;
  readonly reads: ReadResult[];
  readonly grants: HeldGrant[];
  readonly userWords: UserWords[];
  readonly planned: Set<string>;
  readonly denials: Denials;
  /** Tools whose calls the model was asked to correct, by user message. */
  readonly corrected: Set<string>;
  /** What people approved, with the readers of the context that they approved it in. */
  readonly approved: { readonly toolName: string; readonly args: unknown; readonly readers: ReadersId }[];
  /** Texts of single results, as the model read them. */
  readonly resultTexts: string[];
  principals: readonly Principal[];
  /** Begins the names of calls in this run's references; see `referenceMark`. */
  mark: string;
  /** Readers of what the run was started with and told, apart from results of calls. */
  ownReaders: ReadersId;
  bitsSpent: number;
  /** What was read of quarantined values, and who vouched for which. */
  readonly quarantine: QuarantineState;
}

/** The state of a run without a journal. */
export function emptyFlowState(roles: FlowState["roles"] = rolesOf): FlowState {
  const graph = createLabelGraph();
  return {
    roles,
    graph,
    context: createContextLevel(graph),
    emitted: new Map(),
    calls: new Map(),
    callsById: new Map(),
    callsByTurn: new Map(),
    reads: [],
    grants: [],
    userWords: [],
    planned: new Set(),
    denials: createDenials(roles),
    corrected: new Set(),
    approved: [],
    resultTexts: [],
    principals: [],
    mark: "",
    ownReaders: everyone,
    bitsSpent: 0,
    quarantine: emptyQuarantine(),
  };
}

/** Key of a correction: one for each tool and user message. */
export function correctionKey({ userWords }: Pick<FlowState, "userWords">, toolName: string): string {
  return `${userWords.at(-1)?.id ?? ""}\n${toolName}`;
}

/** Looks a tool up by name. */
export type FindTool = (name: string) => ResolvedTool | undefined;

/** What a record says of the call that it belongs to. */
export interface CallEvent {
  readonly turn: number;
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
}

/** The call at a place of the run; none before something is on record of it. */
export function callAt(state: FlowState, turn: number, index: number): RecordedCall | undefined {
  return state.callsByTurn.get(turn)?.[index];
}

/** The call at a place of the run, remembered from now on. */
export function callOf(state: FlowState, event: CallEvent): RecordedCall {
  const { turn, index, toolCallId, toolName } = event;
  const known = callAt(state, turn, index);
  if (known !== undefined) return known;
  const id = callId(turn, index);
  const call = { id, toolName, args: undefined, ran: false, userMessages: state.userWords.length };
  state.calls.set(id, call);
  state.callsById.set(toolCallId, call);
  const ofTurn = state.callsByTurn.get(turn) ?? [];
  ofTurn[index] = call;
  state.callsByTurn.set(turn, ofTurn);
  return call;
}
