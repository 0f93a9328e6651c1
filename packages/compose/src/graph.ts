/**
 * The graph of a run: its agents, calls, hand-overs and questions, as data. The graph of a workflow. Graphs as Mermaid
 * flowcharts.
 *
 * @module graph
 */
export { compositionGraph, type GraphedComposition } from "./run-graph/composition-graph.ts";
export { mermaid } from "./run-graph/mermaid.ts";
export { runGraph, type RunGraphSource } from "./run-graph/run-graph.ts";
export type {
  CompositionGraph,
  CompositionGraphEdge,
  CompositionGraphNode,
  Graph,
  RunGraph,
  RunGraphEdge,
  RunGraphNode,
} from "./run-graph/graph-types.ts";
