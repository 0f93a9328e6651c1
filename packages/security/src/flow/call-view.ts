import type { FlowOptions, Principal, ResolvedTool } from "@bailiwick/core";

import type { FlowState, ReadResult } from "./flow-state.ts";
import type { Level, ReadersId } from "./lattice.ts";
import type { Sink } from "./sinks.ts";
import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** One call with all facts that the rules read. */
export interface CallView {
  readonly id: string;
  readonly tool: ResolvedTool;
  readonly roles: ToolRoles;
  /** The arguments that the tool's schema made the value of: what grants and declared paths address. */
  readonly args: unknown;
  /** The value that would run, as JSON: what a person is shown. */
  readonly value: unknown;
  /** The values that only the schema set, as paths. */
  readonly setBySchema: ReadonlySet<string>;
  /** The leaves of the arguments. */
  readonly leaves: readonly ArgumentLeaf[];
  readonly sink: Sink;
  readonly options: FlowOptions;
  /** Join of everything in the model's context when it made the call. */
  readonly context: Level;
  /** The label of the arguments, joined with the labels behind their references. */
  readonly level: Level;
  /** Set for a call of a program: true if the developer's code chose it, and the start of the run was asked for. */
  readonly isPlanned?: boolean | undefined;
  /** The branch of a workflow that text of others may have chosen. */
  readonly branch?: string | undefined;
  /** Sources behind the arguments' references. */
  readonly references: readonly Principal[];
  /** The results that were in that context. */
  readonly reads: readonly ReadResult[];
  /** Readers of the data that the call sends. */
  readonly sinkReaders: ReadersId;
  readonly state: FlowState;
}
