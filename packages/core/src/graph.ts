/**
 * The graph of a run: its agents, calls, hand-overs and questions, as data and as a Mermaid flowchart.
 *
 * @module graph
 */
export { mermaid } from "./run-graph/mermaid.ts";
export { runGraph } from "./run-graph/run-graph.ts";
export type { RunGraphSource } from "./run-graph/run-graph.ts";
export type { RunGraph, RunGraphEdge, RunGraphNode } from "./contracts/run-graph.ts";
