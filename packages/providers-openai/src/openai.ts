import { checkKnownNames, checkModelId, checkTimeout, ConfigurationError } from "@bailiwick/core/provider";
import type { ModelProvider } from "@bailiwick/core/provider";
import { knowModel } from "./capabilities.ts";
import { chatModel } from "./chat/chat-model.ts";
import { createClient } from "./client.ts";
import { compatNamed } from "./compat-named.ts";
import type { ModelContext } from "./model-context.ts";
import { optionNames, type OpenAIOptions } from "./options.ts";
import { responsesModel } from "./responses/responses-model.ts";

/**
 * A model of OpenAI, or of a server with a compatible API. OpenAI, Azure and xAI use the Responses API and other
 * servers Chat Completions, unless `api` is set. No request is sent before the first call.
 *
 * @param modelId - The model's id, such as `gpt-5.5`. An unknown id is treated as the newest kind.
 * @param options - The server's address and capabilities.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `UNKNOWN_COMPAT` if `compat` is not a known name,
 * `BASE_URL_MISSING` if the server has no default address and none is given.
 * @example
 * ```ts
 * import { openai } from "@bailiwick/providers-openai";
 *
 * const model = openai("gpt-5.5");
 * const local = openai("qwen3", { compat: "ollama" });
 * console.log(model.api, local.api); // "responses" "chat"
 * ```
 */
export function openai(modelId: string, options: OpenAIOptions = {}): ModelProvider {
  checkKnownNames(options, optionNames, "openai()");
  checkModelId(modelId, "openai()");
  checkTimeout(options.timeoutMs, "openai()");
  checkWire(options.api);
  const compat = typeof options.compat === "object" ? options.compat : compatNamed(options.compat ?? "openai");
  const api = options.api ?? compat.api;
  const client = createClient(options, compat, api === "responses" ? "/responses" : "/chat/completions");
  const context: ModelContext = {
    modelId,
    api,
    compat,
    ownAddress: options.baseURL !== undefined,
    ...knowModel(modelId, api, compat, options),
    logger: options.logger,
    messages: new WeakMap(),
    tools: new WeakMap(),
    writtenTools: new WeakMap(),
    tool: new WeakMap(),
  };
  return api === "responses" ? responsesModel(context, client) : chatModel(context, client);
}

function checkWire(api: unknown): void {
  if (api === undefined || api === "responses" || api === "chat") return;
  throw new ConfigurationError("INVALID_OPTION", `openai() takes "responses" or "chat" as "api".`);
}
