import { ConfigurationError, type JournalEvent } from "@bailiwick/core";
import { shapeOf, type Shape } from "../workflow/shape.ts";
import type { CompositionGraph, CompositionGraphEdge, CompositionGraphNode } from "./graph-types.ts";
import { eventsInside, stateOf, type RunGraphSource } from "./run-graph.ts";

/** A workflow, as `pipeline()` and the other functions make it. */
export interface GraphedComposition extends RunGraphSource {
  /** Name of the workflow. */
  readonly name: string;
}

interface Drawing {
  readonly nodes: CompositionGraphNode[];
  readonly edges: CompositionGraphEdge[];
}

/** The part of a run that is about a node. */
interface NodeRun {
  readonly state: CompositionGraphNode["state"];
  readonly calls: number;
  /** The newest run inside its calls. */
  readonly inside: string | undefined;
}

/**
 * The graph of a workflow: its nodes with their kinds, and the steps between them. Workflows inside it are part of it.
 *
 * @param composition - The workflow.
 * @throws ConfigurationError `INVALID_OPTION` for another value.
 * @example
 * ```ts
 * import { pipeline } from "@bailiwick/agent/compose";
 * import { compositionGraph, mermaid } from "@bailiwick/compose/graph";
 *
 * const shout = pipeline({ name: "shout" }, (text) => text.toUpperCase());
 * console.log(mermaid(compositionGraph(shout)));
 * ```
 */
export function compositionGraph(composition: GraphedComposition): CompositionGraph;
/**
 * The graph of a workflow, with the state of each node in a run.
 *
 * @param composition - The workflow.
 * @param runId - A run of it, at any time.
 * @throws RunNotFoundError `RUN_NOT_FOUND` when the store has no such run.
 * @throws ConfigurationError `INVALID_OPTION` for another value than a workflow.
 */
export function compositionGraph(composition: GraphedComposition, runId: string): Promise<CompositionGraph>;
export function compositionGraph(
  composition: GraphedComposition,
  runId?: string,
): CompositionGraph | Promise<CompositionGraph> {
  const shape = shapeOf(composition);
  if (shape === undefined)
    throw new ConfigurationError(
      "INVALID_OPTION",
      "compositionGraph() takes a workflow, as pipeline() and the other functions make it. For a run of an agent, use runGraph(agent, runId).",
    );
  return runId === undefined ? drawn(shape) : withRun(composition, shape, runId);
}

function drawn(shape: Shape): CompositionGraph {
  const drawing: Drawing = { nodes: [], edges: [] };
  add(drawing, shape, shape.name, new Map());
  return drawing;
}

async function withRun(source: RunGraphSource, shape: Shape, runId: string): Promise<CompositionGraph> {
  const drawing: Drawing = { nodes: [], edges: [] };
  const { events } = await source.inspect(runId);
  await addRun(drawing, source, shape, shape.name, events);
  return drawing;
}

/** Adds a workflow with the state of a run, and the workflows inside it with the runs inside that one. */
async function addRun(
  drawing: Drawing,
  source: RunGraphSource,
  shape: Shape,
  id: string,
  events: readonly JournalEvent[],
): Promise<void> {
  const runs = runsOf(events);
  add(drawing, shape, id, runs, runStateOf(events), false);
  for (const { name, shape: inner } of shape.nodes) {
    if (inner === undefined) continue;
    const inside = runs.get(name)?.inside;
    const innerId = `${id}/${name}`;
    if (inside === undefined) add(drawing, inner, innerId, new Map(), undefined, true, true);
    else await addInside(drawing, source, inner, innerId, await eventsInside(source, inside));
  }
}

async function addInside(
  drawing: Drawing,
  source: RunGraphSource,
  shape: Shape,
  id: string,
  events: readonly JournalEvent[],
): Promise<void> {
  const inner: Drawing = { nodes: [], edges: [] };
  await addRun(inner, source, shape, id, events);
  // The node of the workflow itself is there already.
  drawing.nodes.push(...inner.nodes.slice(1));
  drawing.edges.push(...inner.edges);
}

function add(
  { nodes, edges }: Drawing,
  shape: Shape,
  id: string,
  runs: ReadonlyMap<string, NodeRun>,
  state?: CompositionGraphNode["state"],
  isDeep = true,
  isInside = false,
): void {
  if (!isInside) nodes.push({ id, kind: "composition", title: shape.name, ...(state !== undefined && { state }) });
  for (const { name, kind } of shape.nodes) {
    const run = runs.get(name);
    nodes.push({
      id: `${id}/${name}`,
      kind,
      title: name,
      ...(run?.state !== undefined && { state: run.state }),
      ...(run !== undefined && run.calls > 1 && { calls: run.calls }),
    });
  }
  for (const { from, to, kind } of shape.edges)
    edges.push({ from: from === undefined ? id : `${id}/${from}`, to: `${id}/${to}`, kind });
  if (!isDeep) return;
  for (const { name, shape: inner } of shape.nodes)
    if (inner !== undefined) add({ nodes, edges }, inner, `${id}/${name}`, new Map(), undefined, true, true);
}

/** The state of each node that a run has called. */
function runsOf(events: readonly JournalEvent[]): ReadonlyMap<string, NodeRun> {
  const runs = new Map<string, NodeRun>();
  const places = new Map<string, string>();
  const change = (name: string, made: Partial<NodeRun>): void => {
    const before = runs.get(name) ?? { state: undefined, calls: 0, inside: undefined };
    runs.set(name, { ...before, ...made });
  };
  for (const event of events) {
    if (event.type === "tool.call") {
      places.set(event.toolCallId, event.toolName);
      change(event.toolName, { state: "open", calls: (runs.get(event.toolName)?.calls ?? 0) + 1 });
    } else if (event.type === "tool.result") {
      const name = places.get(event.result.toolCallId) ?? event.result.toolName;
      change(name, { state: event.result.isError ? "failed" : "done" });
    } else if (event.type === "tool.outcome" && event.childRun !== undefined)
      change(event.toolName, { inside: event.childRun.runId });
    else if (event.type === "child.suspended") change(places.get(event.toolCallId) ?? "", { inside: event.childRunId });
  }
  runs.delete("");
  return runs;
}

function runStateOf(events: readonly JournalEvent[]): CompositionGraphNode["state"] {
  const end = events.findLast((event) => event.type === "run.end" || event.type === "run.resumed");
  return end?.type === "run.end" ? stateOf(end) : "open";
}
