import type { JsonValue } from "@bailiwick/core/provider";

/** What a server that speaks Chat Completions takes and gives. */
export interface Compat {
  /** Vendor name: part of the provenance of its answers, and the key of its `providerOptions`. */
  readonly provider: string;
  /** Default base URL. `undefined`: one must be given. */
  readonly baseURL?: string | undefined;
  /** Environment variable that holds the key. `undefined`: the server needs none. */
  readonly apiKeyVariable?: string | undefined;
  /** Header that carries the key: `authorization` as a bearer token, or `api-key` as it is. */
  readonly keyHeader: "authorization" | "api-key";
  /** Wire used when none is asked for. */
  readonly api: "responses" | "chat";
  /** Whether model ids are OpenAI's, so that the table of models applies. */
  readonly openaiModels: boolean;
  /** Name of the setting that bounds output. */
  readonly maxTokens: "max_completion_tokens" | "max_tokens";
  /** How reasoning is asked for. */
  readonly reasoning: "reasoning_effort" | "reasoning" | "none";
  /** Field in which earlier reasoning is sent back; `undefined`: never. */
  readonly echoReasoning?: "reasoning_content" | "reasoning" | "reasoning_details" | undefined;
  /** Sent as `extra_content` of an answer's first call that has none of its own, where such calls of other models are refused. */
  readonly foreignCall?: JsonValue | undefined;
  /** Whether a stream reports usage when asked with `stream_options`. Servers that always report it are not asked. */
  readonly streamUsage: boolean;
  /** Whether `strict` may be set on functions. */
  readonly strictTools: boolean;
  /** Whether `parallel_tool_calls` is taken. */
  readonly parallelToolCalls: boolean;
  /** Whether an answer can be bound to a schema, and whether while tools are offered. */
  readonly structuredOutput: "none" | "without-tools" | "with-tools";
  /** Whether `prompt_cache_key` is taken. */
  readonly promptCacheKey: boolean;
  /** Whether one tool can be forced by its name; else it is offered alone, and a call is required. Default `true`. */
  readonly namedToolChoice?: boolean | undefined;
  /** Whether images are taken; a text-only model behind the server needs `capabilities`. */
  readonly images: boolean;
  /** Types of images that are taken; default PNG, JPEG, WebP and GIF. */
  readonly imageTypes?: readonly string[] | undefined;
  /** Whether the server fetches images from addresses; default `true`. */
  readonly imageUrls?: boolean | undefined;
  /** Whether argument text in history must be JSON, since the server's chat template parses it. */
  readonly jsonArguments: boolean;
  /** What ids of calls have to look like; others are mapped. Empty: anything. */
  readonly toolCallId: { readonly pattern?: RegExp | undefined; readonly maxLength?: number | undefined };
}

/** Servers that are known by name. */
export type CompatName =
  | "openai"
  | "azure"
  | "vllm"
  | "ollama"
  | "lmstudio"
  | "llamacpp"
  | "groq"
  | "together"
  | "gemini"
  | "deepseek"
  | "xai"
  | "mistral"
  | "openrouter";

const openai: Compat = {
  provider: "openai",
  apiKeyVariable: "OPENAI_API_KEY",
  keyHeader: "authorization",
  api: "responses",
  openaiModels: true,
  maxTokens: "max_completion_tokens",
  reasoning: "reasoning_effort",
  streamUsage: true,
  strictTools: true,
  parallelToolCalls: true,
  structuredOutput: "with-tools",
  promptCacheKey: true,
  images: true,
  jsonArguments: false,
  toolCallId: { maxLength: 40 },
};

/** What can be expected of a server that nothing else is known of. */
const plain: Compat = {
  ...openai,
  provider: "openai-compatible",
  apiKeyVariable: undefined,
  api: "chat",
  openaiModels: false,
  maxTokens: "max_tokens",
  reasoning: "none",
  strictTools: false,
  structuredOutput: "without-tools",
  promptCacheKey: false,
  jsonArguments: true,
};

/**
 * The known servers. Spread one and change a field for a server that differs.
 *
 * @example
 * ```ts
 * import { compat, openai } from "@bailiwick/providers-openai";
 *
 * const model = openai("my-model", {
 *   baseURL: "http://127.0.0.1:8000/v1",
 *   compat: { ...compat.vllm, provider: "our-gpu", reasoning: "reasoning_effort" },
 * });
 * console.log(model.provider); // "our-gpu"
 * ```
 */
export const compat: Readonly<Record<CompatName, Compat>> = {
  openai,
  azure: { ...openai, provider: "azure", apiKeyVariable: "AZURE_OPENAI_API_KEY", keyHeader: "api-key" },
  vllm: { ...plain, provider: "vllm", baseURL: "http://127.0.0.1:8000/v1" },
  ollama: {
    ...plain,
    provider: "ollama",
    baseURL: "http://127.0.0.1:11434/v1",
    reasoning: "reasoning_effort",
    parallelToolCalls: false,
  },
  lmstudio: { ...plain, provider: "lmstudio", baseURL: "http://127.0.0.1:1234/v1", namedToolChoice: false },
  llamacpp: { ...plain, provider: "llamacpp", baseURL: "http://127.0.0.1:8080/v1", namedToolChoice: false },
  groq: {
    ...plain,
    provider: "groq",
    baseURL: "https://api.groq.com/openai/v1",
    apiKeyVariable: "GROQ_API_KEY",
    maxTokens: "max_completion_tokens",
    reasoning: "reasoning_effort",
  },
  together: {
    ...plain,
    provider: "together",
    baseURL: "https://api.together.xyz/v1",
    apiKeyVariable: "TOGETHER_API_KEY",
  },
  // Gemini as this wire shows it; the adapter for Google's own wire can do more.
  gemini: {
    ...plain,
    provider: "gemini",
    baseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
    apiKeyVariable: "GEMINI_API_KEY",
    reasoning: "reasoning_effort",
    parallelToolCalls: false,
    // Its third generation refuses calls without a signature; this is what the vendor documents for those of others.
    foreignCall: { google: { thought_signature: "skip_thought_signature_validator" } },
  },
  deepseek: {
    ...plain,
    provider: "deepseek",
    baseURL: "https://api.deepseek.com/v1",
    apiKeyVariable: "DEEPSEEK_API_KEY",
    echoReasoning: "reasoning_content",
    parallelToolCalls: false,
    structuredOutput: "none",
    images: false,
  },
  xai: {
    ...plain,
    provider: "xai",
    baseURL: "https://api.x.ai/v1",
    apiKeyVariable: "XAI_API_KEY",
    maxTokens: "max_completion_tokens",
    reasoning: "reasoning_effort",
    structuredOutput: "with-tools",
  },
  mistral: {
    ...plain,
    provider: "mistral",
    baseURL: "https://api.mistral.ai/v1",
    apiKeyVariable: "MISTRAL_API_KEY",
    streamUsage: false,
    // Ids of exactly nine letters and digits.
    toolCallId: { pattern: /^[a-zA-Z0-9]{9}$/, maxLength: 9 },
  },
  openrouter: {
    ...plain,
    provider: "openrouter",
    baseURL: "https://openrouter.ai/api/v1",
    apiKeyVariable: "OPENROUTER_API_KEY",
    reasoning: "reasoning",
    echoReasoning: "reasoning_details",
    jsonArguments: false,
  },
};
