/**
 * Workflows of agents, tools and functions: pipelines, parallel branches, maps, routes, loops and attempts.
 *
 * @module main
 */
export type { Composition, CompositionOptions, WorkflowOutput } from "./workflow/composition.ts";
export type { WorkflowHost } from "./workflow/compose.ts";
export type {
  AnswerOf,
  AnswerTypes,
  AnyNode,
  Fits,
  FunctionContext,
  InputOptions,
  NodeFunction,
  NodeOf,
  Origin,
  ResultOf,
  RunnableNode,
  ToolNode,
} from "./workflow/node-types.ts";
export type {
  AnswersOf,
  Attempt,
  Attempted,
  AttemptNodes,
  Branches,
  Caught,
  GivenItems,
  ListInput,
  ListOf,
  Loop,
  LoopOptions,
  MapItems,
  MapSettings,
  MergeOptions,
  OnError,
  Parallel,
  Pipeline,
  PipelineOptions,
  Route,
  RouteOptions,
  Unmerged,
} from "./workflow/signatures.ts";
export { workflows, type Workflows } from "./workflow/workflows.ts";
