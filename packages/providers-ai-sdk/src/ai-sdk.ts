import { checkKnownNames, ConfigurationError } from "@bailiwick/core/provider";
import type { ModelCapabilities, ModelProvider } from "@bailiwick/core/provider";
import type { AiSdkModel, AiSdkSource } from "./ai-sdk-model.ts";
import { bridgedModel } from "./bridged-model.ts";
import { connector } from "./connection.ts";
import { fetchedTypes } from "./files.ts";
import { optionNames, type AiSdkOptions } from "./options.ts";
import { knowVendor } from "./vendors.ts";

/**
 * Any model of an AI SDK provider package. Retries, time-outs and history stay with the agent.
 *
 * Pass a function instead of a model so that it receives the agent's guarded network and the key of a run:
 * `aiSdk((connection) => createCohere(connection)("command-a-03-2025"))`.
 *
 * @param model - A `LanguageModelV4` or `LanguageModelV3`, or a function that makes it for a connection.
 * @param options - Capabilities of the model, if the bridge does not know its vendor.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION` if it is not a model of the AI SDK.
 * @example
 * ```ts
 * import { aiSdk } from "@bailiwick/providers-ai-sdk";
 * import { createMistral } from "@ai-sdk/mistral";
 *
 * const model = aiSdk((connection) => createMistral(connection)("mistral-large-latest"));
 * console.log(model.provider, model.api); // "mistral" "ai-sdk.chat"
 * ```
 */
export function aiSdk(model: AiSdkSource, options: AiSdkOptions = {}): ModelProvider {
  checkKnownNames(options, optionNames, "aiSdk()");
  const first = typeof model === "function" ? model({ fetch: globalThis.fetch }) : model;
  const version: unknown = first?.specificationVersion;
  if ((version !== "v4" && version !== "v3") || typeof first.doGenerate !== "function") {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `aiSdk() takes a language model of the AI SDK of version 4 or 3, not ${typeof version === "string" ? `one of version ${version}` : typeof first}. Update the provider package.`,
    );
  }
  const [provider = first.provider, ...wire] = first.provider.split(".");
  const known = knowVendor(first.provider, options.capabilities);
  return bridgedModel(
    {
      provider,
      api: ["ai-sdk", ...wire].join("."),
      modelId: first.modelId,
      version,
      ...known,
      capabilities: {
        ...known.capabilities,
        media: withAddresses(known.capabilities.media, first),
        ...options.capabilities,
      },
      logger: options.logger,
      tools: new WeakMap(),
      tool: new WeakMap(),
    },
    connector(model, first),
  );
}

/** Adds the media types that the package accepts as URLs, if `supportedUrls` is not a promise. */
function withAddresses(media: ModelCapabilities["media"], { supportedUrls }: AiSdkModel): ModelCapabilities["media"] {
  if (media === undefined || supportedUrls === undefined || "then" in supportedUrls) return media;
  return { ...media, user: { ...media.user, urls: fetchedTypes(media.user.types, supportedUrls) } };
}
