import type { Remembering } from "@bailiwick/core";
import { Argument, Option, type Command } from "commander";
import { exitCodes } from "../exit-codes.ts";
import { checkKind, confirmSuspicious, parseJson, settlement, type SettledOutcome } from "../inbox/decide.ts";
import { deliver } from "../inbox/deliver.ts";
import { describeQuestions } from "../questions/describe-question.ts";
import { batchOf, findQuestion, openQuestions, type OpenQuestion } from "../inbox/open-questions.ts";
import { questionRow } from "../questions/question-row.ts";
import { ofTenants } from "../entry/owner.ts";
import { usageError } from "../command-error.ts";
import { targetAction, withOwner } from "./context.ts";

interface InboxOptions {
  readonly run?: string | undefined;
  readonly by?: string | undefined;
  readonly resume: boolean;
}

const batchMeans = "decide every call on the card: those that differ from this one only in their values";

/** A queued run has a decision or a message in its inbox that no process has taken yet. */
function untakenLines(questions: readonly OpenQuestion[]): readonly string[] {
  const queued = new Set(
    questions.filter(({ found }) => found.run.state === "queued").map(({ found }) => found.run.id),
  );
  return [...queued].map(
    (runId) =>
      `The inbox of run ${runId} has a decision or a message for the next process that drives it. Continue the run: bailiwick runs resume ${runId}`,
  );
}

/** Adds `bailiwick inbox`. */
export function addInboxCommands(program: Command): void {
  const inbox = program.command("inbox").description("see the questions that runs wait for, and decide them");

  withOwner(inbox.command("list"))
    .description("list open questions, oldest first")
    .option("--run <run>", "only questions of this run")
    .action(
      targetAction<{ run?: string }>(async ({ terminal, target, options }) => {
        const found = await openQuestions(target, options);
        terminal.result(
          found.map(({ open }) => questionRow(open)),
          () =>
            found.length === 0
              ? `No run waits for a decision.${ofTenants(options.tenant)}`
              : [
                  describeQuestions(
                    terminal,
                    found.map(({ open }) => open),
                  ),
                  ...untakenLines(found),
                ].join("\n\n"),
        );
        return exitCodes.done.code;
      }),
    );

  withDecision(inbox.command("approve <question>"))
    .description("let the call run")
    .option("--args <json>", "other arguments for the call; they are checked again")
    .addOption(
      new Option(
        "--remember <what>",
        "do not ask again for the same call, the tool, or the same values, where the question offers it",
      ).choices(["call", "tool", "values"]),
    )
    .option("--batch", batchMeans)
    .option("--yes-suspicious", "approve a question that is marked as suspicious")
    .action(
      targetAction<InboxOptions & { args?: string; remember?: Remembering; batch?: true; yesSuspicious?: boolean }>(
        async ({ terminal, target, options }, id = "") => {
          const { args, remember } = options;
          const edited = args === undefined ? undefined : parseJson(args, "--args");
          if (args !== undefined && options.batch === true)
            throw usageError("--args edits one call, so it cannot be used with --batch.");
          const question = await findQuestion(target, id, options);
          checkKind(question.open, ["approval"], "approve");
          const batch = options.batch === true ? await batchOf(question) : [question.open];
          await confirmSuspicious(terminal, question.open, options.yesSuspicious === true);
          const decisions = batch.map((open) =>
            open.approve({
              ...originOf(options),
              ...(args !== undefined && { args: edited }),
              ...(remember !== undefined && { remember }),
            }),
          );
          return deliver(terminal, question, decisions, options.resume);
        },
      ),
    );

  withDecision(inbox.command("reject <question>"))
    .description("refuse the call; the model gets the reason")
    .option("--reason <text>", "the reason, which the model reads")
    .option("--batch", batchMeans)
    .action(
      targetAction<InboxOptions & { reason?: string; batch?: true }>(async ({ terminal, target, options }, id = "") => {
        const question = await findQuestion(target, id, options);
        checkKind(question.open, ["approval"], "reject");
        const batch = options.batch === true ? await batchOf(question) : [question.open];
        const decisions = batch.map((open) => open.reject(options.reason, originOf(options)));
        return deliver(terminal, question, decisions, options.resume);
      }),
    );

  withDecision(inbox.command("answer <question>"))
    .description("answer a question of a tool, or give the output of a client tool")
    .option("--value <json>", "the answer as JSON")
    .option("--text <text>", "the answer as text")
    .action(
      targetAction<InboxOptions & { value?: string; text?: string }>(async ({ terminal, target, options }, id = "") => {
        const { value, text } = options;
        if ((value === undefined) === (text === undefined)) throw usageError("Pass --value with JSON, or --text.");
        const answer = value === undefined ? text : parseJson(value, "--value");
        const question = await findQuestion(target, id, options);
        checkKind(question.open, ["question", "client_tool"], "answer");
        return deliver(terminal, question, [question.open.answer(answer, originOf(options))], options.resume);
      }),
    );

  withDecision(inbox.command("settle <question>"))
    .description("report what happened to a call whose outcome is unknown")
    .addArgument(new Argument("<outcome>", "what happened to it").choices(["happened", "did-not-happen", "give-up"]))
    .option("--output <json>", "output of the call, if it happened")
    .action(
      targetAction<InboxOptions & { output?: string }>(async ({ terminal, target, options }, id = "", outcome = "") => {
        if (options.output !== undefined && outcome !== "happened")
          throw usageError('--output belongs to the outcome "happened".');
        const output = options.output === undefined ? undefined : parseJson(options.output, "--output");
        const question = await findQuestion(target, id, options);
        checkKind(question.open, ["unknown_outcome"], "settle");
        const decision = settlement(question.open, outcome as SettledOutcome, output, originOf(options));
        return deliver(terminal, question, [decision], options.resume);
      }),
    );
}

function withDecision(command: Command): Command {
  return withOwner(command)
    .option("--run <run>", "the run that asks; needed only where there are many runs")
    .option("--by <name>", "who decides; kept in the journal")
    .option("--no-resume", "deliver the decision, and leave the run to a worker");
}

function originOf({ by }: InboxOptions): { readonly channel: string; readonly decidedBy?: string } {
  return { channel: "cli", ...(by !== undefined && { decidedBy: by }) };
}
