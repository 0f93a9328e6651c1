import type { Decision } from "@bailiwick/core";
import { isBusy } from "@bailiwick/core";
import { exitCodes } from "../exit-codes.ts";
import type { Terminal } from "../output/terminal.ts";
import { drive } from "../runs/drive.ts";
import type { OpenQuestion } from "./open-questions.ts";

/**
 * Delivers the decisions about a question, or about its batch. With the agent's code the run continues in this process;
 * without it, or with `resume: false`, they go into the run's inbox for the process that drives it next.
 *
 * @returns the exit code.
 */
export async function deliver(
  terminal: Terminal,
  { open, found }: OpenQuestion,
  decisions: readonly Decision[],
  resume: boolean,
): Promise<number> {
  const { reader, agent } = found;
  if (agent !== undefined && resume) {
    try {
      return await drive(terminal, agent, open.runId, decisions);
    } catch (error) {
      if (!isBusy(error)) throw error;
      return delivered(`The process that drives the run takes ${decisions.length === 1 ? "it" : "them"}.`);
    }
  }
  await reader.decide(open.runId, decisions);
  return delivered(`A worker continues the run, or: bailiwick runs resume ${open.runId}`);

  function delivered(next: string): number {
    const isEdit = decisions.some((one) => one.type === "approve" && one.args !== undefined);
    const type = decisions[0]?.type ?? "";
    const checks = isEdit ? " The edited arguments are checked then; if they do not fit, the question stays open." : "";
    const row = {
      runId: open.runId,
      questionId: open.id,
      questionIds: decisions.map(({ id }) => id),
      decision: type,
      delivered: true,
    };
    terminal.result(
      row,
      () =>
        `${decisions.length === 1 ? "The decision" : `Each of ${decisions.length} decisions`} (${type.replaceAll("_", " ")}) is in the inbox of run ${open.runId}. ${next}${checks}`,
    );
    return exitCodes.done.code;
  }
}
