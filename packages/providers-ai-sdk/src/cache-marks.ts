import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { ModelRequest } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";

/**
 * Marks the ends of the instructions and of the last two turns of the user, tool results included, for vendors that
 * write their cache only at marks. Vendors accept at most four marks.
 *
 * @param prompt - The messages.
 * @param caching - Of the request; `"shared"` keeps the instructions for an hour, if the vendor supports that.
 * @param context - The model.
 */
export function withCacheMarks(
  prompt: LanguageModelV4Prompt,
  caching: ModelRequest["caching"],
  { vendor, modelId }: ModelContext,
): LanguageModelV4Prompt {
  const mark = vendor.cacheMark?.(modelId, false);
  if (caching === false || mark === undefined) return prompt;
  const instructions = prompt.findLastIndex(({ role }) => role === "system");
  const turns = prompt.flatMap(({ role }, index) => (role === "user" || role === "tool" ? [index] : []));
  const prefix = caching === "shared" ? vendor.cacheMark?.(modelId, true) : mark;
  const last = new Set(turns.slice(-2));
  return prompt.map((message, index) => {
    if (index === instructions) return marked(message, prefix);
    return last.has(index) ? marked(message, mark) : message;
  });
}

function marked(message: LanguageModelV4Message, mark: object | undefined): LanguageModelV4Message {
  return { ...message, providerOptions: { ...message.providerOptions, ...mark } };
}
