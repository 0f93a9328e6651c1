import { handleMailTask, mailOfSession } from "../agent/mail-session.ts";
import { continueRun, findUnfinished, type Continuation } from "../agent/unfinished-runs.ts";
import type { Desk } from "../desk.ts";
import { DeskError } from "../desk-error.ts";
import type { Command } from "./parse-command.ts";
import { exitCodes, reportOutcome, type Outcome } from "./report-outcome.ts";

/**
 * Runs the command of the command line.
 *
 * @param command - As it was parsed; not `help`.
 * @param desk - Open; the caller closes it.
 * @param continuation - Cancels the current run, and receives lines about a wait.
 * @throws MailboxError - `MAIL_NOT_FOUND`.
 * @throws DeskError - `NOTHING_TO_APPROVE`, `NOTHING_TO_ANSWER`.
 */
export async function runCommand(
  command: Exclude<Command, { name: "help" }>,
  desk: Desk,
  continuation: Continuation,
): Promise<Outcome> {
  switch (command.name) {
    case "list": {
      const mails = desk.mailbox.listMails();
      return done(
        mails,
        mails.map((mail) => [mail.id, mail.status.padEnd(8), mail.from.name, mail.subject].join("  ")),
      );
    }
    case "runs": {
      const rows = await desk.runs.list();
      return done(
        rows,
        rows.map((row) => [row.runId, row.status.padEnd(9), row.mailId ?? "", row.input].join("  ")),
      );
    }
    case "handle":
      return handle(command.mailId, desk, continuation);
    case "approve":
      return approve(command.runId, command.callId, desk);
    case "answer":
      return answer(command.runId, command.value, desk);
  }
}

/** Continues the unfinished run about a mail; starts one if there is none. */
async function handle(asked: string, desk: Desk, continuation: Continuation): Promise<Outcome> {
  const mailId = desk.mailbox.readMail(asked).id;
  const unfinished = await findUnfinished(desk, mailId);
  const { signal } = continuation;
  const output =
    unfinished === undefined
      ? await desk.agent.run(handleMailTask(mailId), { ...desk.runOptions(mailId), signal })
      : await continueRun(desk, unfinished, continuation);
  return reportOutcome(output, mailId);
}

async function approve(runId: string, callId: string | undefined, desk: Desk): Promise<Outcome> {
  const waiting = await desk.agent.interruptions(runId);
  const approvals = waiting.filter(
    (interruption) => interruption.kind === "approval" && (callId === undefined || interruption.toolCallId === callId),
  );
  if (approvals.length === 0) {
    const which = callId === undefined ? "" : ` for call ${callId}`;
    throw new DeskError(
      "NOTHING_TO_APPROVE",
      `Run ${runId} waits for no approval${which}. See what waits with: desk runs --json`,
    );
  }
  const output = await desk.agent.resume(
    runId,
    approvals.map((interruption) => interruption.approve({ channel: "cli" })),
  );
  return reportOutcome(output, mailOfSession(output.sessionId));
}

async function answer(runId: string, value: unknown, desk: Desk): Promise<Outcome> {
  const question = (await desk.agent.interruptions(runId)).find(({ kind }) => kind === "question");
  if (question === undefined) {
    throw new DeskError(
      "NOTHING_TO_ANSWER",
      `Run ${runId} waits with no question. See what waits with: desk runs --json`,
    );
  }
  const output = await desk.agent.resume(runId, [question.answer(value, { channel: "cli" })]);
  return reportOutcome(output, mailOfSession(output.sessionId));
}

function done(json: unknown, lines: readonly string[]): Outcome {
  return { exitCode: exitCodes.done, json, lines };
}
