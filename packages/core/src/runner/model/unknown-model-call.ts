import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import { DecisionError } from "../../errors/run-errors.ts";
import { bareQuestion } from "../../journal/bare-question.ts";
import { noUsage } from "../../journal/fold-model.ts";
import type { RunState } from "../../journal/run-state.ts";
import { interruption } from "../interruption.ts";
import type { Ending } from "../limits/run-control.ts";
import type { Run } from "../run.ts";

/** Validity of a question about an unknown outcome, in milliseconds. */
const openForMs = 7 * 24 * 3_600_000;

/**
 * The question about a model call that may have run a hosted writer: the call has an intent and no result. Derived
 * from the journal alone, so that every process asks the same question.
 */
export function modelCallQuestion(state: RunState): InterruptionData | undefined {
  const intent = state.openModelCall;
  // An answer in the background is looked up by its id.
  if (intent === undefined || intent.hostedWriters.length === 0 || state.backgroundId !== undefined) return undefined;
  const id = `${intent.runId}/${intent.key}`;
  // After the decision "it did not happen", the model is called again under the next attempt.
  if (state.decided.has(id)) return undefined;
  return {
    kind: "unknown_outcome",
    id,
    runId: intent.runId,
    agentName: state.activeAgent,
    agentPath: [state.activeAgent],
    toolCallId: intent.key,
    toolName: intent.hostedWriters.join(","),
    args: { model: `${intent.modelProvider}/${intent.model}`, hostedTools: intent.hostedWriters },
    question: bareQuestion(
      `The request may have reached ${intent.modelProvider}, where ${intent.hostedWriters.join(", ")} can change things, and no answer came. Did that happen?`,
      "The process stopped while it waited for the model, so no record says if the hosted tool ran.",
      intent.key,
    ),
    argsHash: intent.requestHash,
    definitionHash: state.definitionHash,
    requestedAt: intent.at,
    expiresAt: intent.at + openForMs,
  };
}

/**
 * Handles a run whose model call may have run a hosted writer: a person decides, or, with `onUnknownOutcome:
 * "tell-model"`, the model gets a message and the run continues.
 *
 * @returns `undefined` if there is no such call, or the model gets a message.
 */
export function unansweredModelCall(run: Run): Ending | undefined {
  const question = modelCallQuestion(run.journal.state);
  if (question === undefined) return undefined;
  if (run.settings.onUnknownOutcome !== "tell-model")
    return { reason: "awaiting_outcome", interruptions: [interruption(question)] };
  answerModelCall(run, { id: question.id, type: "give_up" }, "tell-model");
  return undefined;
}

/**
 * Checks an answer to the question about a model call.
 *
 * @throws DecisionError `DECISION_KIND` for an answer to another kind of question.
 */
export function checkModelAnswer(run: Pick<Run, "runId">, decision: Decision): void {
  if (["it_happened", "it_did_not_happen", "give_up"].includes(decision.type)) return;
  throw new DecisionError(
    "DECISION_KIND",
    decision.id,
    `"${decision.type}" does not answer what happened to a model call. Nothing changed.`,
    {
      runId: run.runId,
    },
  );
}

/** Applies a person's decision about a model call: it is repeated, or counts as answered. */
export function answerModelCall(run: Run, decision: Decision, via: string): void {
  const intent = run.journal.state.openModelCall;
  if (intent === undefined) return;
  run.journal.record({ type: "model.decided", turn: intent.turn, attempt: intent.attempt, decision, via });
  if (decision.type !== "it_happened" && decision.type !== "give_up") return;
  const text =
    decision.type === "it_happened"
      ? `[The request was carried out; its answer was lost.${decision.output === undefined ? "" : ` What is known: ${asText(decision.output)}`}]`
      : `[Whether the request was carried out is not known.${decision.reason === undefined ? "" : ` ${decision.reason}`}]`;
  run.journal.record({
    type: "model.result",
    turn: intent.turn,
    attempt: intent.attempt,
    message: {
      id: run.ids.next("message"),
      role: "assistant",
      content: [{ type: "text", text }],
      toolCalls: [],
      finishReason: "other",
      provenance: { provider: intent.modelProvider, api: "", model: intent.model },
      partial: true,
    },
    usage: noUsage,
    finishReason: "other",
    warnings: [],
    durationMs: 0,
    retries: 0,
    error: { name: "UnknownOutcome", code: "UNKNOWN_OUTCOME", message: text },
  });
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
