import type { Logger, ModelCapabilities } from "@bailiwick/core/provider";
import type { BaseAnthropic } from "@anthropic-ai/sdk";

/** Options of {@link anthropic}: address, key and transport. */
export interface AnthropicOptions {
  /**
   * Key, or a function that fetches one for each request. Default: `ANTHROPIC_API_KEY`, then other credentials that the
   * SDK finds.
   */
  readonly apiKey?: string | (() => Promise<string>) | undefined;
  /** Default: `ANTHROPIC_BASE_URL`, then the vendor's. */
  readonly baseURL?: string | undefined;
  /** A client of the SDK, such as Bedrock's or Vertex's: it has its own key, address, headers and `fetch`. */
  readonly client?: BaseAnthropic | undefined;
  /** API version of every request. Default: the SDK's; an older one for sampling settings, which the newest lacks. */
  readonly apiVersion?: string | undefined;
  /** Beta features of every request. */
  readonly betas?: readonly string[] | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The HTTP client. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum wait for response headers, in milliseconds; default 600,000. The runner has the time-outs of a run. */
  readonly timeoutMs?: number | undefined;
  /** The published id of the model, if `modelId` is your own name: a deployment, or an inference profile. */
  readonly knownAs?: string | undefined;
  /** Capabilities of the model, if the table of models does not have it. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** Maximum number of times one answer is continued when it pauses for the vendor's own tools. Default 8. */
  readonly maxContinuations?: number | undefined;
  /** Allows use in a browser, where the key can be read by anyone. Default `false`. */
  readonly allowBrowser?: boolean | undefined;
  /** Called with vendor events that this version does not know. */
  readonly logger?: Logger | undefined;
}

/** A complete list, checked by the compiler: a missing option would be refused as unknown. */
const names: { readonly [Name in keyof Required<AnthropicOptions>]: true } = {
  apiKey: true,
  baseURL: true,
  client: true,
  apiVersion: true,
  betas: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  knownAs: true,
  capabilities: true,
  maxContinuations: true,
  allowBrowser: true,
  logger: true,
};

/** Names of the options of a model. */
export const optionNames: readonly string[] = Object.keys(names);

/** Settings of one call, under `providerOptions.anthropic`. */
export interface AnthropicCallOptions {
  /** Beta features of this call, in addition to the model's own. */
  readonly betas?: readonly string[] | undefined;
  /** Amount of text and thinking, for models with an effort setting. `reasoning.effort` wins over it. */
  readonly effort?: "low" | "medium" | "high" | "xhigh" | "max" | undefined;
  /** Sampling from the k likeliest tokens; not with thinking. */
  readonly topK?: number | undefined;
  /** Stable id of the end user, hashed. */
  readonly userId?: string | undefined;
  /** The vendor's service tier of the call. */
  readonly serviceTier?: "auto" | "standard_only" | undefined;
  /** Faster answers at a higher price, on models that offer it. */
  readonly speed?: "standard" | "fast" | undefined;
  /** The region in which inference may run. */
  readonly inferenceGeo?: string | undefined;
  /** Lifetime of the cache entries that are placed automatically; default `5m`. */
  readonly cacheTtl?: "5m" | "1h" | undefined;
  /** True if documents of the conversation may be cited. Default `false`. */
  readonly citations?: boolean | undefined;
  /** The vendor's code container to continue in. Default: that of the conversation's last answer. */
  readonly container?: string | undefined;
  /**
   * Server-side editing and compaction of the context in the vendor's format, such as `{ edits: [{ type:
   * "compact_20260112" }] }`; sets the betas that it needs. The compacted content is a part of the answer and is sent
   * again unchanged.
   */
  readonly contextManagement?: Readonly<Record<string, unknown>> | undefined;
  /** Sent unchanged, for fields that this version does not know. Has precedence over everything else. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Typed `providerOptions` of a call.
 *
 * @param options - The settings.
 * @example
 * ```ts
 * import { anthropic, anthropicOptions } from "@bailiwick/providers-anthropic";
 *
 * export const ask = (text: string) =>
 *   anthropic("claude-opus-5-5").generate({
 *     messages: [{ id: "m1", role: "user", content: text }],
 *     providerOptions: anthropicOptions({ effort: "low", cacheTtl: "1h" }),
 *   });
 * ```
 */
export function anthropicOptions(
  options: AnthropicCallOptions,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return { anthropic: { ...options } };
}
