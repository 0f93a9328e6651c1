import type { Interruption } from "../../contracts/interruption.ts";
import type { Warning } from "../../contracts/model-response.ts";
import type { AgentUsage, RunOutput } from "../../contracts/run-output.ts";
import { isWaiting, type RunStatus, type StopReason } from "../../contracts/stop-reason.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import { unreadMessages } from "../../journal/session-join.ts";
import { refusedCalls } from "../../journal/refused-calls.ts";
import { addAgentUsage, addCost, addUsage, noUsage } from "../../journal/fold-model.ts";
import { frozenCopy, ownCopy } from "../../user-code/copies.ts";
import { interruption } from "../interruption.ts";
import type { RunState } from "../../journal/run-state.ts";

/** Fields of an output that are not in the state. */
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

/**
 * The output of a run, computed from its state alone: the same in every process that has the journal. All of it is a
 * copy, which the caller may change.
 */
export function runOutput(state: RunState, fields: OutputFields): RunOutput {
  const { start } = state;
  const spent = spentBy(state);
  return {
    text: fields.text,
    toolCalls: ownCopy(state.toolCalls),
    usage: ownCopy(spent.usage),
    usageByAgent: ownCopy(spent.byAgent),
    structured: ownCopy(fields.structured),
    thinking: thinkingOf(state),
    durationMs: fields.durationMs,
    runId: start?.runId ?? "",
    agentName: state.activeAgent,
    sessionId: start?.sessionId ?? "",
    userId: start?.userId,
    tenantId: start?.tenantId,
    ...modelOf(state),
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
      perRequest: ownCopy(state.perRequest),
    },
    messages: ownCopy(isWaiting(fields.status) ? state.messages : [...state.messages, ...unreadMessages(state)]),
    responseId: state.responseId,
    followupSuggestions: fields.followupSuggestions,
    refusals: ownCopy(refusedCalls(state)),
    interruptions: fields.interruptions.map((data) => interruption(ownCopy({ ...data }))),
    ...(isWaiting(fields.status) && state.suspended?.wakeAt !== undefined && { wakeAt: state.suspended.wakeAt }),
    ...(start?.faked !== undefined && { faked: true }),
    costUsd: spent.costUsd,
    warnings: ownCopy(distinct([...state.warnings, ...(fields.warnings ?? [])])),
  };
}

/** The model of the last answer; before the first one, the model that the run began with. */
function modelOf({ start, lastAnswer }: RunState): Pick<RunOutput, "model" | "modelProvider"> {
  if (lastAnswer === undefined) return { model: start?.model ?? "", modelProvider: start?.modelProvider ?? "" };
  const { model, provider } = lastAnswer.provenance;
  return { model, modelProvider: provider };
}

/** The usage of a run with its inner runs, including those that wait. */
export function spentBy(state: RunState): {
  readonly usage: TokenUsage;
  readonly costUsd: number | undefined;
  readonly byAgent: readonly AgentUsage[];
} {
  const { start, perRequest, ownCostUsd, usageInside, turnCalls, calls } = state;
  const open = turnCalls.flatMap((key) => calls.get(key)?.child?.spent ?? []);
  const own = { agentName: start?.agentName ?? "", usage: perRequest.reduce(addUsage, noUsage), costUsd: ownCostUsd };
  return {
    usage: open.reduce((sum, { usage }) => addUsage(sum, usage), state.usage),
    costUsd: open.reduce((sum, { costUsd }) => addCost(sum, costUsd), state.costUsd),
    byAgent: addAgentUsage([own], [...usageInside, ...open]),
  };
}

/** An output for observers: frozen, so that the caller's copy stays unchanged. */
export function observedOutput(output: RunOutput): RunOutput {
  const { interruptions, ...rest } = output;
  return Object.freeze({
    ...frozenCopy(rest),
    interruptions: Object.freeze(interruptions.map((data) => Object.freeze(interruption(frozenCopy({ ...data }))))),
  });
}

function thinkingOf(state: RunState): string | undefined {
  const { history = [], input = [] } = state.start ?? {};
  const thoughts = state.messages
    .slice(history.length + input.length)
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
