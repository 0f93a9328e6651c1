import type { BusEventName } from "../contracts/event-bus.ts";
import type { RunEventType } from "../contracts/run-event.ts";

/** The names that one event has on each channel. */
export interface EventRow {
  /** `journal` events have a `seq` and are durable; `live` events are shown while they happen. */
  readonly kind: "journal" | "live";
  /** Name of the handler in an `onToken` object. */
  readonly handler: `on${string}`;
  /** `type` of the event that `onToken` receives. */
  readonly token: string;
  /** Name on the event bus. */
  readonly bus: BusEventName;
}

function journal(bus: BusEventName, handler: `on${string}`, token: string = bus): EventRow {
  return { kind: "journal", handler, token, bus };
}

function live(bus: BusEventName, handler: `on${string}`, token: string): EventRow {
  return { kind: "live", handler, token, bus };
}

/**
 * Every event of a run with its name on each channel. The stream, `onToken`, the event bus and the page of the
 * reference are all derived from this table.
 *
 * @example
 * ```ts
 * import { eventTable } from "@bailiwick/core";
 *
 * console.log(eventTable["tool.result"].handler); // "onToolExecutionOutput"
 * ```
 */
export const eventTable: { readonly [Type in RunEventType]: EventRow } = {
  text: live("run.stream.chunk", "onTextDelta", "text_delta"),
  thinking: live("run.stream.chunk", "onReasoning", "reasoning"),
  tool_call_start: live("run.stream.chunk", "onToolCallStart", "tool_call_start"),
  tool_call_delta: live("run.stream.chunk", "onToolCallDelta", "tool_call_delta"),
  tool_call_end: live("run.stream.chunk", "onToolCallEnd", "tool_call_end"),
  source: live("run.stream.chunk", "onSource", "source"),
  file: live("run.stream.chunk", "onFile", "file"),
  raw: live("run.stream.chunk", "onRaw", "raw"),
  finish: live("run.stream.chunk", "onFinish", "finish"),
  warning: live("warning", "onWarning", "warning"),
  "tool.progress": live("tool.progress", "onToolProgress", "tool_progress"),
  "tool.partial": live("tool.partial", "onToolPartial", "tool_partial"),
  "structured.delta": live("structured.delta", "onStructuredDelta", "structured_delta"),
  "agent.event": live("agent.event", "onToolExecutionStream", "tool_execution_stream"),
  "observer.lagging": live("observer.lagging", "onObserverLagging", "observer_lagging"),
  "guardrail.retracted": live("guardrail.retracted", "onGuardrailRetracted", "guardrail_retracted"),
  "turn.restarted": live("turn.restarted", "onTurnRestarted", "turn.restarted"),
  "run.start": journal("run.start", "onRunStart"),
  "run.resumed": journal("run.resumed", "onRunResumed"),
  "run.definition_changed": journal("run.definition_changed", "onRunDefinitionChanged"),
  "model.intent": journal("model.intent", "onModelIntent"),
  "model.started": journal("model.started", "onModelStarted"),
  "model.result": journal("model.result", "onModelResult"),
  "tool.call": journal("tool.call", "onToolExecutionStart", "tool_execution_start"),
  "tool.approval.requested": journal("tool.approval.requested", "onToolApprovalRequested"),
  "tool.approval.decided": journal("tool.approval.decided", "onToolApprovalDecided"),
  "tool.intent": journal("tool.intent", "onToolIntent"),
  "tool.outcome": journal("tool.outcome", "onToolOutcome"),
  "tool.result": journal("tool.result", "onToolExecutionOutput", "tool_execution_output"),
  "flow.decided": journal("flow.decided", "onFlowDecided"),
  "flow.grants": journal("flow.grants", "onFlowGrants"),
  "flow.extract": journal("flow.extract", "onFlowExtract"),
  "flow.lowered": journal("flow.lowered", "onFlowLowered"),
  "input.requested": journal("input.requested", "onInputRequested"),
  "input.answered": journal("input.answered", "onInputAnswered"),
  "sleep.begun": journal("sleep.begun", "onSleepBegun"),
  "sleep.ended": journal("sleep.ended", "onSleepEnded"),
  "child.suspended": journal("child.suspended", "onChildSuspended"),
  "child.decided": journal("child.decided", "onChildDecided"),
  "model.decided": journal("model.decided", "onModelDecided"),
  "signal.taken": journal("signal.taken", "onSignalTaken"),
  "signal.dropped": journal("signal.dropped", "onSignalDropped"),
  "message.inserted": journal("message.inserted", "onMessageInserted"),
  "catalogue.promoted": journal("catalogue.promoted", "onCataloguePromoted"),
  "state.changed": journal("state.changed", "onStateChanged"),
  "state.conflict": journal("state.conflict", "onStateConflict"),
  "state.saved": journal("state.saved", "onStateSaved"),
  "handoff.transfer": journal("handoff.transfer", "onHandoffTransfer"),
  "guardrail.decided": journal("guardrail.decided", "onGuardrailDecided"),
  "hook.failed": journal("hook.failed", "onHookFailed"),
  compaction: journal("compaction", "onCompaction"),
  "memory.recalled": journal("memory.recalled", "onMemoryRecalled"),
  "media.fetched": journal("media.fetched", "onMediaFetched"),
  "secret.revealed": journal("secret.revealed", "onSecretRevealed"),
  "secret.denied": journal("secret.denied", "onSecretDenied"),
  "run.suspended": journal("run.suspended", "onRunSuspended"),
  "run.end": journal("run.end", "onDone", "done"),
};

/** Events that a streamed model call makes; a listener on any of them makes the runner stream. */
export const deltaTypes: readonly RunEventType[] = [
  "text",
  "thinking",
  "tool_call_start",
  "tool_call_delta",
  "tool_call_end",
  "source",
  "file",
  "raw",
  "finish",
  "structured.delta",
];
