import type { Logger, ModelCapabilities } from "@bailiwick/core/provider";
import type { Compat, CompatName } from "./server-record.ts";

/** Options of {@link openai}: address, key and transport. */
export interface OpenAIOptions {
  /** Key, or a function that fetches one for each request. Default: the server's environment variable, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string | (() => Promise<string>) | undefined;
  /** Default: `OPENAI_BASE_URL`, then the server's own. */
  readonly baseURL?: string | undefined;
  /** Wire. Default: `responses` for OpenAI, Azure and xAI, `chat` for compatible servers. */
  readonly api?: "responses" | "chat" | undefined;
  /** The kind of server: a name, or a record of its capabilities. Default `openai`. */
  readonly compat?: CompatName | Compat | undefined;
  /** OpenAI organization. */
  readonly organization?: string | undefined;
  /** OpenAI project. */
  readonly project?: string | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The HTTP client. Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum wait for response headers, in milliseconds; default 600,000. The runner has the time-outs of a run. */
  readonly timeoutMs?: number | undefined;
  /**
   * The model of a deployment, such as `gpt-5.5`, if its name does not contain it: names of Azure deployments are
   * free.
   */
  readonly knownAs?: string | undefined;
  /** Capabilities of the model, if the table of models does not have it. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** True if the model reasons and its id does not show it: such models accept no sampling settings. */
  readonly reasoningModel?: boolean | undefined;
  /** Allows use in a browser, where the key can be read by anyone. Default `false`. */
  readonly allowBrowser?: boolean | undefined;
  /** Called with vendor events that this version does not know. */
  readonly logger?: Logger | undefined;
}

/** A complete list, checked by the compiler: a missing option would be refused as unknown. */
const names: { readonly [Name in keyof Required<OpenAIOptions>]: true } = {
  apiKey: true,
  baseURL: true,
  api: true,
  compat: true,
  organization: true,
  project: true,
  headers: true,
  fetch: true,
  timeoutMs: true,
  knownAs: true,
  capabilities: true,
  reasoningModel: true,
  allowBrowser: true,
  logger: true,
};

/** Names of the options of a model. */
export const optionNames: readonly string[] = Object.keys(names);

/** Settings of one call, under `providerOptions.openai` (or the compatible server's name). */
export interface OpenAICallOptions {
  /** The vendor's service tier of the call. */
  readonly serviceTier?: "auto" | "default" | "flex" | "scale" | "priority" | undefined;
  /** Verbosity of the answer. */
  readonly verbosity?: "low" | "medium" | "high" | undefined;
  /** Overrides the cache key of the session. */
  readonly promptCacheKey?: string | undefined;
  /** Time for which the vendor keeps the cached prompt. */
  readonly promptCacheRetention?: "in_memory" | "24h" | undefined;
  /** Stable id of the end user, hashed. */
  readonly safetyIdentifier?: string | undefined;
  /** Pairs that the vendor stores with the answer and shows in its dashboard. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Keeps the answer with the vendor. Default `false`; history is always sent in full. */
  readonly store?: boolean | undefined;
  /** The number of most likely tokens that the answer reports at each place. */
  readonly topLogprobs?: number | undefined;
  /**
   * Responses only: the vendor writes the answer in the background and keeps it. The run waits without a time limit for chunks, reads the answer in another process after a crash, and cancels it at the vendor when the run is cancelled.
   */
  readonly background?: boolean | undefined;
  /** Responses only. */
  readonly truncation?: "auto" | "disabled" | undefined;
  /**
   * Responses only: server-side compaction in the vendor's format, such as `[{ type: "compaction", compact_threshold:
   * 200_000 }]`. The compacted content is a part of the answer and is sent again unchanged.
   */
  readonly contextManagement?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Responses only: maximum number of calls of hosted tools. */
  readonly maxToolCalls?: number | undefined;
  /** Responses only: additional output to include, such as `file_search_call.results`. */
  readonly include?: readonly string[] | undefined;
  /** Chat only. */
  readonly seed?: number | undefined;
  /** Chat only. */
  readonly frequencyPenalty?: number | undefined;
  /** Chat only. */
  readonly presencePenalty?: number | undefined;
  /** Chat only: bias by token id. */
  readonly logitBias?: Readonly<Record<string, number>> | undefined;
  /** Chat only: the predicted answer. */
  readonly prediction?: Readonly<Record<string, unknown>> | undefined;
  /** Chat only: `["text", "audio"]` for spoken answers. */
  readonly modalities?: readonly ("text" | "audio")[] | undefined;
  /** Chat only: voice and format of spoken answers. */
  readonly audio?: { readonly voice: string; readonly format: "wav" | "mp3" | "flac" | "opus" | "pcm16" } | undefined;
  /** Sent unchanged, for fields that this version does not know. Has precedence over everything else. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Typed `providerOptions` of a call.
 *
 * @param options - The settings.
 * @param provider - The provider whose options these are; default `openai`.
 * @example
 * ```ts
 * import { openai, openaiOptions } from "@bailiwick/providers-openai";
 *
 * export const ask = (text: string) =>
 *   openai("gpt-5.5").generate({
 *     messages: [{ id: "m1", role: "user", content: text }],
 *     providerOptions: openaiOptions({ serviceTier: "flex", verbosity: "low" }),
 *   });
 * ```
 */
export function openaiOptions(
  options: OpenAICallOptions,
  provider = "openai",
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return { [provider]: { ...options } };
}
