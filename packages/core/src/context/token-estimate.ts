import type { AssistantPart, ContentPart } from "../contracts/content-part.ts";
import type { Message } from "../contracts/message.ts";
import type { ToolDefinition } from "../contracts/model-provider.ts";

/** The estimate for an image: vendors charge between 85 and 1,600 tokens for one. */
const imageTokens = 1_000;
/** The estimate for a message without its content. */
const messageTokens = 4;
const charactersPerToken = 4;

/** Counts the tokens of a text. */
export type CountText = (text: string) => number;

/** Estimates cached by object: messages and tool lists are never changed. */
export interface TokenEstimator {
  /**
   * Estimated tokens of one message.
   *
   * @param message - The message to count.
   */
  message(message: Message): number;
  /**
   * Estimated tokens of a list of messages.
   *
   * @param messages - The messages to count.
   */
  messages(messages: readonly Message[]): number;
  /**
   * Estimated tokens of tool definitions.
   *
   * @param tools - The definitions that the model gets.
   */
  tools(tools: readonly ToolDefinition[]): number;
}

/**
 * Counts tokens without a vendor: 4 characters a token, images and files by kind, arguments and tool definitions
 * included. Each object is counted once.
 *
 * @param countText - A tokenizer. Default: 4 characters a token.
 * @example
 * ```ts
 * import { createTokenEstimator } from "@bailiwick/core";
 *
 * const tokens = createTokenEstimator().messages([{ id: "m1", role: "user", content: "Hello" }]);
 * ```
 */
export function createTokenEstimator(countText: CountText = textTokens): TokenEstimator {
  return new Estimator(countText);
}

/** A class, because there is one for every run: instances share their methods, closures would not. */
class Estimator implements TokenEstimator {
  /** Created with the first estimate: most runs have no limit that needs one. */
  #known: WeakMap<object, number> | undefined;
  readonly #countText: CountText;

  constructor(countText: CountText) {
    this.#countText = countText;
  }

  message(message: Message): number {
    return this.#remembered(message, countMessage);
  }

  messages(messages: readonly Message[]): number {
    return messages.reduce((sum, message) => sum + this.message(message), 0);
  }

  tools(tools: readonly ToolDefinition[]): number {
    return this.#remembered(tools, (list, countText) => countText(JSON.stringify(list)));
  }

  #remembered<T extends object>(value: T, count: (value: T, countText: CountText) => number): number {
    const known = (this.#known ??= new WeakMap());
    let tokens = known.get(value);
    if (tokens === undefined) known.set(value, (tokens = count(value, this.#countText)));
    return tokens;
  }
}

/** Tokens of a text, at 4 characters a token. */
export function textTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

function countMessage(message: Message, countText: CountText): number {
  const { content } = message;
  let tokens =
    messageTokens +
    (typeof content === "string"
      ? countText(content)
      : content.reduce((sum, part) => sum + countPart(part, countText), 0));
  if (message.role === "assistant") {
    for (const call of message.toolCalls) tokens += countText(call.name) + countText(call.arguments) + messageTokens;
  }
  return tokens;
}

function countPart(part: ContentPart | AssistantPart, countText: CountText): number {
  switch (part.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return countText(part.text);
    case "image":
      return imageTokens;
    case "audio":
    case "file": {
      const size = part.data?.length ?? 0;
      // A file's text is a fraction of its bytes; a file that the vendor fetches counts like an image.
      return Math.max(imageTokens, Math.ceil(size / (charactersPerToken * 4)));
    }
    case "hosted_tool":
      return countText(JSON.stringify([part.input, part.output]));
    default:
      return 0;
  }
}
