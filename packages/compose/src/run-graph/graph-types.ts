/** An agent, a model, a call, or a question of a run. */
export interface RunGraphNode {
  /** Unique in the graph; the same each time the graph of the run is made. */
  readonly id: string;
  /** `agent`: one run of an agent. `model`: all calls of one model by that run. */
  readonly kind: "agent" | "model" | "tool" | "question";
  /** Name of the agent, the model or the tool; a question has its sentence. */
  readonly title: string;
  /** `open` while a result or an answer can come. `failed` also for a rejected call, and without a result in an ended run. */
  readonly state: "done" | "failed" | "open";
  /** The run that the node belongs to. */
  readonly runId: string;
  /** Number of calls, of a model. */
  readonly calls?: number | undefined;
  /** The run's stop reason, the call's kind of error, or the decision about a question and its author. */
  readonly note?: string | undefined;
}

/** A step from one node to another. */
export interface RunGraphEdge {
  /** Id of the node where the edge begins. */
  readonly from: string;
  /** Id of the node where the edge ends. */
  readonly to: string;
  /**
   * `asks`: an agent calls a model. `calls`: an agent calls a tool. `runs`: a call runs an agent. `handoff`: an agent
   * hands the conversation over. `waits`: a call waits for a person.
   */
  readonly kind: "asks" | "calls" | "runs" | "handoff" | "waits";
  /** Turn of the call, from 1. */
  readonly turn?: number | undefined;
}

/** The graph of a run and of the runs inside it, in the order of their journals. */
export interface RunGraph {
  /** The run that was asked for. */
  readonly runId: string;
  /** Nodes; the first is the agent of the run. */
  readonly nodes: readonly RunGraphNode[];
  /** Edges between them. */
  readonly edges: readonly RunGraphEdge[];
}

/** A workflow, or one of its nodes. */
export interface CompositionGraphNode {
  /** Unique in the graph: the names of the workflows around it, and its own. */
  readonly id: string;
  /** Kind of the node. */
  readonly kind: "composition" | "agent" | "tool" | "function";
  /** Name of the node. */
  readonly title: string;
  /** State in a run; absent without a run, and for a node that the run has not called. */
  readonly state?: RunGraphNode["state"] | undefined;
  /** Number of calls in a run, if there is more than one. */
  readonly calls?: number | undefined;
}

/** A step from one node of a workflow to another. */
export interface CompositionGraphEdge {
  /** Id of the node where the edge begins. */
  readonly from: string;
  /** Id of the node where the edge ends. */
  readonly to: string;
  /** The step in words, such as `then`, `if refund` or `each item`. */
  readonly kind: string;
}

/** The graph of a workflow and of the workflows inside it. */
export interface CompositionGraph {
  /** Nodes; the first is the workflow. */
  readonly nodes: readonly CompositionGraphNode[];
  /** Steps between them. */
  readonly edges: readonly CompositionGraphEdge[];
}

/** A graph that `mermaid()` writes: of a run, of a workflow, or of the people and things that a memory knows. */
export interface Graph {
  /** Nodes; one without a state has no colour. */
  readonly nodes: readonly {
    readonly id: string;
    readonly kind: RunGraphNode["kind"] | CompositionGraphNode["kind"] | "entity";
    readonly title: string;
    readonly state?: RunGraphNode["state"] | undefined;
    readonly calls?: number | undefined;
    readonly note?: string | undefined;
  }[];
  /** Edges between nodes; `kind` is the text of an edge. */
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly kind: string;
    readonly turn?: number | undefined;
  }[];
}
