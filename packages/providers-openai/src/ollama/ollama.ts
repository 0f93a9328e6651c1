import {
  checkBaseURL,
  checkKnownNames,
  checkModelId,
  checkTimeout,
  ConfigurationError,
  streamChunks,
} from "@bailiwick/core/provider";
import type { ModelProvider } from "@bailiwick/core/provider";
import { isBrowser } from "../browser.ts";
import { knowModel } from "../capabilities.ts";
import { createClient, requestJson, streamBody } from "../client.ts";
import type { ModelContext } from "../model-context.ts";
import { readOllamaBody } from "./answer.ts";
import { asEvents } from "./lines.ts";
import { optionNames, type OllamaOptions } from "./options.ts";
import { ollamaServer } from "./record.ts";
import { ollamaRequest } from "./request.ts";
import { ollamaMapper } from "./stream.ts";

/**
 * A model of Ollama over its own API, `POST /api/chat`. A request that does not fit the context window is refused, and
 * the run compacts its history; over the OpenAI-compatible API, Ollama drops the beginning of the conversation.
 *
 * @param modelId - The model's name, such as `qwen3` or `gpt-oss:20b`.
 * @param options - The server's address, and the context window.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`, `KEY_IN_BROWSER` in a page without `allowBrowser`.
 * @example
 * ```ts
 * import { ollama } from "@bailiwick/providers-openai/ollama";
 *
 * const model = ollama("qwen3", { numCtx: 32_768 });
 * console.log(model.capabilities.contextWindow); // 32768
 * ```
 */
export function ollama(modelId: string, options: OllamaOptions = {}): ModelProvider {
  checkKnownNames(options, optionNames, "ollama()");
  checkModelId(modelId, "ollama()");
  checkTimeout(options.timeoutMs, "ollama()");
  checkWindow(options.numCtx);
  checkAddress(options.baseURL);
  checkBrowser(options);
  const { numCtx, keepAlive, capabilities: own, ...reached } = options;
  const client = createClient({ ...reached, allowBrowser: true }, ollamaServer, "/api/chat");
  const known = knowModel(modelId, "chat", ollamaServer, {});
  const context: ModelContext = {
    modelId,
    api: "chat",
    compat: ollamaServer,
    ownAddress: options.baseURL !== undefined,
    traits: known.traits,
    capabilities: {
      ...known.capabilities,
      replaysReasoning: true,
      ...(numCtx === undefined ? {} : { contextWindow: numCtx }),
      ...own,
    },
    logger: undefined,
    messages: new WeakMap(),
    tools: new WeakMap(),
    writtenTools: new WeakMap(),
    tool: new WeakMap(),
  };
  const defaults = { numCtx, keepAlive };
  return {
    provider: ollamaServer.provider,
    api: "native",
    modelId,
    capabilities: context.capabilities,
    timeouts: client.timeouts,
    async generate(request) {
      const { body, tools, warnings } = ollamaRequest(request, context, defaults, false);
      const read = { context, tools, warnings, request };
      return requestJson(client, context, request, body, (answer, sent) => readOllamaBody(answer, sent, read));
    },
    stream(request) {
      const { body, tools, warnings } = ollamaRequest(request, context, defaults, true);
      return streamChunks({
        signal: request.signal,
        open: async (controller) => asEvents(await streamBody(client, body, request, controller)),
        mapper: () => ollamaMapper({ context, tools, warnings, request }, request.apiKey ?? client.apiKey),
      });
    },
  };
}

function checkWindow(numCtx: unknown): void {
  if (numCtx === undefined || (Number.isSafeInteger(numCtx) && (numCtx as number) > 0)) return;
  throw new ConfigurationError("INVALID_OPTION", `ollama() takes a number of tokens, such as 32768, as "numCtx".`);
}

/** The address of the OpenAI-compatible API is the usual mistake: this API is next to it. */
function checkAddress(baseURL: string | undefined): void {
  checkBaseURL(baseURL, "ollama()", ollamaServer.baseURL ?? "");
  if (baseURL === undefined || !/\/v1\/?$/.test(baseURL)) return;
  throw new ConfigurationError(
    "INVALID_OPTION",
    `The baseURL ${JSON.stringify(baseURL)} of ollama() is the OpenAI-compatible API of Ollama: leave "/v1" out, or use openai() with compat: "ollama".`,
  );
}

/** A server on the user's own machine needs no key, so a page may call it. */
function checkBrowser({ apiKey, allowBrowser }: OllamaOptions): void {
  if (apiKey === undefined || allowBrowser === true || !isBrowser()) return;
  throw new ConfigurationError(
    "KEY_IN_BROWSER",
    "In a browser anyone can read the key of ollama(): ask the model from a server, or pass allowBrowser: true.",
  );
}
