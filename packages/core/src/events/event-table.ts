import type { BusEventName } from "../contracts/event-bus.ts";
import type { RunEventType } from "../contracts/run-event.ts";

/** The names that one event has on each channel. */
export interface EventRow {
  /** `journal` events have a `seq` and are durable; `live` events are shown while they happen. */
  readonly kind: "journal" | "live";
  /** Name of the handler in an `onToken` object. */
  readonly handler: `on${string}`;
  /** `type` of the event that `onToken` is given. */
  readonly token: string;
  /** Name on the event bus. */
  readonly bus: BusEventName;
  /** What it says, for the reference. */
  readonly meaning: string;
}

function journal(bus: BusEventName, handler: `on${string}`, meaning: string, token: string = bus): EventRow {
  return { kind: "journal", handler, token, bus, meaning };
}

function live(bus: BusEventName, handler: `on${string}`, token: string, meaning: string): EventRow {
  return { kind: "live", handler, token, bus, meaning };
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
  text: live("run.stream.chunk", "onTextDelta", "text_delta", "A piece of the answer's text."),
  thinking: live("run.stream.chunk", "onReasoning", "reasoning", "A piece of the model's reasoning."),
  tool_call_start: live("run.stream.chunk", "onToolCallStart", "tool_call_start", "The model begins to write a call."),
  tool_call_delta: live("run.stream.chunk", "onToolCallDelta", "tool_call_delta", "A piece of a call's arguments."),
  tool_call_end: live("run.stream.chunk", "onToolCallEnd", "tool_call_end", "A call's arguments are complete."),
  source: live("run.stream.chunk", "onSource", "source", "A citation of the answer."),
  file: live("run.stream.chunk", "onFile", "file", "A file that the model made."),
  raw: live("run.stream.chunk", "onRaw", "raw", "A vendor's own event, with `includeRawEvents`."),
  finish: live("run.stream.chunk", "onFinish", "finish", "A streamed model call ended; carries the whole answer."),
  warning: live("warning", "onWarning", "warning", "Something was changed or dropped without failing the run."),
  "tool.progress": live("tool.progress", "onToolProgress", "tool_progress", "A tool reports how far it is."),
  "tool.partial": live("tool.partial", "onToolPartial", "tool_partial", "A tool shows a piece of its output."),
  "structured.delta": live(
    "structured.delta",
    "onStructuredDelta",
    "structured_delta",
    "The structured answer as far as it has arrived.",
  ),
  "agent.event": live(
    "agent.event",
    "onToolExecutionStream",
    "tool_execution_stream",
    "An event of an agent that runs inside a tool call.",
  ),
  "observer.lagging": live(
    "observer.lagging",
    "onObserverLagging",
    "observer_lagging",
    "A reader was too slow and lost live events.",
  ),
  "guardrail.retracted": live(
    "guardrail.retracted",
    "onGuardrailRetracted",
    "guardrail_retracted",
    "Text that was shown is withdrawn.",
  ),
  "run.start": journal("run.start", "onRunStart", "The run begins."),
  "run.resumed": journal("run.resumed", "onRunResumed", "A process goes on with the run."),
  "run.definition_changed": journal(
    "run.definition_changed",
    "onRunDefinitionChanged",
    "The agent was changed since the run began.",
  ),
  "model.intent": journal("model.intent", "onModelIntent", "A model is about to be asked."),
  "model.result": journal("model.result", "onModelResult", "A model answered; carries the whole answer."),
  "tool.call": journal(
    "tool.call",
    "onToolExecutionStart",
    "A call passed or failed its gate.",
    "tool_execution_start",
  ),
  "tool.approval.requested": journal(
    "tool.approval.requested",
    "onToolApprovalRequested",
    "A person is asked about a call.",
  ),
  "tool.approval.decided": journal(
    "tool.approval.decided",
    "onToolApprovalDecided",
    "A person, a remembered answer or time decided.",
  ),
  "tool.intent": journal("tool.intent", "onToolIntent", "A writer is about to run."),
  "tool.outcome": journal("tool.outcome", "onToolOutcome", "A tool returned or failed; presentation follows."),
  "tool.result": journal(
    "tool.result",
    "onToolExecutionOutput",
    "The one result of a call, as the model reads it.",
    "tool_execution_output",
  ),
  "flow.decided": journal(
    "flow.decided",
    "onFlowDecided",
    "The flow policy decided about a call, and more is to be said than the rule that allowed it.",
  ),
  "flow.grants": journal("flow.grants", "onFlowGrants", "Leave was given in advance."),
  "flow.extract": journal("flow.extract", "onFlowExtract", "A quarantined value is read for the model."),
  "flow.lowered": journal("flow.lowered", "onFlowLowered", "A validator or a person vouches for a value or a call."),
  "input.requested": journal("input.requested", "onInputRequested", "A tool asks a person a question."),
  "input.answered": journal("input.answered", "onInputAnswered", "A tool's question was answered."),
  "sleep.begun": journal("sleep.begun", "onSleepBegun", "A tool sleeps until a time."),
  "sleep.ended": journal("sleep.ended", "onSleepEnded", "A sleep is over; the call begins again."),
  "child.suspended": journal("child.suspended", "onChildSuspended", "An agent used as a tool waits for a person."),
  "child.decided": journal("child.decided", "onChildDecided", "A person decided for an agent used as a tool."),
  "model.decided": journal("model.decided", "onModelDecided", "A person knows what became of a model call."),
  "signal.taken": journal("signal.taken", "onSignalTaken", "A message or command from outside reached the run."),
  "signal.dropped": journal("signal.dropped", "onSignalDropped", "A decision from outside fitted no open question."),
  "message.inserted": journal(
    "message.inserted",
    "onMessageInserted",
    "A message that no model and no tool made joined the conversation.",
  ),
  "catalogue.promoted": journal(
    "catalogue.promoted",
    "onCataloguePromoted",
    "Deferred tools are advertised from now on.",
  ),
  "state.changed": journal("state.changed", "onStateChanged", "A value of the session's state was written."),
  "state.conflict": journal(
    "state.conflict",
    "onStateConflict",
    "A value of the session's state replaced a newer one.",
  ),
  "state.saved": journal("state.saved", "onStateSaved", "Changed values of the session's state were saved."),
  "handoff.transfer": journal("handoff.transfer", "onHandoffTransfer", "The conversation went to another agent."),
  "guardrail.decided": journal("guardrail.decided", "onGuardrailDecided", "A guardrail gave its verdict."),
  "hook.failed": journal("hook.failed", "onHookFailed", "A callback failed; a deciding one counts as a refusal."),
  compaction: journal("compaction", "onCompaction", "The view of the conversation was shortened."),
  "memory.recalled": journal("memory.recalled", "onMemoryRecalled", "Memories joined what the model is given."),
  "secret.revealed": journal("secret.revealed", "onSecretRevealed", "A tool took a secret's value."),
  "secret.denied": journal("secret.denied", "onSecretDenied", "A tool was refused a secret."),
  "run.suspended": journal("run.suspended", "onRunSuspended", "The run waits for a person, or sleeps."),
  "run.end": journal("run.end", "onDone", "The run is over; always the last event.", "done"),
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

/**
 * Prints the event table as Markdown, for the reference.
 *
 * @example
 * ```ts
 * import { eventTableMarkdown } from "@bailiwick/core";
 *
 * console.log(eventTableMarkdown());
 * ```
 */
export function eventTableMarkdown(): string {
  const rows = Object.entries(eventTable).map(
    ([type, row]) =>
      `| \`${type}\` | ${row.kind} | \`${row.token}\` | \`${row.handler}\` | \`${row.bus}\` | ${row.meaning} |`,
  );
  return [
    "| event | kind | `onToken` type | `onToken` handler | bus | meaning |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
