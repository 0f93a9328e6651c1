import type { FinishReason } from "../finish-reason.ts";
import type { ErrorData } from "../error-data.ts";
import type { Decision } from "../interruption.ts";
import type { AssistantMessage, Message } from "../message.ts";
import type { ToolDefinition } from "../model-provider.ts";
import type { RunInput } from "../run-options.ts";
import type { RunStatus, StopReason } from "../stop-reason.ts";
import type { TokenUsage } from "../token-usage.ts";
import type { SideEffectClass } from "../vocabularies.ts";

/** An activity with a start and an end. */
export interface TelemetrySpan<End> {
  /**
   * Runs work inside the span: spans that the work starts, directly or after an `await`, are children.
   *
   * @param work - Called once, immediately. The run uses its result, also if the span returns something else.
   */
  within<Result>(work: () => Result): Result;
  /**
   * Ends it; called once.
   *
   * @param end - Outcome of the span.
   */
  end(end: End): void;
}

/** The run and agent that a span belongs to. */
export interface SpanOwner {
  /** Id of the run. */
  readonly runId: string;
  /** Name of the agent. */
  readonly agentName: string;
  /** Hash of the agent's definition: another model, tool or instruction changes it. */
  readonly agentId: string;
  /** Id of the session that the run belongs to. */
  readonly sessionId: string;
}

/** A run begins, or continues, in this process. */
export interface RunSpanStart extends SpanOwner {
  /** Description of the agent; `undefined` if it has none. */
  readonly agentDescription: string | undefined;
  /** User of the run; `undefined` if it has none. */
  readonly userId: string | undefined;
  /** Tenant of the run; `undefined` if it has none. */
  readonly tenantId: string | undefined;
  /** Vendor of the agent's model, such as `openai`. */
  readonly modelProvider: string;
  /** Id of the agent's model, as requested. */
  readonly model: string;
  /** True if the run began earlier, here or in another process. */
  readonly resumed: boolean;
  /** The user's input; only with `inputs`, and only if it is new. */
  readonly input: RunInput | undefined;
}

/** A run ended, or waits. */
export interface RunSpanEnd {
  /** Error of a failed run; `undefined` otherwise. */
  readonly error: ErrorData | undefined;
  /** The other fields are missing if the run failed before it began. */
  readonly status?: RunStatus | undefined;
  /** Reason for the end of the run. */
  readonly stopReason?: StopReason | undefined;
  /** Usage of the run from its beginning, including the runs inside its calls. */
  readonly usage?: TokenUsage | undefined;
  /** Cost of the run in US dollars, from its beginning; absent if a price is unknown. */
  readonly costUsd?: number | undefined;
  /** The answer's text; only with `outputs`. */
  readonly text?: string | undefined;
}

/** A model call begins. */
export interface ModelSpanStart extends SpanOwner {
  /** Vendor of the called model, such as `openai`. */
  readonly modelProvider: string;
  /** Id of the called model, as requested. */
  readonly model: string;
  /** `answer`, or the purpose of a call outside the conversation. */
  readonly purpose: "answer" | "follow_ups" | "summary" | "planner" | "extract";
  /** True if the answer has to fit a schema. */
  readonly structured: boolean;
  /** Maximum number of output tokens; `undefined` if it is not set. */
  readonly maxTokens: number | undefined;
  /** Sampling temperature; `undefined` if it is not set. */
  readonly temperature: number | undefined;
  /** Nucleus sampling, from 0 to 1; `undefined` if it is not set. */
  readonly topP: number | undefined;
  /** Texts at which the model stops; `undefined` if none are set. */
  readonly stopSequences: readonly string[] | undefined;
  /** The messages of the request; only with `inputs`. */
  readonly messages: readonly Message[] | undefined;
  /** The tools that the model is offered; only with `inputs`. */
  readonly tools: readonly ToolDefinition[] | undefined;
}

/** A model answered, or failed to. */
export interface ModelSpanEnd {
  /** Error of a failed call; `undefined` otherwise. */
  readonly error: ErrorData | undefined;
  /** The other fields are missing if there was no answer, not even a partial one. */
  readonly usage?: TokenUsage | undefined;
  /** Reason for the end of the answer, such as `stop` or `tool_calls`. */
  readonly finishReason?: FinishReason | undefined;
  /** The vendor's id of the answer. */
  readonly responseId?: string | undefined;
  /** The model that answered, as the vendor names it. */
  readonly responseModel?: string | undefined;
  /** Time to the first token of a streamed answer, in milliseconds. */
  readonly timeToFirstTokenMs?: number | undefined;
  /** Set only with `outputs`. */
  readonly message?: AssistantMessage | undefined;
}

/** A tool is executed. */
export interface ToolSpanStart extends SpanOwner {
  /** Name of the tool. */
  readonly toolName: string;
  /** Id of the call in the conversation. */
  readonly toolCallId: string;
  /** Description of the tool, as the model gets it. */
  readonly description: string;
  /** Declared or guessed effect of the tool. */
  readonly sideEffectClass: SideEffectClass;
  /** 1 for the first. */
  readonly attempt: number;
  /** Set only with `inputs`. */
  readonly arguments: unknown;
}

/** A tool returned, failed, or waits. */
export interface ToolSpanEnd {
  /** Error of a failed call; `undefined` otherwise. */
  readonly error: ErrorData | undefined;
  /** The run waits for a person or sleeps, and starts again later. */
  readonly waiting: boolean;
  /** The returned value; only with `outputs`. */
  readonly output?: unknown;
}

/** A record of the run and its time: `startedAt` and `endedAt` are milliseconds since the epoch. */
export type TelemetryMoment = SpanOwner & { readonly startedAt: number; readonly endedAt: number } & (
    | {
        /** A person, a timer or an earlier decision settled an approval; it began when the run asked. */
        readonly kind: "approval";
        readonly toolName: string;
        readonly toolCallId: string;
        readonly decision: Decision["type"];
        /** `inline`, `resume`, `remembered`, `expired`, `timeout` and so on. */
        readonly via: string;
        readonly decidedBy: string | undefined;
      }
    | {
        readonly kind: "policy";
        readonly toolName: string;
        readonly toolCallId: string;
        readonly verdict: "allow" | "ask" | "deny";
        /** Id of the rule, such as `R1`. */
        readonly rule: string;
        /** Recorded only, not enforced. */
        readonly shadow: boolean;
        /** Set only with `outputs`. */
        readonly explanation: string | undefined;
      }
    | { readonly kind: "handoff"; readonly fromAgent: string; readonly toAgent: string }
    | { readonly kind: "compaction"; readonly strategy: string; readonly droppedMessages: number }
    | { readonly kind: "memory"; readonly memoryIds: readonly string[] }
  );

/**
 * Receives spans of runs, model calls and tool calls while they happen. Errors that it throws do not reach the run.
 * Known secret values are removed from everything that it gets.
 */
export interface Telemetry {
  /** Includes input: the run's input, messages, instructions, tool definitions, arguments. */
  readonly inputs: boolean;
  /** Includes output: answers, results, and the texts of errors and explanations. */
  readonly outputs: boolean;
  /**
   * Starts the span of a run.
   *
   * @param start - The run.
   */
  startRun(start: RunSpanStart): TelemetrySpan<RunSpanEnd>;
  /**
   * Starts the span of a model call.
   *
   * @param start - The model call.
   */
  startModelCall(start: ModelSpanStart): TelemetrySpan<ModelSpanEnd>;
  /**
   * Starts the span of an execution of a tool.
   *
   * @param start - The execution.
   */
  startToolCall(start: ToolSpanStart): TelemetrySpan<ToolSpanEnd>;
  /**
   * Receives the other records of a run: decisions of people and of the policy, handoffs, compactions, memories.
   *
   * @param moment - The record; its times are those of the journal.
   */
  noteMoment?(moment: TelemetryMoment): void;
}
