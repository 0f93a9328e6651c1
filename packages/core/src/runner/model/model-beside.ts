import type { JsonSchema } from "../../contracts/json.ts";
import type { ModelProvider, ModelRequest } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { errorText } from "../../errors/error-text.ts";
import { spendingOf } from "../limits/budgets.ts";
import { toError } from "../../user-code/call-user-code.ts";
import { startModelSpan } from "../hooks/guarded-span.ts";
import { chargeAnswer, highestPrices } from "./model-prices.ts";
import { normalizeResponse } from "./normalize-response.ts";
import { requestHash } from "./request-hash.ts";
import { sentView } from "../../user-code/sent-views.ts";
import type { Run } from "../run.ts";

/** A model call outside the conversation: a summary, follow-ups, the planner. */
export interface BesideCall {
  readonly purpose: "follow_ups" | "summary" | "planner" | "extract";
  readonly model: ModelProvider;
  readonly system: string;
  readonly prompt: string;
  readonly schema?: JsonSchema | undefined;
  readonly maxTokens?: number | undefined;
  /** The tool call that it is made for. */
  readonly toolCallId?: string | undefined;
  /** Cancels it after this many milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Answer of a model call outside of the conversation. */
export interface BesideAnswer {
  readonly text: string;
  readonly response: ModelResponse;
}

/**
 * Makes a model call outside the conversation. Journaled, counted towards usage and budget, abortable; never retried
 * and never fatal.
 *
 * @returns `undefined` if it failed, was stopped, or does not fit the budget; a warning reports it.
 */
export async function callModelBeside(run: Run, call: BesideCall): Promise<BesideAnswer | undefined> {
  const { model, purpose } = call;
  const messages = [
    Object.freeze({ id: `${purpose}:system`, role: "system" as const, content: call.system }),
    Object.freeze({ id: `${purpose}:prompt`, role: "user" as const, content: call.prompt }),
  ];
  const native = call.schema !== undefined && model.capabilities.structuredOutput !== "none";
  const request: ModelRequest = {
    messages: [...messages],
    maxTokens: call.maxTokens,
    apiKey: run.options.apiKey,
    ...(native && call.schema !== undefined ? { output: { name: purpose, schema: sentView(call.schema) } } : {}),
  };
  const prices = await run.agent.prices();
  const inputTokens = run.estimate.messages(messages);
  const price = highestPrices(prices, model, request, inputTokens);
  const tokens = inputTokens + (call.maxTokens ?? 0);
  // A call whose cost cannot be known does not fit a budget in dollars.
  const hasNoPrice = run.budget.remainingUsd() !== Infinity && (price === undefined || run.budget.hasUnknownCost());
  const reserved = hasNoPrice
    ? undefined
    : run.budget.reserve({ tokens, usd: price && (tokens * price.input) / 1_000_000 });
  if (reserved === undefined)
    return failed(run, call, new Error(hasNoPrice ? `${model.modelId} has no price` : "it does not fit the budget"));
  const { turn } = run.journal.state;
  run.journal.record({
    type: "model.intent",
    turn,
    attempt: 1,
    model: model.modelId,
    modelProvider: model.provider,
    requestHash: requestHash(run, request, messages),
    hostedWriters: [],
    tools: [],
    purpose,
    toolCallId: call.toolCallId,
  });
  const startedAt = run.clock.now();
  const controller = new AbortController();
  const forget = run.control.onStop(() => controller.abort(run.control.signal.reason));
  const { timeoutMs } = call;
  const timer =
    timeoutMs === undefined
      ? undefined
      : run.timers.after(timeoutMs, () => controller.abort(new Error(`it took longer than ${timeoutMs} ms`)));
  const span = startModelSpan(run, model, request, purpose);
  const ask = (): Promise<ModelResponse> =>
    model.generate({ ...request, messages: messages.slice(), signal: controller.signal, fetch: run.agent.fetch });
  try {
    const response = normalizeResponse(await (span === undefined ? ask() : span.within(ask)), run, model);
    span?.end(response);
    const costUsd = chargeAnswer(run, prices, model, response);
    reserved.settle(spendingOf(response.usage, costUsd));
    run.journal.record({
      type: "model.result",
      turn,
      attempt: 1,
      message: response.message,
      usage: response.usage,
      finishReason: response.finishReason,
      warnings: response.warnings,
      costUsd,
      durationMs: run.clock.now() - startedAt,
      retries: 0,
      purpose,
      toolCallId: call.toolCallId,
    });
    return { text: textOfContent(response.message.content), response };
  } catch (thrown) {
    reserved.settle({ tokens: 0, usd: 0 });
    const error = toError(thrown);
    span?.end(undefined, error);
    return failed(run, call, error);
  } finally {
    timer?.cancel();
    forget();
  }
}

function failed(run: Run, call: BesideCall, error: Error): undefined {
  const message = `The model call for "${call.purpose}" of run ${run.runId} gave nothing: ${errorText(error)}. The run continues without it.`;
  run.warn({ code: "beside_call_failed", message, subject: call.purpose });
  return undefined;
}

/** The JSON object in an answer of a model. */
export function parseObject(text: string): unknown {
  return JSON.parse(/\{[\s\S]*\}/.exec(text)?.[0] ?? text) as unknown;
}
