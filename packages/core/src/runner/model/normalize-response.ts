import type { FinishReason } from "../../contracts/finish-reason.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ModelResponse } from "../../contracts/model-response.ts";
import type { TokenUsage } from "../../contracts/token-usage.ts";
import { ModelResponseError } from "../../errors/model-errors.ts";
import type { ExactArguments } from "../../contracts/journal-event.ts";
import type { AssistantMessage } from "../../contracts/message.ts";
import { copyOfGiven } from "../../user-code/copies.ts";
import type { Agent, Run } from "../run.ts";

/**
 * Completes an answer if a provider left something out: a missing usage must not fail a run that has an answer.
 *
 * @throws ModelResponseError for an answer without a message, or whose message has no lists of parts and calls: it
 * cannot be journaled.
 */
export function normalizeResponse(response: ModelResponse | undefined, run: Run, model: ModelProvider): ModelResponse {
  // A custom provider may return anything, so every field is checked.
  const given: Partial<ModelResponse> = response ?? {};
  // A provider may keep its answer and change it.
  const message = copyOfGiven(messageOf(given, model));
  const usage = normalizeUsage(given.usage);
  const finishReason: FinishReason =
    given.finishReason ?? message.finishReason ?? (message.toolCalls.length > 0 ? "tool_calls" : "stop");
  return {
    ...given,
    raw: given.raw,
    usage,
    finishReason,
    warnings: given.warnings ?? [],
    message: {
      ...message,
      id: message.id === "" || message.id === undefined ? run.ids.next("message") : message.id,
      timestamp: message.timestamp ?? run.clock.now(),
      finishReason,
      usage,
      provenance: message.provenance ?? { provider: model.provider, api: model.api, model: model.modelId },
    },
  };
}

function messageOf(given: Partial<ModelResponse>, { provider, modelId }: ModelProvider): ModelResponse["message"] {
  const message: Partial<ModelResponse["message"]> | undefined = given.message;
  if (Array.isArray(message?.content) && Array.isArray(message.toolCalls)) return message as ModelResponse["message"];
  throw new ModelResponseError(
    `${provider}/${modelId} answered without a "message" that has lists "content" and "toolCalls": its provider has to give both, empty where there is nothing.`,
    { provider, model: modelId, retryable: false },
  );
}

function normalizeUsage(usage: Partial<TokenUsage> | undefined): TokenUsage {
  const inputTokens = count(usage?.inputTokens);
  const outputTokens = count(usage?.outputTokens);
  return {
    ...usage,
    inputTokens,
    outputTokens,
    totalTokens: count(usage?.totalTokens) || inputTokens + outputTokens,
  };
}

function count(value: number | undefined): number {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : 0;
}

/** An answer in its journaled form. */
interface KeptAnswer {
  readonly message: AssistantMessage;
  readonly exactArguments: readonly ExactArguments[] | undefined;
}

/**
 * Removes known secrets from an answer before it is journaled. A call whose arguments change is marked: it must not
 * run with arguments that the model did not write. A sealed journal keeps the original arguments beside the message,
 * for a person to approve.
 */
export function scrubAnswer(
  { secrets, sealer }: Pick<Agent, "secrets" | "sealer">,
  message: AssistantMessage,
): KeptAnswer {
  const scrubbed = secrets === undefined ? message : secrets.scrub(message);
  if (secrets === undefined || scrubbed === message) return { message, exactArguments: undefined };
  const exactArguments: ExactArguments[] = [];
  const toolCalls = scrubbed.toolCalls.map((call, index) => {
    const before = message.toolCalls[index];
    const changed = before !== undefined && (before.arguments !== call.arguments || before.input !== call.input);
    if (!changed || !secrets.holdsSecret([before.arguments, before.input])) return call;
    const { arguments: text, input } = before;
    exactArguments.push({ index, arguments: text, ...(input !== undefined && { input }) });
    return { ...call, redacted: true };
  });
  const kept = { ...scrubbed, toolCalls };
  const isKept = sealer !== undefined && exactArguments.length > 0;
  return { message: kept, exactArguments: isKept ? exactArguments : undefined };
}
