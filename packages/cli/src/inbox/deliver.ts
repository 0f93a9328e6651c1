import type { Decision } from "@bailiwick/core";
import { isBusy } from "@bailiwick/core";
import { exitCodes } from "../exit-codes.ts";
import type { Terminal } from "../output/terminal.ts";
import { drive } from "../runs/drive.ts";
import type { OpenQuestion } from "./open-questions.ts";

/**
 * Delivers a decision. With the agent's code the run continues in this process; without it, or with `resume: false`,
 * the decision goes into the run's inbox for the process that drives it next.
 *
 * @returns the exit code.
 */
export async function deliver(
  terminal: Terminal,
  { open, found }: OpenQuestion,
  decision: Decision,
  resume: boolean,
): Promise<number> {
  const { reader, agent } = found;
  if (agent !== undefined && resume) {
    try {
      return await drive(terminal, agent, open.runId, [decision]);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return delivered("The process that drives the run takes it.");
    }
  }
  await reader.decide(open.runId, [decision]);
  return delivered(`A worker continues the run, or: bailiwick runs resume ${open.runId}`);

  function delivered(next: string): number {
    const isEdit = decision.type === "approve" && decision.args !== undefined;
    const checks = isEdit ? " The edited arguments are checked then; if they do not fit, the question stays open." : "";
    const row = { runId: open.runId, questionId: open.id, decision: decision.type, delivered: true };
    terminal.result(
      row,
      () =>
        `The decision (${decision.type.replaceAll("_", " ")}) is in the inbox of run ${open.runId}. ${next}${checks}`,
    );
    return exitCodes.done.code;
  }
}
