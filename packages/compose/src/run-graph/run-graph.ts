import { checkArgument } from "@bailiwick/core";
import type { BailiwickError, InterruptionData, JournalEvent, JournalEventOf } from "@bailiwick/core";
import type { RunGraph, RunGraphEdge, RunGraphNode } from "./graph-types.ts";

type Node = { -readonly [Key in keyof RunGraphNode]: RunGraphNode[Key] };

interface Drawing {
  readonly nodes: Map<string, Node>;
  readonly edges: RunGraphEdge[];
}

/** A run inside a call, and the node that it begins from. */
interface Inside {
  readonly runId: string;
  readonly from: string;
  readonly kind: "runs" | "handoff";
}

/** Reads the journals of runs: an agent. */
export interface RunGraphSource {
  /**
   * The journal of a run, opened with the keys of the agent.
   *
   * @param runId - Id of the run.
   */
  inspect(runId: string): Promise<{ readonly events: readonly JournalEvent[] }>;
}

/**
 * The graph of a run, read from its journal: its agents, the models and tools that they called, hand-overs, and the
 * questions to people. Runs inside the run are part of it; a deleted one is left out.
 *
 * @param agent - The agent of the run, or another agent with its store and its keys.
 * @param runId - The run, at any time: an unfinished one has open nodes.
 * @throws RunNotFoundError `RUN_NOT_FOUND` when the store has no such run.
 * @example
 * ```ts
 * import type { Agent } from "@bailiwick/agent";
 * import { mermaid, runGraph } from "@bailiwick/compose/graph";
 *
 * export async function draw(agent: Agent, runId: string): Promise<string> {
 *   return mermaid(await runGraph(agent, runId));
 * }
 * ```
 */
export async function runGraph(agent: RunGraphSource, runId: string): Promise<RunGraph> {
  checkArgument(agent, "inspect", "runGraph(agent, runId)");
  checkArgument(runId, "string", "runGraph(agent, runId)");
  const drawing: Drawing = { nodes: new Map(), edges: [] };
  const seen = new Set([runId]);
  const { events } = await agent.inspect(runId);
  const waiting = addRun(drawing, runId, events);
  for (let inside = waiting.shift(); inside !== undefined; inside = waiting.shift()) {
    if (!seen.has(inside.runId)) {
      seen.add(inside.runId);
      waiting.push(...addRun(drawing, inside.runId, await eventsInside(agent, inside.runId)));
    }
    const to = agentId(inside.runId);
    if (drawing.nodes.has(to)) drawing.edges.push({ from: inside.from, to, kind: inside.kind });
  }
  return { runId, nodes: [...drawing.nodes.values()], edges: drawing.edges };
}

/** The records of a run inside; none for a deleted one. */
export async function eventsInside(agent: RunGraphSource, runId: string): Promise<readonly JournalEvent[]> {
  try {
    return (await agent.inspect(runId)).events;
  } catch (error) {
    if ((error as Partial<BailiwickError>).code === "RUN_NOT_FOUND") return [];
    throw error;
  }
}

const agentId = (runId: string): string => `agent ${runId}`;

/** Adds one run; returns the runs inside it. */
function addRun(drawing: Drawing, runId: string, events: readonly JournalEvent[]): Inside[] {
  const { nodes, edges } = drawing;
  const start = events.find((event) => event.type === "run.start");
  if (start === undefined) return [];
  const agent: Node = { id: agentId(runId), kind: "agent", title: start.agentName, state: "open", runId };
  nodes.set(agent.id, agent);
  const inside = new Map<string, Inside>();
  const handedOver = new Set<string>();
  const callId = (toolCallId: string): string => `tool ${runId} ${toolCallId}`;
  const runs = (event: { readonly toolCallId: string }, childRunId: string): void => {
    inside.set(childRunId, { runId: childRunId, from: callId(event.toolCallId), kind: "runs" });
  };
  for (const event of events) {
    switch (event.type) {
      case "model.intent":
        addModelCall(drawing, agent, event);
        break;
      case "tool.call": {
        const id = callId(event.toolCallId);
        nodes.set(id, { id, kind: "tool", title: event.toolName, state: "open", runId });
        edges.push({ from: agent.id, to: id, kind: "calls", turn: event.turn });
        break;
      }
      case "tool.outcome":
        if (event.childRun !== undefined) runs(event, event.childRun.runId);
        break;
      case "tool.result": {
        const call = nodes.get(callId(event.result.toolCallId));
        if (call === undefined) break;
        call.state = event.result.isError ? "failed" : "done";
        call.note = event.result.error?.kind;
        break;
      }
      case "child.suspended":
        runs(event, event.childRunId);
        break;
      case "handoff.transfer":
        if (event.toolCallId !== undefined) handedOver.add(callId(event.toolCallId));
        break;
      case "tool.approval.requested":
      case "input.requested":
        addQuestion(drawing, runId, event.interruption, callId);
        break;
      case "tool.approval.decided":
        answer(nodes.get(`question ${runId} ${event.toolCallId}`), event.decision);
        break;
      case "input.answered":
        answer(nodes.get(`question ${runId} ${event.toolCallId}`), { type: "answer", decidedBy: event.decidedBy });
        break;
      case "run.resumed":
        agent.state = "open";
        agent.note = undefined;
        break;
      case "run.end":
        agent.state = stateOf(event);
        agent.note = event.stopReason;
        break;
      default:
        break;
    }
  }
  if (agent.state !== "open")
    for (const node of nodes.values()) if (node.runId === runId && node.state === "open") node.state = "failed";
  return [...inside.values()].map((child) => (handedOver.has(child.from) ? { ...child, kind: "handoff" } : child));
}

function addModelCall(
  { nodes, edges }: Drawing,
  agent: Node,
  { model, runId }: Pick<JournalEventOf<"model.intent">, "model" | "runId">,
): void {
  const id = `model ${runId} ${model}`;
  const known = nodes.get(id);
  if (known !== undefined) {
    known.calls = (known.calls ?? 0) + 1;
    return;
  }
  nodes.set(id, { id, kind: "model", title: model, state: "done", runId, calls: 1 });
  edges.push({ from: agent.id, to: id, kind: "asks" });
}

function addQuestion(
  { nodes, edges }: Drawing,
  runId: string,
  { toolCallId, question }: InterruptionData,
  callId: (toolCallId: string) => string,
): void {
  const id = `question ${runId} ${toolCallId}`;
  nodes.set(id, { id, kind: "question", title: question.title, state: "open", runId });
  if (nodes.has(callId(toolCallId))) edges.push({ from: callId(toolCallId), to: id, kind: "waits" });
}

function answer(
  question: Node | undefined,
  decision: { readonly type: string; readonly decidedBy?: string | undefined },
): void {
  if (question === undefined) return;
  question.state = decision.type === "reject" ? "failed" : "done";
  question.note = [decision.type, decision.decidedBy].filter((word) => word !== undefined).join(" by ");
}

/** The state of a run that has ended. */
export function stateOf({ status }: JournalEventOf<"run.end">): RunGraphNode["state"] {
  if (status === "completed") return "done";
  return status === "failed" || status === "cancelled" || status === "stopped" ? "failed" : "open";
}
