import type { Interruption } from "../../contracts/interruption.ts";
import type { Warning } from "../../contracts/model-response.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { RunStatus, StopReason } from "../../contracts/stop-reason.ts";
import type { RunState } from "../../journal/run-state.ts";

/** What an output says besides the state. */
export interface OutputFields {
  readonly status: RunStatus;
  readonly stopReason: StopReason;
  readonly text: string;
  readonly structured: unknown;
  readonly durationMs: number;
  readonly interruptions: readonly Interruption[];
  readonly followupSuggestions?: readonly string[] | undefined;
  readonly warnings?: readonly Warning[] | undefined;
}

/** The output of a run, made of its state alone: the same in every process that has the journal. */
export function runOutput(state: RunState, fields: OutputFields): RunOutput {
  const { start, lastAnswer } = state;
  return {
    text: fields.text,
    toolCalls: state.toolCalls,
    usage: state.usage,
    structured: fields.structured,
    thinking: thinkingOf(state),
    durationMs: fields.durationMs,
    runId: start?.runId ?? "",
    agentName: state.activeAgent,
    sessionId: start?.sessionId ?? "",
    userId: start?.userId,
    tenantId: start?.tenantId,
    model: lastAnswer?.provenance.model ?? start?.model ?? "",
    modelProvider: lastAnswer?.provenance.provider ?? start?.modelProvider ?? "",
    status: fields.status,
    stopReason: fields.stopReason,
    createdAt: start?.at ?? 0,
    metrics: {
      turns: state.turn,
      modelCalls: state.modelCalls,
      timeToFirstTokenMs: state.timeToFirstTokenMs,
      modelMs: state.modelMs,
      toolMs: state.toolMs,
      retries: state.retries,
      perRequest: [...state.perRequest],
    },
    messages: [...state.messages],
    responseId: state.responseId,
    followupSuggestions: fields.followupSuggestions,
    interruptions: fields.interruptions,
    ...(fields.status === "suspended" && state.suspended?.wakeAt !== undefined && { wakeAt: state.suspended.wakeAt }),
    costUsd: state.modelCalls === 0 && state.costUsd === 0 ? 0 : state.costUsd,
    warnings: distinct([...state.warnings, ...(fields.warnings ?? [])]),
  };
}

function thinkingOf(state: RunState): string | undefined {
  const thoughts = state.messages
    .slice(state.firstOwnMessage)
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .flatMap((part) => (part.type === "reasoning" && part.text !== "" ? [part.text] : []));
  return thoughts.length === 0 ? undefined : thoughts.join("\n\n");
}

function distinct(warnings: readonly Warning[]): readonly Warning[] {
  const seen = new Map(
    warnings.map((warning) => [`${warning.code}\n${warning.subject ?? ""}\n${warning.message}`, warning]),
  );
  return [...seen.values()];
}
