import type { ModelCapabilities } from "../contracts/model-provider.ts";
import type { ModelResponse } from "../contracts/model-response.ts";
import { beginningOf } from "./foreign-text.ts";

/** Phrases of vendors and servers for a request that does not fit the context window. */
const overflowTexts: readonly RegExp[] = [
  /context[_ ]length[_ ]exceeded/i,
  /maximum context length/i,
  /context window/i,
  /exceeds? the (available )?context (size|length|window)/i,
  /prompt is too long/i,
  /input (is )?too long/i,
  /input length and `?max_tokens`? exceed/i,
  /input token count .*exceeds the maximum/i,
  /exceeds the (model'?s )?maximum (number of )?(input )?tokens/i,
  /request_too_large|request too large for model|request exceeds the maximum size/i,
  /too many tokens in (the )?(prompt|request|input)/i,
  /prompt contains \d+ tokens.*too large/i,
  /maximum prompt length/i,
  /reduce the length of (the )?(messages|prompt|input)/i,
  /model_context_window_exceeded/i,
  /(longer|greater) than the (model'?s )?(maximum )?(context|model) length/i,
  /exceed(s|ed) (the )?model token limit/i,
  /prompt token count .*exceeds the limit/i,
  /range of input length should be/i,
  /`?inputs`? (tokens \+ `?max_new_tokens`? must be|must have less than)/i,
];

/** Throttling that mentions tokens: waiting helps, shortening does not. */
const throttlingTexts: readonly RegExp[] = [
  /rate[_ ]limit/i,
  /tokens? per (min|minute|day|hour)/i,
  /\bTP[MD]\b/,
  /\bquota\b/i,
  /too many requests/i,
  /throttl/i,
];

/**
 * True if a vendor's error means that the request is too long for the model.
 *
 * @param failure - The status, and the vendor's text.
 */
export function saysOverflow(failure: { readonly status?: number | undefined; readonly text: string }): boolean {
  if (failure.status === 413) return true;
  const text = beginningOf(failure.text);
  // An unmistakable code counts, even in a text about rate limits.
  if (/context_length_exceeded|model_context_window_exceeded/.test(text)) return true;
  if (failure.status === 429 || throttlingTexts.some((pattern) => pattern.test(text))) return false;
  return overflowTexts.some((pattern) => pattern.test(text));
}

/**
 * Number of output tokens that hidden reasoning may use up: an answer with fewer was cut off, and the request did fit.
 */
const smallBound = 1024;

/**
 * True if an answer shows, without an error, that the request did not fit: it stopped before anything was written, and
 * either more input was counted than the window holds, or nothing else explains the stop. An answer that finished or
 * has content is never an overflow: a vendor's own tool loop adds up the input of all its calls.
 *
 * @param response - The answer.
 * @param capabilities - The model's.
 * @param maxTokens - Bound of output tokens that was sent; `undefined` if none was.
 */
export function showsOverflow(
  response: ModelResponse,
  { contextWindow }: ModelCapabilities,
  maxTokens: number | undefined,
): boolean {
  const { usage, message, finishReason } = response;
  if (finishReason !== "length" && finishReason !== "other" && finishReason !== "error") return false;
  if (message.toolCalls.length > 0 || message.content.some((part) => !("text" in part) || part.text !== ""))
    return false;
  if (contextWindow !== undefined && usage.inputTokens > contextWindow) return true;
  if (finishReason !== "length" || usage.outputTokens > 0) return false;
  if (maxTokens === undefined) return true;
  const isCounted = contextWindow !== undefined && usage.inputTokens > 0;
  return isCounted ? usage.inputTokens + maxTokens > contextWindow : maxTokens > smallBound;
}
