import type { SchemaIssue } from "../../contracts/schema.ts";
import { endsRefused } from "../../journal/refused-calls.ts";
import { OutputValidationError } from "../../errors/run-errors.ts";
import { answerText } from "../../history/answer-text.ts";
import { endedByPart, failedAnswer, awaitInputVerdict } from "./finish-turn.ts";
import { askGuardrails, askSchema, tripped } from "../hooks/hooks-runner.ts";
import type { Ending } from "../limits/run-control.ts";
import { runOutput } from "../answer/run-output.ts";
import { blockedByWindow, retract, cleanLeaves, filtered } from "../answer/shown-text.ts";
import { statusOf } from "../stop-reason.ts";
import { insertPending } from "../inbox/signals.ts";
import {
  planOutput,
  readStructured,
  repairPrompt,
  type OutputPlan,
  type StructuredAnswer,
} from "../answer/structured-output.ts";
import type { Run, StepResult } from "../run.ts";

/** Marks the message that requests a corrected answer, so that it is sent once. */
const repairPrefix = "repair:";

/** Issues of a truncated answer: they report the truncation instead of the syntax error that it caused. */
const truncationIssues: readonly SchemaIssue[] = [
  { path: "", message: "the answer was truncated at the output limit; give a shorter answer" },
];

/** Decides about an answer without calls: continue with a waiting message, request a correction, or end. */
export async function finishAnswer(run: Run): Promise<StepResult> {
  await awaitInputVerdict(run);
  const unanswered = noAnswer(run);
  if (unanswered !== undefined) {
    if (unanswered.reason === "refused") return { ending: await guarded(run, unanswered) };
    run.answer.drop();
    return { ending: unanswered };
  }
  const ending = await endedByPart(run, true);
  if (ending !== undefined) return { ending: await guarded(run, ending) };
  if (insertPending(run, true)) {
    run.answer.release();
    return { next: "ask" };
  }
  const text = filtered(run, answerText(run.journal.state.lastAnswer));
  for (const part of run.points.beforeEnd) {
    if (!(await part.beforeEnd(run, text))) continue;
    run.answer.release();
    return { next: "ask" };
  }
  const truncated = isTruncated(run);
  if (run.output === undefined) {
    // The program of a composition returned it.
    const { structured } = (run.journal.state.lastAnswer?.providerState ?? {}) as { readonly structured?: unknown };
    return completed(run, {
      reason: truncated ? "truncated" : "completed",
      text,
      // The text has passed the filter, so a value that is a text is this text.
      ...(run.agent.role === "composition" && { structured: typeof structured === "string" ? text : structured }),
    });
  }
  const plan = planFor(run, run.output);
  const answer = await structuredOf(run, answerText(run.journal.state.lastAnswer), plan);
  if (answer.ok) return completed(run, { reason: "completed", text, structured: answer.value });
  if (wasRepaired(run)) {
    if (truncated) return completed(run, { reason: "truncated", text });
    run.answer.drop();
    return {
      ending: { reason: "failed", text, error: new OutputValidationError(text, answer.issues, { runId: run.runId }) },
    };
  }
  run.answer.drop();
  run.journal.record({
    type: "message.inserted",
    by: "repair",
    message: {
      id: `${repairPrefix}${run.ids.next("message")}`,
      role: "user",
      content: repairPrompt(truncated ? truncationIssues : answer.issues),
      timestamp: run.clock.now(),
    },
  });
  return { next: "ask" };
}

/** An answer ends the run, unless a message arrived while the guardrails checked it. */
async function completed(run: Run, answered: Ending): Promise<StepResult> {
  const given = afterRefusal(run, answered);
  const ending = await guarded(run, given);
  return ending.reason === given.reason && insertPending(run, true) ? { next: "ask" } : { ending };
}

/** An answer may claim an act that was refused: a run whose last call was refused for good does not count as completed. */
function afterRefusal(run: Run, ending: Ending): Ending {
  if (ending.reason !== "completed" || !endsRefused(run.journal.state)) return ending;
  return { reason: "policy_denied", text: ending.text };
}

/** Endings of answers without content: refused, failed. */
function noAnswer(run: Run): Ending | undefined {
  const { lastAnswer } = run.journal.state;
  if (lastAnswer === undefined) return { reason: "failed", error: failedAnswer(run) };
  if (lastAnswer.finishReason === "error") return { reason: "failed", error: failedAnswer(run) };
  const refusal = lastAnswer.content.flatMap((part) => (part.type === "refusal" ? [part.text] : [])).join("");
  if (lastAnswer.finishReason === "content_filter" || (refusal !== "" && answerText(lastAnswer) === "")) {
    return { reason: "refused", text: answerText(lastAnswer) || refusal };
  }
  return undefined;
}

/** Returns true if the last answer ended at the output limit, and warns about it. */
function isTruncated(run: Run): boolean {
  if (run.journal.state.lastAnswer?.finishReason !== "length") return false;
  run.warn({
    code: "answer_truncated",
    message: "The answer was truncated at the output limit. Raise maxTokens, or ask for a shorter answer.",
  });
  return true;
}

function planFor(run: Run, output: NonNullable<Run["output"]>): OutputPlan {
  const model = run.agent.model;
  return planOutput(output, model, false, (name) => run.catalogue.get(name) !== undefined);
}

function wasRepaired(run: Run): boolean {
  const { messages } = run.journal.state;
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return (
    messages
      .slice(0, answer)
      .findLast(({ role }) => role === "user")
      ?.id.startsWith(repairPrefix) === true
  );
}

/** Calls the output guardrails about an ending, and shows or withdraws the held text. */
async function guarded(run: Run, ending: Ending): Promise<Ending> {
  const guardrails = run.settings.guardrails?.output ?? [];
  const { blocked } = run.answer;
  if (blocked !== undefined) return blockedByWindow(run, blocked);
  if (guardrails.length === 0) {
    run.answer.release();
    return withAdditions(run, ending);
  }
  const { state } = run.journal;
  const text = ending.text ?? filtered(run, answerText(state.lastAnswer));
  const output = (current: string): ReturnType<typeof runOutput> =>
    runOutput(state, {
      status: statusOf[ending.reason],
      stopReason: ending.reason,
      text: current,
      structured: ending.structured,
      durationMs: run.activeMs(),
      interruptions: [],
      warnings: run.warnings,
    });
  const asked = guardrails.map((guardrail) => ({
    name: guardrail.name,
    validate: (current: string) => guardrail.validate(output(current), run.context),
  }));
  const verdict = await askGuardrails<string>(run, "output", asked, text);
  if (verdict.blocked !== undefined) {
    retract(run, verdict.blocked);
    return { reason: "guardrail_blocked", text: "", error: tripped(run, "output", verdict) };
  }
  if (!verdict.replaced) {
    run.answer.release();
    return withAdditions(run, { ...ending, text });
  }
  const withdrawn = run.answer.shown && !run.answer.continues(verdict.value);
  if (withdrawn && run.sink.wants("guardrail.retracted")) {
    run.sink.show({ type: "guardrail.retracted", name: "replace", reason: "A guardrail replaced the answer." });
  }
  run.answer.replace(verdict.value);
  return withAdditions(run, await structuredAgain(run, { ...ending, text: verdict.value }));
}

async function structuredOf(run: Run, text: string, plan: OutputPlan): Promise<StructuredAnswer> {
  const read = (): Promise<StructuredAnswer> => readStructured(text, plan, (value) => cleanLeaves(run, value));
  return askSchema(run, "the schema of the answer", read);
}

async function structuredAgain(run: Run, ending: Ending): Promise<Ending> {
  if (run.agent.role === "composition") return { ...ending, structured: valueOf(ending) };
  if (run.output === undefined || ending.structured === undefined) return ending;
  const text = ending.text ?? "";
  const answer = await structuredOf(run, text, planFor(run, run.output));
  if (answer.ok) return { ...ending, structured: answer.value };
  return { reason: "failed", text, error: new OutputValidationError(text, answer.issues, { runId: run.runId }) };
}

/** The value of a text that replaced the answer of a composition: JSON, if the answer was. */
function valueOf({ text = "", structured }: Ending): unknown {
  if (typeof structured === "string") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The parts of the run add to the ending of a completed one. */
async function withAdditions(run: Run, ending: Ending): Promise<Ending> {
  if (ending.reason !== "completed") return ending;
  let whole = ending;
  for (const part of run.points.onCompleted) whole = { ...whole, ...(await part.onCompleted(run)) };
  return whole;
}
