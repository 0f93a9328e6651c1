/**
 * The graph of a run: its agents, calls, hand-overs and questions, as data. Graphs as Mermaid flowcharts.
 *
 * @module graph
 */
export { mermaid } from "./run-graph/mermaid.ts";
export { runGraph, type RunGraphSource } from "./run-graph/run-graph.ts";
export type { Graph, RunGraph, RunGraphEdge, RunGraphNode } from "./run-graph/graph-types.ts";
