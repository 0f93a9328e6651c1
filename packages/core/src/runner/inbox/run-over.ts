import { RunError } from "../../errors/run-errors.ts";

/** The error for a message to a run that reads none any more: it would be lost. */
export function runIsOver(runId: string): RunError {
  return new RunError(
    "RUN_OVER",
    `Run "${runId}" has ended, so the message was not added. Start a new run with its session or messages; suspended and stopped runs take messages through the agent's steer() and followUp().`,
    { runId },
  );
}
