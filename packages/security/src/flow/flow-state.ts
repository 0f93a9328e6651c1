import type {
  DroppedGrant,
  FlowRunStart,
  Grant,
  LabelId,
  Mandate,
  Principal,
  ResolvedTool,
  JournalEventOf,
} from "@bailiwick/core";
import {
  createLabelGraph,
  everyone,
  joinLevels,
  sameLevel,
  systemLevel,
  type LabelGraph,
  type Level,
  type ReadersId,
} from "./lattice.ts";
import { createCounters, type Counters } from "./session-counters.ts";
import { rolesOf, type ToolRoles } from "./tool-roles.ts";
import { canonicalJson } from "@bailiwick/core/extension";
import { argumentLeaves } from "./argument-leaves.ts";

/** Key of a call within its run. */
export type CallId = `t${number}/c${number}`;

/** The key of a call. */
export function callId(turn: number, index: number): CallId {
  return `t${turn}/c${index}`;
}

/** A tool call, as the rules remember it. */
export interface RecordedCall {
  /** `t<turn>/c<index>`, or the id of a call of an earlier run or of the vendor. */
  readonly id: string;
  readonly toolName: string;
  args: unknown;
  /** The call ran, or may have: it has an intent, or an outcome other than a failure at the gate. */
  ran: boolean;
  /** Its output, if it succeeded. */
  output?: unknown;
  succeeded?: boolean;
  label?: LabelId;
  /**
   * Its label is worse than its tool's fields say: the tool lowered it for this result, or a run inside it had read
   * worse data.
   */
  distrusted?: boolean;
  /** Level of the part that the model was shown, if that is not the whole. */
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
  /** The user message that the planner's grants serve. */
  readonly messageId: string | undefined;
}

/** The user's words, without parts from elsewhere. */
export interface UserWords {
  readonly id: string;
  readonly texts: readonly string[];
  /** The message answers a question of the assistant: it continues the request before it. */
  readonly continues?: boolean | undefined;
}

/** The planner's answer about a tool, for one message. */
export interface PlannedTool {
  /** Absent if the planner gave no answer. */
  readonly mandates?: readonly Mandate[] | undefined;
  /** Mandates and grants that do not count. */
  readonly dropped: readonly DroppedGrant[];
}

/** The choice of the calls of a program, as the program journaled it. */
export interface StepChoice {
  readonly by: "code" | "data";
  /** The branch that a value chose. */
  readonly branch?: string | undefined;
}

/** The context of an answer. */
interface Emitted {
  readonly level: Level;
  readonly label: LabelId;
  /** Number of results that the model had read. */
  readonly reads: number;
  /** Set for the calls of a program, such as a workflow. */
  readonly choice?: StepChoice | undefined;
}

/** The rules' state of a run: a fold over its journal. */
export interface FlowState {
  /** Facts of a tool for the rules, in the mode of the run. */
  readonly roles: (tool: ResolvedTool) => ToolRoles;
  readonly graph: LabelGraph;
  readonly context: ContextLevel;
  /** The context's level and label when each turn's answer was made. */
  readonly emitted: Map<number, Emitted>;
  readonly calls: Map<string, RecordedCall>;
  readonly callsById: Map<string, RecordedCall>;
  /** The run's own calls by turn, and by place in its answer. */
  readonly callsByTurn: Map<number, RecordedCall[]>;
  readonly reads: ReadResult[];
  readonly grants: HeldGrant[];
  readonly userWords: UserWords[];
  /** The planner's answers, by user message and tool. */
  readonly planned: Map<string, PlannedTool>;
  /** The newest answer of the model ends with a question to the user. */
  asksUser: boolean;
  readonly denials: Denials;
  /** Tools whose calls the model has to correct, by user message. */
  readonly corrected: Set<string>;
  /** Approvals, with the readers of the context at that time. */
  readonly approved: {
    readonly callId: string;
    readonly toolName: string;
    readonly args: unknown;
    readonly readers: ReadersId;
  }[];
  /** Texts of single results, as the model read them. */
  readonly resultTexts: string[];
  /** The counters in the session's state. */
  readonly counters: Counters;
  /** Set for the run of a workflow. */
  readonly workflow: FlowRunStart["workflow"];
  /** False after a message with text of others, which is not what the application asked for. */
  isAskedByApplication: boolean;
  principals: readonly Principal[];
  /** Begins the names of calls in this run's references; see `referenceMark`. */
  mark: string;
  /** Readers of the run's input and start label, apart from results of calls. */
  ownReaders: ReadersId;
  bitsSpent: number;
  /** Quarantined values that were read or endorsed. */
  readonly quarantine: QuarantineState;
}

/** The state of a run without a journal. */
export function emptyFlowState(roles: FlowState["roles"] = rolesOf, workflow?: FlowRunStart["workflow"]): FlowState {
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
    planned: new Map(),
    asksUser: false,
    denials: createDenials(roles),
    corrected: new Set(),
    approved: [],
    resultTexts: [],
    counters: createCounters(),
    workflow,
    isAskedByApplication: true,
    principals: [],
    mark: "",
    ownReaders: everyone,
    bitsSpent: 0,
    quarantine: emptyQuarantine(),
  };
}

/** Key of a correction: one for each tool and user message. */
export function correctionKey({ userWords }: Pick<FlowState, "userWords">, toolName: string): string {
  return plannedKey(userWords.at(-1)?.id ?? "", toolName);
}

/** Key of the planner's answer about a tool, for a user message. */
export function plannedKey(messageId: string, toolName: string): string {
  return `${messageId}\n${toolName}`;
}

/** The planner's answer about a tool for the newest message; `undefined` before it is asked. */
export function plannedFor(state: FlowState, toolName: string): PlannedTool | undefined {
  return state.planned.get(correctionKey(state, toolName));
}

/** Looks a tool up by name. */
export type FindTool = (name: string) => ResolvedTool | undefined;

/** A record's fields about its call. */
export interface CallEvent {
  readonly turn: number;
  readonly index: number;
  readonly toolCallId: string;
  readonly toolName: string;
}

/** The call at a place of the run; `undefined` before its first record. */
export function callAt(state: FlowState, turn: number, index: number): RecordedCall | undefined {
  return state.callsByTurn.get(turn)?.[index];
}

/** Returns the call at a place of the run, and creates it if it is new. */
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

/** Label of everything that the model has read: the join over all its messages. It is never lowered. */
interface ContextLevel {
  readonly level: Level;
  /** [flow.r2.all-messages] Adds a message that the model is given. */
  read(label: LabelId): void;
  /** The current label of the model's output. */
  label(): LabelId;
}

/** Starts a context that has read nothing but the developer's instructions. */
export function createContextLevel(graph: LabelGraph): ContextLevel {
  return new Context(graph);
}

/** A class, because there is one for every run. */
class Context implements ContextLevel {
  level: Level = systemLevel;
  readonly #graph: LabelGraph;
  #parents: readonly LabelId[] = [];
  #own: LabelId | undefined = "system";

  constructor(graph: LabelGraph) {
    this.#graph = graph;
  }

  read(label: LabelId): void {
    const joined = joinLevels(this.level, this.#graph.levelOf(label), this.#graph.sets);
    // A label that adds nothing to the context is not recorded.
    if (sameLevel(joined, this.level)) return;
    this.level = joined;
    const own = this.#own;
    this.#parents = own === undefined ? [...this.#parents, label] : own === "system" ? [label] : [own, label];
    this.#own = undefined;
  }

  label(): LabelId {
    this.#own ??= this.#graph.add(this.level, { kind: "join" }, this.#parents);
    return this.#own;
  }
}

/** Quarantined values that a run has read or endorsed: a part of the fold over its journal. */
interface QuarantineState {
  /** Readings, by the tool call that asked for them. */
  readonly readings: Map<string, Reading>;
  /** Endorsed references, with their labels since then. */
  readonly endorsed: Map<string, LabelId>;
  /** Bits that readings cost, including those of inner runs. */
  bits: number;
  /** Bits of inner runs, by run. */
  readonly inside: Map<string, number>;
}

/**
 * One read of a reference. Its bits are spent when it begins; its answer is kept for a resumed run.
 */
interface Reading {
  readonly ref: string;
  readonly bits: number;
  answer?: string;
}

/** The state of a run that has read nothing. */
export function emptyQuarantine(): QuarantineState {
  return new Quarantine();
}

/** A class, because there is one for every run, and most read nothing. */
class Quarantine implements QuarantineState {
  bits = 0;
  #readings: Map<string, Reading> | undefined;
  #endorsed: Map<string, LabelId> | undefined;
  #inside: Map<string, number> | undefined;

  get readings(): Map<string, Reading> {
    return (this.#readings ??= new Map());
  }

  get endorsed(): Map<string, LabelId> {
    return (this.#endorsed ??= new Map());
  }

  get inside(): Map<string, number> {
    return (this.#inside ??= new Map());
  }
}

/** Records the cost of a reading. */
export function foldExtract(state: QuarantineState, event: JournalEventOf<"flow.extract">): void {
  state.bits += event.bits;
  if (event.childRunId !== undefined) {
    state.inside.set(event.childRunId, (state.inside.get(event.childRunId) ?? 0) + event.bits);
    return;
  }
  state.readings.set(event.toolCallId, { ref: event.ref, bits: event.bits });
}

/** Stores the answer of a reading. */
export function foldReadingAnswer(state: QuarantineState, event: JournalEventOf<"model.result">): void {
  const reading = state.readings.get(event.toolCallId as string);
  if (reading === undefined) return;
  reading.answer = event.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Remembers endorsed references; a person's approval holds for its call alone. */
export function foldLowered(state: QuarantineState, event: JournalEventOf<"flow.lowered">): void {
  if (event.by === "endorse") state.endorsed.set(event.subject, event.label);
}

/** [flow.r10.stops] Denials of one tool with the same authority arguments after which the run stops. */
const sameDenials = 3;

/** [flow.r10.stops] Denials since the last user message after which the run stops. */
const allDenials = 5;

/** Counts refusals, by the policy or by a person. */
export interface Denials {
  denied(tool: ResolvedTool | undefined, toolName: string, args: unknown): void;
  userSpoke(): void;
  /** True if the run has to stop after the refusals so far, or after one more of this call. */
  mustStop(next?: { readonly tool: ResolvedTool; readonly args: unknown }): boolean;
}

/** Returns the declarations of a tool that the rules read. */
type RolesOf = (tool: ResolvedTool) => ToolRoles;

/** Starts counting. */
export function createDenials(roles: RolesOf): Denials {
  return new Count(roles);
}

/** A class, because there is one for every run. */
class Count implements Denials {
  readonly #roles: RolesOf;
  #same: Map<string, number> | undefined;
  #sinceUserSpoke = 0;
  #most = 0;

  constructor(roles: RolesOf) {
    this.#roles = roles;
  }

  denied(tool: ResolvedTool | undefined, toolName: string, args: unknown): void {
    const key = this.#keyOf(tool, toolName, args);
    const count = this.#countOf(key) + 1;
    (this.#same ??= new Map<string, number>()).set(key, count);
    this.#most = Math.max(this.#most, count);
    this.#sinceUserSpoke += 1;
  }

  userSpoke(): void {
    this.#sinceUserSpoke = 0;
  }

  mustStop(next?: { readonly tool: ResolvedTool; readonly args: unknown }): boolean {
    if (next === undefined) return this.#most >= sameDenials || this.#sinceUserSpoke >= allDenials;
    const before = this.#countOf(this.#keyOf(next.tool, next.tool.name, next.args));
    return before + 1 >= sameDenials || this.#sinceUserSpoke + 1 >= allDenials;
  }

  #countOf(key: string): number {
    return this.#same?.get(key) ?? 0;
  }

  /** The same call for the rules: different wording of the payload does not make it another call. */
  #keyOf(tool: ResolvedTool | undefined, toolName: string, args: unknown): string {
    if (tool === undefined) return `${toolName}\n${canonicalJson(args ?? null)}`;
    const authority = argumentLeaves(tool, this.#roles(tool), args)
      .filter((leaf) => leaf.role === "authority" || leaf.role === "egress")
      .map((leaf) => [leaf.location, leaf.value]);
    return `${toolName}\n${canonicalJson(authority)}`;
  }
}
