import type { RunEventType } from "../contracts/run-event.ts";
import { eventTable } from "./event-table.ts";

/** A sentence for each event. They are separate from the table, so that an agent in a browser does not load them. */
const meanings: { readonly [Type in RunEventType]: string } = {
  text: "A piece of the answer's text.",
  thinking: "A piece of the model's reasoning.",
  tool_call_start: "The model begins to write a call.",
  tool_call_delta: "A piece of a call's arguments.",
  tool_call_end: "A call's arguments are complete.",
  source: "A citation of the answer.",
  file: "A file that the model made.",
  raw: "A vendor's own event, with `includeRawEvents`.",
  finish: "A streamed model call ended; carries the whole answer.",
  warning: "Something was changed or dropped without failing the run.",
  "tool.progress": "A tool reports how far it is.",
  "tool.partial": "A tool shows a piece of its output.",
  "structured.delta": "The structured answer as far as it has arrived.",
  "agent.event": "An event of an agent that runs inside a tool call.",
  "observer.lagging": "The consumer of the events was too slow and lost live events.",
  "guardrail.retracted": "Text that was shown is withdrawn.",
  "turn.restarted": "A model call failed and is repeated: what was shown of the turn is withdrawn.",
  "run.start": "The run begins.",
  "run.resumed": "A process continues the run.",
  "run.definition_changed": "The agent was changed since the run began.",
  "model.intent": "A model call begins.",
  "model.started": "The vendor writes an answer in the background.",
  "model.result": "A model answered; carries the whole answer.",
  "tool.call": "A call passed or failed its gate.",
  "tool.approval.requested": "A person is asked about a call.",
  "tool.approval.decided": "A person, a remembered answer or time decided.",
  "tool.intent": "A writer is about to run.",
  "tool.outcome": "A tool returned or failed; presentation follows.",
  "tool.result": "The one result of a call, as the model reads it.",
  "flow.decided": "The flow policy decided about a call, with a verdict, a rule and an explanation.",
  "flow.grants": "Grants were given in advance.",
  "flow.extract": "A quarantined value is read for the model.",
  "flow.lowered": "A validator endorsed a value, or a person approved a call against a rule.",
  "input.requested": "A tool asks a person a question.",
  "input.answered": "A tool's question was answered.",
  "sleep.begun": "A call sleeps until a time.",
  "sleep.ended": "A sleep is over; the call begins again.",
  "child.suspended": "An agent used as a tool waits for a person.",
  "child.decided": "A person decided for an agent used as a tool.",
  "model.decided": "A person reports what happened to a model call.",
  "signal.taken": "A message or command from outside reached the run.",
  "signal.dropped": "A decision from outside matched no open question.",
  "message.inserted": "A message from outside the model and the tools joined the conversation.",
  "catalogue.promoted": "Deferred tools are advertised from now on.",
  "state.changed": "A value of the session's state was written.",
  "state.conflict": "A value of the session's state replaced a newer one.",
  "state.saved": "Changed values of the session's state were saved.",
  "handoff.transfer": "The conversation went to another agent.",
  "guardrail.decided": "A guardrail gave its verdict.",
  "hook.failed": "A callback failed; a deciding one counts as a refusal.",
  compaction: "The conversation was shortened for the model.",
  "memory.recalled": "Memories joined the model's input.",
  "media.fetched": "A file at an address was downloaded for the model, or could not be.",
  "secret.revealed": "A tool took a secret's value.",
  "secret.denied": "A tool was refused a secret.",
  "run.suspended": "The run waits for a person, or sleeps.",
  "run.end": "The run is over; always the last event.",
};

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
      `| \`${type}\` | ${meanings[type as RunEventType]} | ${row.kind} | \`${row.token}\` | \`${row.handler}\` | \`${row.bus}\` |`,
  );
  return [
    "| event | meaning | kind | `onToken` type | `onToken` handler | bus |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
