import type {
  AssistantPart,
  FlowDecision,
  FlowOptions,
  FlowRun,
  FlowRunStart,
  Grant,
  JournalEvent,
  JournalEventInput,
  Label,
  Message,
  ResolvedTool,
  UserMessage,
} from "@bailiwick/core";

import { createLabelGraph } from "./lattice.ts";
import type { LabelGraph } from "./lattice.ts";
import { beginFlowRun } from "./flow-run.ts";

/** The start of a run in these tests. */
export interface Folded {
  readonly tools: readonly ResolvedTool[];
  readonly options?: FlowOptions | undefined;
  readonly grants?: readonly Grant[] | undefined;
  readonly input?: readonly UserMessage[] | undefined;
  readonly history?: readonly Message[] | undefined;
  readonly parentLabel?: Label | undefined;
  readonly userId?: string | undefined;
  /** Differences to the start record. */
  readonly started?: object | undefined;
  /** Records of an earlier process after the start. */
  readonly before?: readonly object[] | undefined;
}

/** A run that gets its records one by one: shows the policy's state after each, without a runner. */
export interface FoldedRun {
  readonly run: FlowRun;
  readonly journal: readonly JournalEvent[];
  /** The labels of the journal. */
  readonly graph: LabelGraph;
  /** Applies a record and returns its label. */
  record(event: object): string;
  /** An answer of the model; returns the turn that it begins. */
  answer(...parts: readonly AssistantPart[]): number;
  /** A call of a new turn that ran, and that the model read; returns the label of its result. */
  read(tool: string, output: unknown, more?: { readonly args?: unknown; readonly outcome?: object }): string;
  /** The policy's decision about a call of a new turn. */
  decide(tool: string, args?: unknown, input?: unknown): Promise<FlowDecision>;
}

/** A message of the user. */
export const said = (content: UserMessage["content"], id = "u"): UserMessage => ({ id, role: "user", content });

/** Starts a run. */
export function folded(start: Folded): FoldedRun {
  const { tools, options = { mode: "enforce", planner: false }, input = [said("Do it.")], history = [] } = start;
  const graph = createLabelGraph();
  const journal: JournalEvent[] = [];
  let turn = 0;
  const record = (event: JournalEventInput): string => {
    const labels = run.labelFor(event);
    const at = journal.length;
    const told = { ...event, ...labels, seq: at, at: 0, key: String(at), runId: "r" } as unknown as JournalEvent;
    for (const label of told.labels ?? []) graph.load(label);
    journal.push(told);
    run.observe(told);
    return told.label;
  };
  const starting: FlowRunStart = {
    runId: "r",
    options,
    grants: start.grants ?? [],
    tools: () => tools,
    instructions: () => "",
    messages: () => [],
    sessionId: "s",
    record,
    callModel: () => Promise.reject(new Error("These runs have no model.")),
    warn: () => undefined,
    keptPlans: () => Promise.reject(new Error("These runs keep no plans.")),
    ...(start.parentLabel !== undefined && { parentLabel: start.parentLabel }),
  };
  const run = beginFlowRun(starting, () => undefined);
  const answer = (...content: readonly AssistantPart[]): number => {
    turn += 1;
    const message = { id: `m${turn}`, role: "assistant", content, toolCalls: [], finishReason: "tool_calls" };
    record({ type: "model.result", turn, attempt: 1, message } as unknown as JournalEventInput);
    return turn;
  };
  const callOf = (toolName: string): object => ({ turn, index: 0, toolCallId: `call-${turn}`, toolName });
  record({
    type: "run.start",
    tools: Object.fromEntries(tools.map(({ name }) => [name, ""])),
    sessionState: {},
    runId: "r",
    sessionId: "s",
    history,
    input,
    ...(start.userId !== undefined && { userId: start.userId }),
    ...start.started,
  } as unknown as JournalEventInput);
  for (const event of start.before ?? []) record(event as JournalEventInput);
  run.journalGrants();

  return {
    run,
    journal,
    graph,
    answer,
    record: (event) => record(event as JournalEventInput),
    read(toolName, output, { args = {}, outcome = {} } = {}) {
      answer();
      const call = callOf(toolName);
      record({ type: "tool.call", ...call, args } as unknown as JournalEventInput);
      record({ type: "tool.outcome", ...call, attempt: 1, output, durationMs: 0, ...outcome } as JournalEventInput);
      const { failure } = outcome as { readonly failure?: object };
      const tool = tools.find(({ name }) => name === toolName);
      if (tool !== undefined)
        run.quarantine({ turn, index: 0, toolCallId: `call-${turn}`, tool, input: args, args }, output);
      const message = {
        id: `t${turn}`,
        role: "tool",
        toolCallId: `call-${turn}`,
        toolName,
        content: JSON.stringify(output) ?? "",
      };
      const result = { isError: failure !== undefined, ...(failure !== undefined && { error: failure }) };
      return record({ type: "tool.result", ...call, message, result } as unknown as JournalEventInput);
    },
    async decide(toolName, args = {}, input = args) {
      answer();
      const tool = tools.find(({ name }) => name === toolName);
      if (tool === undefined) throw new Error(`No tool is named ${toolName}.`);
      record({ type: "tool.call", ...callOf(toolName), args } as unknown as JournalEventInput);
      return run.decide({ turn, index: 0, toolCallId: `call-${turn}`, tool, input, args });
    },
  };
}
