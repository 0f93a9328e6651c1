import type { ErrorData, Interruption, RunEvent, RunOutput, StoredRun } from "@bailiwick/core";
import { questionText } from "@bailiwick/core/questions";
import type { RunReport } from "../runs/served-agent.ts";
import { uiEncoder } from "../ui-stream/ui-encoder.ts";
import { textDeltas } from "./text-deltas.ts";

/** End of a run, as clients of these protocols receive it. */
export interface AnswerEnd {
  readonly output: {
    readonly runId: string;
    readonly status: StoredRun["state"];
    /** The code of the error, for a run without output. */
    readonly stopReason: string;
    readonly usage: RunOutput["usage"];
  };
  /** Set if the run failed or was cancelled. */
  readonly error: string | undefined;
  /** Text to append: the run's open questions, and the page to answer them. */
  readonly question: string;
  readonly interruptions: readonly Interruption[];
}

/** The text of a run while it grows. */
export interface AnswerText {
  /** The text that an event adds. */
  push(event: RunEvent): string;
  /** The text that was sent so far. */
  readonly text: string;
  /** The text without the parts of turns that were withdrawn. */
  readonly whole: string;
}

/** Makes the text of a run. */
export function answerText(runId: string): AnswerText {
  const encoder = uiEncoder({ runId });
  const deltas = textDeltas();
  return {
    get text(): string {
      return deltas.text;
    },
    get whole(): string {
      return deltas.whole;
    },
    push: (event) => encoder.push(event).map(deltas.take).join(""),
  };
}

/** Functions that make the words of an end. */
interface EndWords {
  /** The address where a person answers. */
  readonly questionUrl: (runId: string, questions: readonly Interruption[]) => string;
  readonly errorText: (error: ErrorData) => string;
}

/** The end of a run. */
export function answerEnd(
  { run, output, progress, events, interruptions }: RunReport,
  { questionUrl, errorText }: EndWords,
): AnswerEnd {
  const runId = run.id;
  const code = run.state === "stuck" ? "RUN_STUCK" : "RUN_HANDED_OVER";
  const { status, stopReason } = output ?? { status: run.state, stopReason: code };
  const end = events.findLast((event) => event.type === "run.end");
  const error = (end?.type === "run.end" ? end.error : undefined) ?? { name: "Error", code: stopReason, message: "" };
  const isOver = output === undefined || status === "failed" || status === "cancelled";
  return {
    output: { runId, status, stopReason, usage: progress.usage },
    error: isOver ? errorText(error) : undefined,
    question: interruptions.length === 0 ? "" : questionOf(interruptions, questionUrl(runId, interruptions)),
    interruptions,
  };
}

function questionOf(interruptions: readonly Interruption[], url: string): string {
  const lines = interruptions.map((one) =>
    one.kind === "client_tool" ? `The run waits for a client to run "${one.toolName}".` : questionText(one),
  );
  return `${lines.join("\n\n")}\n\nAnswer here: ${url}`;
}
