import type { AssistantMessage } from "../contracts/message.ts";
import type { ModelResponse, Warning } from "../contracts/model-response.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";

/** The parts of an answer that an adapter has read. */
export interface ReadResponse extends Pick<
  AssistantMessage,
  "content" | "toolCalls" | "finishReason" | "provenance" | "providerState"
> {
  /** The vendor's id of the answer; without it the message gets a new one. */
  readonly responseId: string | undefined;
  /** The model that answered, as the vendor names it; it may differ from a requested alias. */
  readonly responseModel?: string | undefined;
  /** The vendor's own word for the end of the answer. */
  readonly rawFinishReason: string | undefined;
  /** Tokens of the request and the answer. */
  readonly usage: TokenUsage;
  /** Problems that did not stop the call, such as an unsupported setting. */
  readonly warnings: readonly Warning[];
  /** The answer was cut off: its parts are those that had arrived, and its finish reason is `error`. */
  readonly partial: boolean;
}

/**
 * The answer of a model call, made from the parts that an adapter has read.
 *
 * @param read - The parts of the answer.
 */
export function responseOf(read: ReadResponse): ModelResponse {
  const { responseId, responseModel, rawFinishReason, usage, warnings, partial, providerState, ...message } = read;
  const finishReason = partial ? "error" : read.finishReason;
  return {
    message: {
      id: responseId ?? crypto.randomUUID(),
      role: "assistant",
      ...message,
      finishReason,
      rawFinishReason,
      usage,
      ...(providerState === undefined ? {} : { providerState }),
      ...(partial ? { partial: true } : {}),
    },
    usage,
    finishReason,
    rawFinishReason,
    raw: undefined,
    responseId,
    ...(responseModel === undefined ? {} : { responseModel }),
    warnings,
  };
}
