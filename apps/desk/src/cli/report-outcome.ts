import type { InterruptionData, RunOutput } from "@bailiwick/core";
import { questionText } from "@bailiwick/core/questions";

/** Exit codes of the command line. */
export const exitCodes = { done: 0, failed: 1, suspended: 2 } as const;

/** The output and the exit code of a command. */
export interface Outcome {
  readonly exitCode: (typeof exitCodes)[keyof typeof exitCodes];
  /** Text for people. */
  readonly lines: readonly string[];
  /** One JSON value, for scripts. */
  readonly json: unknown;
}

/**
 * The outcome of a run, for people and for scripts.
 *
 * @param output - Of `run` or `resume`.
 * @param mailId - The mail it was about, when that is known.
 */
export function reportOutcome(output: RunOutput, mailId: string | null): Outcome {
  const { runId, status, stopReason, text, interruptions, toolCalls } = output;
  const json = {
    runId,
    mailId,
    status,
    stopReason,
    text,
    toolCalls: toolCalls.map(({ toolCallId, toolName, input, isError }) => ({ toolCallId, toolName, input, isError })),
    interruptions: interruptions.map((interruption) => ({ ...interruption })),
  };
  if (status === "suspended") {
    return {
      exitCode: exitCodes.suspended,
      json,
      lines: [
        `Run ${runId} waits for a person:`,
        ...interruptions.flatMap(describe),
        ...(interruptions.some(({ kind }) => kind === "question")
          ? [`To answer: npm run desk -- answer ${runId} '<json>'`]
          : []),
        ...(interruptions.some(({ kind }) => kind === "approval")
          ? [`To approve: npm run desk -- approve ${runId}`]
          : []),
      ],
    };
  }
  const done = status === "completed" || stopReason === "stop_condition";
  const lines = [text, ...(done ? [] : [`Run ${runId} ended as ${stopReason.replaceAll("_", " ")}.`])].filter(
    (line) => line !== "",
  );
  return { exitCode: done ? exitCodes.done : exitCodes.failed, json, lines };
}

function describe(interruption: InterruptionData): string[] {
  if (interruption.kind === "question") {
    const { question, toolName, answerJsonSchema = {} } = interruption;
    return [`  ${toolName} asks: ${question.title}`, `    an answer is ${JSON.stringify(answerJsonSchema)}`];
  }
  const { toolName, toolCallId, args } = interruption;
  const [title = "", ...facts] = questionText(interruption).split("\n");
  return [
    `  ${title}`,
    `    call ${toolCallId}: ${toolName}(${JSON.stringify(args)})`,
    ...facts.map((fact) => `      ${fact}`),
  ];
}
