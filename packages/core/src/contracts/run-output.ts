import type { ResolveToolCalls } from "./tool-types.ts";
import type { Interruption } from "./interruption.ts";
import type { Message } from "./message.ts";
import type { Warning } from "./model-response.ts";
import type { RunStatus, StopReason } from "./stop-reason.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { Tool } from "./tool.ts";

/** Counts and times of a run. */
export interface RunMetrics {
  readonly turns: number;
  readonly modelCalls: number;
  readonly timeToFirstTokenMs?: number | undefined;
  readonly modelMs: number;
  readonly toolMs: number;
  readonly retries: number;
  /** Usage of each model call, in order. */
  readonly perRequest: readonly TokenUsage[];
}

/** The usage of one agent in a run, over all runs of it inside the run. */
export interface AgentUsage {
  readonly agentName: string;
  readonly usage: TokenUsage;
  /** `undefined` when a price is unknown, never 0 then. */
  readonly costUsd: number | undefined;
}

/** Outcome of a run, with its answer, calls, usage and open questions. */
export type RunOutput<Tools extends readonly Tool[] = readonly Tool[], Structured = unknown> = RunOutputOf<
  ResolveToolCalls<Tools>,
  Structured
>;

/** `RunOutput` by the calls it lists: outputs of different tools are compared by their calls. */
export interface RunOutputOf<out Call, out Structured> {
  /** The answer's text. */
  readonly text: string;
  /** Every call of the run, in the model's order; a union on `toolName`, then on `isError`. */
  readonly toolCalls: readonly Call[];
  /** Sum over all model calls, including those of inner runs and of runs that wait. */
  readonly usage: TokenUsage;
  /** The same usage by agent, this run's agent first. */
  readonly usageByAgent: readonly AgentUsage[];
  /** The answer parsed with the output schema; `undefined` without one or when the run did not complete. */
  readonly structured: Structured | undefined;
  readonly thinking?: string | undefined;
  readonly durationMs: number;
  readonly runId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly userId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly model: string;
  readonly modelProvider: string;
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly metrics: RunMetrics;
  /** The conversation, this run's messages included. */
  readonly messages: readonly Message[];
  readonly responseId?: string | undefined;
  readonly followupSuggestions?: readonly string[] | undefined;
  /** The questions that the run waits for; empty unless it is suspended. */
  readonly interruptions: readonly Interruption[];
  /** Time at which a suspended run with a sleeper can continue, in milliseconds since the epoch. */
  readonly wakeAt?: number | undefined;
  /** `undefined` when a price is unknown, never 0 then. */
  readonly costUsd: number | undefined;
  readonly warnings: readonly Warning[];
}

/** The work of a run so far. Every run has it, also one without output. */
export type RunProgress = Pick<
  RunOutput,
  "text" | "toolCalls" | "messages" | "usage" | "usageByAgent" | "costUsd" | "metrics" | "warnings"
>;
