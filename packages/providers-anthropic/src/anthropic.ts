import {
  checkBaseURL,
  checkKnownNames,
  checkModelId,
  checkTimeout,
  unreadableState,
  withoutReasoning,
  type ModelProvider,
} from "@bailiwick/core/provider";
import { knowModel } from "./capabilities.ts";
import { createClient } from "./client.ts";
import { createConcessions } from "./concessions.ts";
import { messagesModel } from "./messages/messages-model.ts";
import type { ModelContext } from "./model-context.ts";
import { optionNames, type AnthropicOptions } from "./options.ts";

/**
 * A model of Anthropic over its Messages API, at the vendor's own address or through a client of the SDK, such as
 * Bedrock's or Vertex's. No request is sent before the first call.
 *
 * @param modelId - The model's id, such as `claude-opus-5-5`. An unknown Claude is treated as the newest kind.
 * @param options - The model's address and capabilities.
 * @throws ConfigurationError `CLIENT_CONFLICT` if `client` is combined with an option that a client already has,
 * `UNKNOWN_OPTION`, `INVALID_OPTION` if `maxContinuations` or `timeoutMs` is not a count.
 * @example
 * ```ts
 * import { anthropic } from "@bailiwick/providers-anthropic";
 *
 * const model = anthropic("claude-opus-5-5");
 * console.log(model.provider, model.api); // "anthropic" "messages"
 * ```
 */
export function anthropic(modelId: string, options: AnthropicOptions = {}): ModelProvider {
  checkKnownNames(options, optionNames, "anthropic()");
  checkModelId(modelId, "anthropic()");
  checkBaseURL(options.baseURL, "anthropic()", "https://api.anthropic.com");
  checkTimeout(options.timeoutMs, "anthropic()");
  const client = createClient(options);
  const context: ModelContext = {
    modelId,
    ...knowModel(modelId, options),
    logger: options.logger,
    betas: options.betas ?? [],
    sampling: client.sampling,
    maxContinuations: options.maxContinuations ?? 8,
    concessions: createConcessions(),
    unreadable: unreadableState(withoutReasoning),
    messages: new WeakMap(),
    tools: new WeakMap(),
    tool: new WeakMap(),
  };
  return messagesModel(context, client);
}
