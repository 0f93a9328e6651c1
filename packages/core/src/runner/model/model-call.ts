import type { Message } from "../../contracts/message.ts";
import type { ModelProvider, ModelSpec } from "../../contracts/model-provider.ts";
import type { OwnPrices } from "../../models/load-prices.ts";
import { requestHash } from "./request-hash.ts";
import { spendingOf, type Reservation } from "../limits/budgets.ts";
import { fitAfterOverflow } from "./fit-conversation.ts";
import { loopShare } from "../limits/loop-share.ts";
import { blockedByWindow, shownText, cleanLeaves } from "../answer/shown-text.ts";
import { CallbackError } from "../../user-code/call-user-code.ts";
import { attemptModelCall, type Attempt } from "./model-attempt.ts";
import {
  compileRequest,
  fixedTokens,
  planMessages,
  planTurn,
  type CompiledRequest,
  type TurnPlan,
} from "./model-request.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { followsResults } from "./empty-answer.ts";
import {
  acceptedAnswer,
  notSent,
  recordPartial,
  restart,
  withoutContent,
  type FailedAttempt,
  type Tries,
} from "./failed-attempt.ts";
import { largeMediaError } from "./large-media.ts";
import { isModelError, isOverflow, isTooLong } from "./model-error.ts";
import { chargeAnswer, highestPrices, unknownPrice, unknownSpending, warnOfOldPrice } from "./model-prices.ts";
import { retryDelay, retryPlan, sleep } from "./model-retry.ts";
import { normalizeResponse, scrubAnswer } from "./normalize-response.ts";
import { RunStoppedError } from "../limits/run-control.ts";
import { structuredStream, takeFinalAnswer } from "../answer/structured-output.ts";
import { unansweredModelCall } from "./unknown-model-call.ts";
import type { Run } from "../run.ts";
import { judgeMedia } from "../../history/media-rules.ts";
import { lazyPart } from "../../loading/lazy-part.ts";
import { typeOfBytes } from "../../providers/media.ts";
import { toBase64 } from "../../json/base64.ts";

/** Number of requests of one call that a vendor may refuse as too long: the next one has to fit. */
const mostRefusals = 5;

/**
 * Asks the model for the next answer and journals it. Retries, shortens a conversation until it fits, and tries the
 * fallback models. If a part of a failed answer was shown, the event `turn.restarted` withdraws it.
 *
 * @throws RunStoppedError with the reason, if there is no answer.
 */
export async function callModel(run: Run, turn: number): Promise<void> {
  const plan = await planTurn(run, turn);
  const models = [plan.model, ...(run.settings.fallback ?? []).map((spec: ModelSpec) => run.agent.resolveModel(spec))];
  const tries: Tries = {
    attempt: run.journal.state.openModelCall?.attempt ?? 0,
    retries: 0,
    startedAt: run.clock.now(),
    background: openBackground(run),
    prices: await run.agent.prices(),
  };
  let messages: readonly Message[] = [];
  for (const [index, model] of models.entries()) {
    const downloaded = model.capabilities.media !== undefined && (await downloadMedia(run, model, turn));
    if (index === 0 || downloaded) messages = await planMessages(run, plan);
    const large = largeMediaError(messages, model);
    const failed = large === undefined ? await askModel(run, plan, messages, model, tries) : notSent(large);
    if (failed === undefined) return;
    if (index === models.length - 1) fail(run, model, failed, tries);
    restart(run, plan.turn, model, failed, tries);
    run.warn({
      code: "model_fallback",
      message: `${model.provider}/${model.modelId} failed (${failed.error.message}); the next model of "fallback" is asked.`,
      subject: `${model.provider}/${model.modelId}`,
    });
  }
}

/** The answer that a vendor writes in the background for this turn, if an earlier process asked for one. */
function openBackground(run: Run): Tries["background"] {
  const { openModelCall, backgroundId: id } = run.journal.state;
  if (openModelCall === undefined || id === undefined) return undefined;
  return { id, model: openModelCall.model, provider: openModelCall.modelProvider };
}

/** Takes the id of an open answer in the background that belongs to a model: it is read once. */
function takeBackground(tries: Tries, { modelId, provider }: ModelProvider): string | undefined {
  const { background } = tries;
  if (background === undefined || background.model !== modelId || background.provider !== provider) return undefined;
  tries.background = undefined;
  return background.id;
}

/** Asks one model until it answers or its attempts are used up; returns the failure. */
async function askModel(
  run: Run,
  plan: TurnPlan,
  given: readonly Message[],
  model: ModelProvider,
  tries: Tries,
): Promise<FailedAttempt | undefined> {
  const retry = retryPlan(run.settings.retry, (error) => {
    reportFailure(run, "retry.retryableErrors", error, "The model call is not retried.");
    run.warn({
      code: "hook_failed",
      message: `The model call was not retried, because "retry.retryableErrors" failed: ${error.message}`,
      subject: "retry.retryableErrors",
    });
  });
  let messages = given;
  let retries = 0;
  let refusals = 0;
  let emptyAnswers = 0;
  for (;;) {
    run.view = messages;
    const compiled = compileRequest(run, plan, messages, model);
    const reserved = reserve(run, model, compiled, tries.prices);
    tries.attempt += 1;
    run.journal.record({
      type: "model.intent",
      turn: plan.turn,
      attempt: tries.attempt,
      model: model.modelId,
      modelProvider: model.provider,
      requestHash: requestHash(run, compiled.request, compiled.messages),
      hostedWriters: compiled.hostedWriters,
      tools: compiled.toolNames,
      ...(compiled.clientTools.length > 0 && { clientTools: compiled.clientTools }),
      ...(run.settings.contextCompactor !== undefined && { estimatedTokens: compiled.inputTokens() }),
    });
    // The results of the previous turn are committed with this intent: one commit.
    await run.journal.commit();
    run.answer.begin();
    const attempt = await attemptModelCall(
      run,
      model,
      reserved.request(compiled.request),
      { turn: plan.turn, attempt: tries.attempt, backgroundId: takeBackground(tries, model) },
      structuredStream(compiled.output, run.sink, !run.answer.holds, (value) => cleanLeaves(run, value)),
    );
    // Answers that arrive together must not all be processed in one turn of the event loop.
    await loopShare("continue");
    // A model that has nothing to add to the results of its tools is asked once more.
    const isLast = emptyAnswers > 0 || retries >= retry.maxRetries;
    const answer = acceptedAnswer(attempt, model, isLast && followsResults(compiled.messages));
    if (answer !== undefined) {
      await recordAnswer(run, plan, model, compiled, answer, reserved, tries);
      return undefined;
    }
    const failed = attempt.ok ? withoutContent(model, attempt) : attempt;
    if (attempt.ok) emptyAnswers += 1;
    reserved.settle({ tokens: 0, usd: 0 });
    if (stopIfOver(run, model, failed, compiled, tries)) return undefined;
    run.answer.drop();
    if (isOverflow(failed.error) && refusals < mostRefusals) {
      refusals += 1;
      const next = await fitAfterOverflow(run, {
        error: failed.error,
        model,
        estimated: compiled.inputTokens(),
        fixed: fixedTokens(run, plan),
        maxTokens: compiled.request.maxTokens,
        refusals,
      });
      if (next !== "again") return { ...failed, error: next };
      restart(run, plan.turn, model, failed, tries);
      messages = await planMessages(run, plan);
      continue;
    }
    const rejectedCall =
      isModelError(failed.error) && failed.error.code === "MODEL_TOOL_CALL_INVALID" ? failed.error : undefined;
    const delay = retryDelay(retry, failed.error, retries, `${run.runId}/${plan.turn}`);
    if ("giveUp" in delay) return { ...failed, error: delay.giveUp };
    restart(run, plan.turn, model, failed, tries);
    retries += 1;
    tries.retries += 1;
    await sleep(run, delay.delayMs);
    if (run.control.ending !== undefined) throw new RunStoppedError(run.control.ending);
    if (rejectedCall !== undefined) {
      tellRejectedCall(run, rejectedCall);
      messages = await planMessages(run, plan);
    }
  }
}

/** The vendor refused a call that its own model wrote: the model reads the reason, and writes it again. */
function tellRejectedCall(run: Run, error: Error): void {
  run.journal.record({
    type: "message.inserted",
    by: "repair",
    message: {
      id: `rejected-call:${run.ids.next("message")}`,
      role: "user",
      content: `Your tool call was rejected before it ran: ${error.message}\nCall the tool again, with its exact name and complete JSON arguments.`,
      timestamp: run.clock.now(),
    },
  });
}

interface Reserved extends Reservation {
  /** The request, with its output limited by the budget. */
  request(request: CompiledRequest["request"]): CompiledRequest["request"];
}

/** Reserves the highest possible cost of the request and its answer. */
function reserve(run: Run, model: ModelProvider, compiled: CompiledRequest, prices: OwnPrices): Reserved {
  const tokensLeft = run.budget.remainingTokens();
  const usdLeft = run.budget.remainingUsd();
  // Without a limit, here and in outer runs, no budget is reserved.
  if (tokensLeft === Infinity && usdLeft === Infinity)
    return { settle: (spent) => run.budget.book(spent), request: (request) => request };
  const inputTokens = compiled.inputTokens();
  const price = highestPrices(prices, model, compiled.request, inputTokens);
  if (usdLeft !== Infinity) {
    if (price === undefined) throw unknownPrice(prices, model, compiled.request);
    if (run.budget.hasUnknownCost()) throw unknownSpending();
    warnOfOldPrice(run, prices, model);
  }
  const promptUsd = price === undefined ? 0 : (inputTokens * price.input) / 1_000_000;
  const affordable =
    price === undefined || price.output === 0 ? Infinity : ((usdLeft - promptUsd) * 1_000_000) / price.output;
  const answerTokens = Math.floor(
    Math.min(compiled.request.maxTokens ?? Infinity, tokensLeft - inputTokens, affordable),
  );
  if (answerTokens < 1) throw new RunStoppedError({ reason: "budget_exhausted" });
  const bounded = Number.isFinite(answerTokens) ? answerTokens : 0;
  const usd = price === undefined ? undefined : promptUsd + (bounded * price.output) / 1_000_000;
  const reservation = run.budget.reserve({ tokens: inputTokens + bounded, usd });
  if (reservation === undefined) throw new RunStoppedError({ reason: "budget_exhausted" });
  return {
    settle: (spent) => reservation.settle(spent),
    request: (request) =>
      Number.isFinite(answerTokens) && request.maxTokens !== answerTokens
        ? { ...request, maxTokens: answerTokens }
        : request,
  };
}

async function recordAnswer(
  run: Run,
  plan: TurnPlan,
  model: ModelProvider,
  compiled: CompiledRequest,
  attempt: Extract<Attempt, { ok: true }>,
  reserved: Reservation,
  tries: Tries,
): Promise<void> {
  const received = normalizeResponse(attempt.response, run, model);
  const response = takeFinalAnswer(received, compiled.output);
  const costUsd = chargeAnswer(run, tries.prices, model, response);
  reserved.settle(spendingOf(response.usage, costUsd));
  const { secrets } = run.agent;
  const { message, exactArguments } = scrubAnswer(run.agent, response.message);
  const shown = shownText(run, response.message);
  run.journal.record({
    type: "model.result",
    turn: plan.turn,
    attempt: tries.attempt,
    message,
    exactArguments,
    shownText: shown,
    usage: response.usage,
    finishReason: response.finishReason,
    responseId: response.responseId,
    warnings: response.warnings,
    costUsd,
    durationMs: run.clock.now() - tries.startedAt,
    timeToFirstTokenMs: attempt.timeToFirstTokenMs,
    retries: tries.retries,
  });
  run.answer.finish(secrets === undefined ? response : secrets.scrub(response), shown);
  for (const part of run.points.onAnswer) await part.onAnswer(run, response, plan.turn);
}

/**
 * Ends the run if it was stopped while the model answered, or if the outcome of a hosted writer is unknown.
 *
 * @returns true if the model gets a message about the unknown outcome instead, which ends the turn.
 */
function stopIfOver(
  run: Run,
  model: ModelProvider,
  failed: FailedAttempt,
  compiled: CompiledRequest,
  tries: Tries,
): boolean {
  if (run.control.ending !== undefined) {
    recordPartial(run, model, failed, tries);
    throw new RunStoppedError(run.control.ending);
  }
  if (run.answer.blocked !== undefined) {
    const ending = blockedByWindow(run, run.answer.blocked);
    recordPartial(run, model, failed, tries);
    throw new RunStoppedError(ending);
  }
  const reached = !isModelError(failed.error) || failed.error.mayHaveRun;
  if (compiled.hostedWriters.length === 0 || !reached) return false;
  const asked = unansweredModelCall(run);
  if (asked !== undefined) throw new RunStoppedError(asked);
  return true;
}

function fail(run: Run, model: ModelProvider, failed: FailedAttempt, tries: Tries): never {
  recordPartial(run, model, failed, tries);
  const { cause } = failed.error;
  if (cause instanceof CallbackError) reportFailure(run, cause.callback, cause, "The run fails.");
  throw new RunStoppedError({ reason: isTooLong(failed.error) ? "context_overflow" : "failed", error: failed.error });
}

const downloads = lazyPart("The download of media", () => import("./download-media.ts"));

/**
 * Downloads the media of the conversation that are at addresses, if the model's server only accepts bytes.
 *
 * @returns true if the conversation changed.
 */
async function downloadMedia(run: Run, model: ModelProvider, turn: number): Promise<boolean> {
  const { messages } = run.journal.state;
  const holdsMedia = messages.some(
    ({ role, content }) =>
      (role === "user" || role === "tool") &&
      typeof content !== "string" &&
      content.some(({ type }) => type !== "text"),
  );
  if (!holdsMedia) return false;
  return downloads(({ downloadAll }) => downloadAll(run, model, turn, { judgeMedia, toBase64, typeOfBytes }));
}
