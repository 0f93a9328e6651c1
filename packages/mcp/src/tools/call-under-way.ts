import type { RunOutput, ToolExecutionContext } from "@bailiwick/core";
import type { Task } from "./task.ts";

/** The part of a server's limits that one call has used. */
interface SamplingUse {
  requests: number;
  /** Outputs of the runs that answered; their usage counts for the calling run. */
  readonly outputs: RunOutput[];
}

/** A pending call. */
export interface CallUnderWay {
  readonly ctx: ToolExecutionContext;
  readonly sampled: SamplingUse;
  /** The task that the server created for it. */
  task: Task | undefined;
  /** True while it waits for a person: then the attempt ends, and the task continues. */
  isAsking: boolean;
}
