import type { Message } from "./message.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { ToolCallResult } from "./tool-call-result.ts";

/** The facts that a stop condition can check. */
export interface StopView {
  /** Turns done. */
  readonly steps: number;
  /** Tokens of the run so far. */
  readonly usage: TokenUsage;
  /** `undefined` when a price is unknown. */
  readonly costUsd: number | undefined;
  /** Milliseconds since the run began. */
  readonly elapsedMs: number;
  /** Results of the last turn. */
  readonly lastToolCalls: readonly ToolCallResult[];
  /** Tool names in conditions follow renames in the registry. */
  readonly messages: readonly Message[];
}

/** Decides after a turn whether the run stops. Made by `stepCountIs` and its siblings, or a function. */
export interface StopCondition {
  /**
   * @param view - The steps of the run so far.
   */
  (view: StopView): boolean | Promise<boolean>;
  /** Tools that the condition names; checked against the catalogue when the run starts. */
  readonly toolNames?: readonly string[] | undefined;
}
