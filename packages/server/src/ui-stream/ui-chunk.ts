import type { InterruptionData } from "@bailiwick/core";

/** Metadata of a run for its message: `message.metadata` of the AI SDK's `UIMessage`. */
export interface RunMetadata {
  /** Id of the run that wrote the message. */
  readonly runId: string;
  /** Name of its agent. */
  readonly agentName?: string | undefined;
  /** Status of the run; missing until it ends or is suspended. */
  readonly status?: string | undefined;
  /** Reason for the end. */
  readonly stopReason?: string | undefined;
  /** Tokens of all model calls of the run. */
  readonly usage?: UsageView | undefined;
  /** In US dollars; absent when a price is unknown. */
  readonly costUsd?: number | undefined;
}

/** Token counts of a run. */
export interface UsageView {
  /** Tokens of the requests. */
  readonly inputTokens: number;
  /** Tokens of the answers. */
  readonly outputTokens: number;
  /** Sum of both. */
  readonly totalTokens: number;
}

/** A question to a person that is not an approval: `ctx.ask`, and unknown outcomes. */
export interface InterruptionPart {
  /** The question, as in `result.interruptions`. */
  readonly interruption: Omit<InterruptionData, "token">;
  /** True if the question is decided. */
  readonly settled: boolean;
}

/** Activity of an agent inside a tool call, for clients of the stream. */
export type NestedActivity = {
  /** The outer call. */
  readonly toolCallId: string;
  readonly agentPath: readonly string[];
} & (
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool-call"; readonly toolName: string }
  | { readonly type: "tool-result"; readonly toolName: string; readonly isError: boolean }
);

/** The chunks of the AI SDK's UI message stream that a run can produce. */
export type UiChunk =
  | { readonly type: "start"; readonly messageId: string; readonly messageMetadata: RunMetadata }
  | { readonly type: "start-step" | "finish-step" | "reset-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-input-start"; readonly toolCallId: string; readonly toolName: string }
  | { readonly type: "tool-input-delta"; readonly toolCallId: string; readonly inputTextDelta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly providerExecuted?: boolean;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly reason: string;
    }
  | {
      readonly type: "tool-approval-response";
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly providerExecuted?: boolean;
      readonly preliminary?: boolean;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly providerExecuted?: boolean;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | { readonly type: "source-url"; readonly sourceId: string; readonly url: string; readonly title?: string }
  | { readonly type: "source-document"; readonly sourceId: string; readonly mediaType: string; readonly title: string }
  | { readonly type: "file"; readonly url: string; readonly mediaType: string }
  | {
      readonly type: "steering-message";
      readonly id: string;
      readonly parts: readonly { readonly type: "text"; readonly text: string }[];
    }
  | { readonly type: "data-interruption"; readonly id: string; readonly data: InterruptionPart }
  | {
      readonly type: "data-handoff";
      readonly id: string;
      readonly data: { readonly fromAgent: string; readonly toAgent: string };
    }
  | { readonly type: "data-structured"; readonly id: string; readonly data: unknown }
  | { readonly type: "data-structured-partial"; readonly data: unknown; readonly transient: true }
  | {
      readonly type: "data-tool-progress";
      readonly data: {
        readonly toolCallId: string;
        readonly message?: string | undefined;
        readonly fraction?: number | undefined;
        readonly data?: unknown;
      };
      readonly transient: true;
    }
  | { readonly type: "data-agent"; readonly data: NestedActivity; readonly transient: true }
  | { readonly type: "message-metadata"; readonly messageMetadata: RunMetadata }
  | {
      readonly type: "finish";
      readonly finishReason: "stop" | "length" | "content-filter" | "tool-calls" | "interrupted" | "other";
    }
  | { readonly type: "abort"; readonly reason: string }
  | { readonly type: "error"; readonly errorText: string };
