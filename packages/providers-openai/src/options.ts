import type { Logger, ModelCapabilities } from "@bailiwick/core/provider";
import type { Compat, CompatName } from "./server-record.ts";

/** How {@link openai} reaches a model. */
export interface OpenAIOptions {
  /** Key, or a function that fetches one for each request. Default: the server's environment variable, such as `OPENAI_API_KEY`. */
  readonly apiKey?: string | (() => Promise<string>) | undefined;
  /** Default: `OPENAI_BASE_URL`, then the server's own. */
  readonly baseURL?: string | undefined;
  /** Wire. Default: `responses` for OpenAI, Azure and xAI, `chat` for compatible servers. */
  readonly api?: "responses" | "chat" | undefined;
  /** Which server it is: a name, or a record of what it takes. Default `openai`. */
  readonly compat?: CompatName | Compat | undefined;
  /** OpenAI organization. */
  readonly organization?: string | undefined;
  /** OpenAI project. */
  readonly project?: string | undefined;
  /** Further request headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Longest wait for response headers, in milliseconds; default 600,000. Time-outs of a run are the runner's. */
  readonly timeoutMs?: number | undefined;
  /** The model that a deployment runs, such as `gpt-5.5`, where its name does not say: names of Azure deployments are free. */
  readonly knownAs?: string | undefined;
  /** Capabilities of the model, if the table of models does not have it. */
  readonly capabilities?: Partial<ModelCapabilities> | undefined;
  /** True if the model reasons, where its id does not tell: such models take no sampling settings. */
  readonly reasoningModel?: boolean | undefined;
  /** Allows use in a browser, where the key can be read by anyone. Default `false`. */
  readonly allowBrowser?: boolean | undefined;
  /** Told of vendor events that this version does not know. */
  readonly logger?: Logger | undefined;
}

/** The compiler checks that no option is forgotten here: one that is missing would be refused as unknown. */
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
  /** How much is written. */
  readonly verbosity?: "low" | "medium" | "high" | undefined;
  /** Overrides the key that the session gives. */
  readonly promptCacheKey?: string | undefined;
  /** How long the vendor keeps the cached prompt. */
  readonly promptCacheRetention?: "in_memory" | "24h" | undefined;
  /** Stable id of the end user, hashed. */
  readonly safetyIdentifier?: string | undefined;
  /** Pairs that the vendor stores with the answer and shows in its dashboard. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** Keep the answer with the vendor. Default `false`; history is sent in full all the same. */
  readonly store?: boolean | undefined;
  /** The number of most likely tokens that the answer reports at each place. */
  readonly topLogprobs?: number | undefined;
  /** Responses only. */
  readonly truncation?: "auto" | "disabled" | undefined;
  /**
   * Responses only: server-side compaction, as the vendor writes it, such as `[{ type: "compaction", compact_threshold:
   * 200_000 }]`. What was compacted comes back as a part of the answer and is sent again as it came.
   */
  readonly contextManagement?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Responses only: calls of hosted tools in all. */
  readonly maxToolCalls?: number | undefined;
  /** Responses only: further things to include, such as `file_search_call.results`. */
  readonly include?: readonly string[] | undefined;
  /** Chat only. */
  readonly seed?: number | undefined;
  /** Chat only. */
  readonly frequencyPenalty?: number | undefined;
  /** Chat only. */
  readonly presencePenalty?: number | undefined;
  /** Chat only: bias by token id. */
  readonly logitBias?: Readonly<Record<string, number>> | undefined;
  /** Chat only: what is probably answered. */
  readonly prediction?: Readonly<Record<string, unknown>> | undefined;
  /** Chat only: `["text", "audio"]` for spoken answers. */
  readonly modalities?: readonly ("text" | "audio")[] | undefined;
  /** Chat only: voice and format of spoken answers. */
  readonly audio?: { readonly voice: string; readonly format: "wav" | "mp3" | "flac" | "opus" | "pcm16" } | undefined;
  /** Sent as it is, for what this version does not know. Wins over everything else. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Typed `providerOptions` of a call.
 *
 * @param options - The settings.
 * @param provider - Whose they are; default `openai`.
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
