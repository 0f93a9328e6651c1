import type { FinishReason } from "../../contracts/finish-reason.ts";
import type { Message } from "../../contracts/message.ts";
import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { ModelResponse, Warning } from "../../contracts/model-response.ts";
import { ModelResponseError } from "../../errors/model-errors.ts";

/** Stop reasons of an answer that the model or its server considers whole. */
const whole: ReadonlySet<FinishReason> = new Set<FinishReason>(["stop", "tool_calls", "other"]);

/**
 * True if an answer ended by itself and has no text, call, file or result of a hosted tool. Reasoning alone is not an
 * answer. A custom provider may leave fields out; such an answer is judged when it is normalized.
 */
export function isEmptyAnswer({ finishReason = "stop", message }: Partial<ModelResponse>): boolean {
  if (!whole.has(finishReason) || message?.toolCalls?.length !== 0) return false;
  return (message.content ?? []).every(
    (part) => part.type === "reasoning" || (part.type === "text" && part.text.trim() === ""),
  );
}

/** The failure of an answer without content: the model is asked again. */
export function emptyAnswerError({ provider, modelId }: ModelProvider, response: ModelResponse): ModelResponseError {
  const reason = response.rawFinishReason === undefined ? "" : ` (${response.rawFinishReason})`;
  return new ModelResponseError(
    `The answer of ${provider}/${modelId} is empty${reason}: it has no text and no tool call. Send the message again, or ask another model.`,
    { provider, model: modelId, retryable: true, mayHaveRun: false, partial: response },
  );
}

/** True if the model may have nothing to add: the last message is a tool's result. */
export function followsResults(messages: readonly Message[]): boolean {
  return messages.at(-1)?.role === "tool";
}

/** The warning of a run whose model had nothing to add after its tools. */
export function emptyAnswerWarning({ provider, modelId }: ModelProvider): Warning {
  return {
    code: "answer_empty",
    message: `${provider}/${modelId} answered the results of its tools without a text, also when it was asked again.`,
    subject: `${provider}/${modelId}`,
  };
}
