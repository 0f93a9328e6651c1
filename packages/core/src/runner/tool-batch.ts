import type { FunctionToolResult } from "../contracts/function-tool-result.ts";
import type { Interruption } from "../contracts/interruption.ts";
import type { ToolCallResult } from "../contracts/tool-call-result.ts";
import type { StopReason } from "../contracts/stop-reason.ts";

/** What became of a turn's calls. */
export interface ToolBatchOutcome {
  /** What behaviours see: one entry a call, in the model's order. */
  readonly functionResults: readonly FunctionToolResult[];
  /** Results that this batch recorded, in the model's order. */
  readonly results: readonly ToolCallResult[];
  /** What a person must decide before the turn can go on; empty when the turn is complete. */
  readonly interruptions: readonly Interruption[];
  /** A tool or a policy ends the run after this turn. */
  readonly stop?: Extract<StopReason, "stopped_by_tool" | "policy_denied" | "aborted"> | undefined;
}
