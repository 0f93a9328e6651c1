import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import type { OwnPrices } from "../../models/load-prices.ts";
import { toErrorData } from "../../errors/error-text.ts";
import { shownText } from "../answer/shown-text.ts";
import type { Run } from "../run.ts";
import { emptyAnswerError, emptyAnswerWarning, isEmptyAnswer } from "./empty-answer.ts";
import { partialMessage, type Attempt } from "./model-attempt.ts";
import { chargeAnswer } from "./model-prices.ts";
import type { AssistantMessage } from "../../contracts/message.ts";

/** An attempt of a model call without an answer that counts. */
export type FailedAttempt = Extract<Attempt, { ok: false }>;

/** Counts over all attempts of one turn. */
export interface Tries {
  attempt: number;
  retries: number;
  readonly startedAt: number;
  /** An answer in the background that an earlier process asked for; the first attempt of its model reads it. */
  background: { readonly id: string; readonly model: string; readonly provider: string } | undefined;
  readonly prices: OwnPrices;
}

/** The answer that ends the turn, if there is one; an empty one counts only if `mayBeEmpty`, and carries a warning. */
export function acceptedAnswer(
  attempt: Attempt,
  model: ModelProvider,
  mayBeEmpty: boolean,
): Extract<Attempt, { ok: true }> | undefined {
  if (!attempt.ok) return undefined;
  const { response } = attempt;
  // A custom provider may answer with nothing at all, which is refused when the answer is normalized.
  if (!isEmptyAnswer(response ?? {})) return attempt;
  if (!mayBeEmpty) return undefined;
  return { ...attempt, response: { ...response, warnings: [...response.warnings, emptyAnswerWarning(model)] } };
}

/** A request that was refused before it was sent. */
export function notSent(error: Error): FailedAttempt {
  return { ok: false, error, shown: false, partial: [], received: undefined, openCalls: [] };
}

/** An answer without content, as a failure. */
export function withoutContent(
  model: ModelProvider,
  { response, shown }: Extract<Attempt, { ok: true }>,
): FailedAttempt {
  const error = emptyAnswerError(model, response);
  return { ok: false, error, shown, partial: [], received: response, openCalls: [] };
}

/**
 * The turn is asked again. Pages drop the shown part of the failed answer; its calls never ran. What the vendor counted
 * for it is journaled as spent.
 */
export function restart(run: Run, turn: number, model: ModelProvider, failed: FailedAttempt, tries: Tries): void {
  const { received, error } = failed;
  if (failed.shown && run.sink.wants("turn.restarted"))
    run.sink.show({ type: "turn.restarted", turn, attempt: tries.attempt, error: toErrorData(error) });
  if (received === undefined || received.usage.totalTokens === 0) return;
  const { usage, responseModel, responseId } = received;
  const message = partialMessage(run, model, failed);
  const { secrets } = run.agent;
  run.journal.record({
    type: "model.result",
    purpose: "restarted",
    turn,
    attempt: tries.attempt,
    message: secrets === undefined ? message : secrets.scrub(message),
    usage,
    finishReason: "error",
    responseId,
    warnings: [],
    costUsd: chargeAnswer(run, tries.prices, model, { usage, responseModel }),
    // The result of the turn has the time of all its attempts.
    durationMs: 0,
    retries: 0,
    error: toErrorData(error),
  });
}

/**
 * Journals the part that had arrived, so that a failed or aborted run keeps its partial answer and its usage, as
 * reported by the vendor if possible.
 */
export function recordPartial(run: Run, model: ModelProvider, failed: FailedAttempt, tries: Tries): void {
  for (const toolCallId of failed.openCalls)
    if (run.sink.wants("tool_call_end")) run.sink.show({ type: "tool_call_end", toolCallId });
  const { received } = failed;
  if (failed.partial.length === 0 && !failed.shown && received === undefined) return;
  const message = partialMessage(run, model, failed);
  const counted = received !== undefined && received.usage.totalTokens > 0;
  const usage = counted ? received.usage : estimatedUsage(run, message);
  const response: ModelResponse = { message, usage, finishReason: "error", raw: undefined, warnings: [] };
  const { secrets } = run.agent;
  const shown = shownText(run, message);
  run.journal.record({
    type: "model.result",
    turn: run.journal.state.openModelCall?.turn ?? run.journal.state.turn,
    attempt: tries.attempt,
    message: secrets === undefined ? message : secrets.scrub(message),
    shownText: shown,
    usage,
    finishReason: "error",
    responseId: received?.responseId,
    warnings: counted
      ? received.warnings
      : [{ code: "usage_estimated", message: "The answer broke off, so its usage is an estimate." }],
    costUsd: chargeAnswer(run, tries.prices, model, { usage, responseModel: received?.responseModel }),
    durationMs: run.clock.now() - tries.startedAt,
    retries: tries.retries,
    error: toErrorData(failed.error),
  });
  run.answer.finish(secrets === undefined ? response : secrets.scrub(response), shown);
  run.answer.drop();
}

function estimatedUsage(run: Run, message: AssistantMessage): TokenUsage {
  const inputTokens = run.estimate.messages(run.view);
  const outputTokens = run.estimate.message(message);
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}
