import type { RunEvent, RunEventType } from "../contracts/run-event.ts";
import type { Tap } from "../events/event-bus.ts";
import { answerText } from "../history/answer-text.ts";
import type { Run } from "./run.ts";

/** Maximum length of one value in a line, in characters. */
const maxLength = 500;

/** Log line of one event; `undefined` for events that are not steps. */
function stepOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "run.start":
      return "starts";
    case "run.resumed":
      return "goes on";
    case "model.intent":
      return `turn ${event.turn}: asks ${event.modelProvider}/${event.model}${event.purpose === undefined ? "" : ` (${event.purpose})`}, attempt ${event.attempt}`;
    case "model.result": {
      const { inputTokens, outputTokens } = event.usage;
      const cost = event.costUsd === undefined ? "" : `, $${event.costUsd.toFixed(6)}`;
      const text = event.shownText ?? answerText(event.message);
      return `turn ${event.turn}: answered (${event.finishReason}, ${inputTokens} + ${outputTokens} tokens${cost}, ${event.durationMs} ms)${text === "" ? "" : `: ${cut(text)}`}`;
    }
    case "tool.call":
      return `turn ${event.turn}: calls ${event.toolName} ${cut(textOfValue(event.args))}`;
    case "tool.result": {
      const { toolName, isError, durationMs, error, output } = event.result;
      return `turn ${event.turn}: ${toolName} ${isError ? "failed" : "returned"} (${durationMs} ms): ${cut(isError ? (error?.message ?? "") : textOfValue(output))}`;
    }
    case "run.suspended":
      return `waits (${event.reason})`;
    case "run.end":
      return `ends: ${event.stopReason} (${event.durationMs} ms)${event.error === undefined ? "" : `: ${event.error.code}: ${event.error.message}`}`;
    default:
      return undefined;
  }
}

const steps: ReadonlySet<RunEventType> = new Set<RunEventType>([
  "run.start",
  "run.resumed",
  "model.intent",
  "model.result",
  "tool.call",
  "tool.result",
  "run.suspended",
  "run.end",
]);

/** Logs each step of a run through its logger, without secrets. Inner runs log their own. */
export function verboseTap(run: Pick<Run, "runId" | "logger" | "agent">): Tap {
  const { name, secrets } = run.agent;
  return {
    name: "The verbose log",
    wants: (type) => steps.has(type),
    take(event) {
      const step = stepOf(secrets?.scrub(event) ?? event);
      if (step !== undefined) run.logger.info(`[${name} ${run.runId}] ${step}`);
    },
  };
}

/** A text of at most 500 characters, which never ends in half a character. */
function cut(text: string): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const shown = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/u, "");
  return `${shown.toWellFormed()}… (${text.length} characters)`;
}

function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}
