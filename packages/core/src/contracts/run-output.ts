import type { ResolveToolCalls } from "./tool-types.ts";
import type { Interruption } from "./interruption.ts";
import type { Readers } from "./label.ts";
import type { Message } from "./message.ts";
import type { Warning } from "./model-response.ts";
import type { Owner } from "./owner.ts";
import type { RunStatus, StopReason } from "./stop-reason.ts";
import type { TokenUsage } from "./token-usage.ts";
import type { Tool } from "./tool.ts";

/** Counts and times of a run. */
export interface RunMetrics {
  /** Turns of the run. */
  readonly turns: number;
  /** Model calls, retries included. */
  readonly modelCalls: number;
  /** Milliseconds from the start to the first piece of the answer. */
  readonly timeToFirstTokenMs?: number | undefined;
  /** Milliseconds in model calls. */
  readonly modelMs: number;
  /** Milliseconds in tools. */
  readonly toolMs: number;
  /** Model calls that were retried. */
  readonly retries: number;
  /** Usage of each model call, in order. */
  readonly perRequest: readonly TokenUsage[];
}

/** A call that the flow policy refused, and that no grant and no approval can allow. */
export interface RefusedCall {
  /** Id of the call in the conversation. */
  readonly toolCallId: string;
  /** Name of the tool that was called. */
  readonly toolName: string;
  /** Id of the rule that refused it, such as `R4`. */
  readonly rule: string;
  /** The people who would have seen what the call sends: everyone, or a set. */
  readonly readers?: Readers | undefined;
  /** The reason and what to change, for people. */
  readonly explanation: string;
}

/** The usage of one agent in a run, over all its inner runs. */
export interface AgentUsage {
  /** Name of the agent. */
  readonly agentName: string;
  /** Tokens of its model calls. */
  readonly usage: TokenUsage;
  /** `undefined` when a price is unknown, never 0 then. */
  readonly costUsd: number | undefined;
}

/** Outcome of a run, with its answer, calls, usage and open questions. */
export type RunOutput<Tools extends readonly Tool[] = readonly Tool[], Structured = unknown> = RunOutputOf<
  ResolveToolCalls<Tools>,
  Structured
>;

/** `RunOutput` by its calls: outputs of different tools are compared by their calls. */
export interface RunOutputOf<out Call, out Structured> extends Owner {
  /** The answer's text. */
  readonly text: string;
  /** Every call of the run, in the model's order; a union on `toolName`, then on `isError`. */
  readonly toolCalls: readonly Call[];
  /** Sum over all model calls, including those of inner runs and of suspended runs. */
  readonly usage: TokenUsage;
  /** The same usage by agent, this run's agent first. */
  readonly usageByAgent: readonly AgentUsage[];
  /** The answer parsed with the output schema; `undefined` without one or when the run did not complete. */
  readonly structured: Structured | undefined;
  /** The model's reasoning, where the vendor returns it. */
  readonly thinking?: string | undefined;
  /** Milliseconds during which processes drove the run. */
  readonly durationMs: number;
  /** Id of the run; pass it to `resume()` and `inspect()`. */
  readonly runId: string;
  /** The agent that answered: another one after a handoff. */
  readonly agentName: string;
  /** The session of the run; a new id if the caller gave none. */
  readonly sessionId: string;
  /** Id of the model that answered last. */
  readonly model: string;
  /** Vendor of that model. */
  readonly modelProvider: string;
  /** Status of the run when the call returned. */
  readonly status: RunStatus;
  /** Reason of the end, such as `completed`, `awaiting_approval` or `max_turns`. */
  readonly stopReason: StopReason;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Counts and times of the run. */
  readonly metrics: RunMetrics;
  /** The conversation, including this run's messages. */
  readonly messages: readonly Message[];
  /** The vendor's id of the last response. */
  readonly responseId?: string | undefined;
  /** Suggestions for the user's next message, if the agent makes them. */
  readonly followupSuggestions?: readonly string[] | undefined;
  /** The questions that the run waits for; empty unless it is suspended. */
  readonly interruptions: readonly Interruption[];
  /** Calls that the flow policy refused for good, in the model's order. Calls of inner runs are in their own output. */
  readonly refusals: readonly RefusedCall[];
  /** Time at which a suspended run with a sleeping call can continue, in milliseconds since the epoch. */
  readonly wakeAt?: number | undefined;
  /** True if fakes answered in place of the tools, so that the run made no real effect. */
  readonly faked?: true | undefined;
  /** `undefined` when a price is unknown, never 0 then. */
  readonly costUsd: number | undefined;
  /** Settings that were left out, repairs, and other facts that did not fail the run. */
  readonly warnings: readonly Warning[];
}

/** The work of a run so far. Every run has it, even without output. */
export type RunProgress = Pick<
  RunOutput,
  "text" | "toolCalls" | "messages" | "usage" | "usageByAgent" | "costUsd" | "metrics" | "warnings"
>;
