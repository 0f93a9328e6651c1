import type { JsonValue, ReasoningConfig } from "@bailiwick/core/provider";

/**
 * The subset of JSON Schema in which a server takes the tools: that of OpenAI, that of Moonshot, or what llama.cpp can
 * write as a grammar.
 */
export type SchemaDialect = "openai" | "kimi" | "grammar";

/** Differences of one model behind a server. */
export interface CompatModel {
  /** Tested against the model's id. */
  readonly ids: RegExp;
  /** Accepted effort values, weakest first; empty if there are none. */
  readonly efforts?: readonly NonNullable<ReasoningConfig["effort"]>[] | undefined;
  /** The way in which the model gives structured output. */
  readonly structuredOutput?: Compat["structuredOutput"] | undefined;
  /** True if the model reads images. */
  readonly images?: boolean | undefined;
  /** The JSON Schema dialect of tools that the model accepts. */
  readonly toolSchemas?: SchemaDialect | undefined;
}

/** Abilities of a server that speaks Chat Completions. */
export interface Compat {
  /** Vendor name: part of the provenance of its answers, and the key of its `providerOptions`. */
  readonly provider: string;
  /** Default base URL. `undefined`: one must be given. */
  readonly baseURL?: string | undefined;
  /** Environment variable that holds the key. `undefined`: the server needs none. */
  readonly apiKeyVariable?: string | undefined;
  /** Header that carries the key: `authorization` as a bearer token, or `api-key` with the plain key. */
  readonly keyHeader: "authorization" | "api-key";
  /** API that is used by default. */
  readonly api: "responses" | "chat";
  /** True if model ids are OpenAI's, so that the table of models applies. */
  readonly openaiModels: boolean;
  /** Name of the setting that bounds output. */
  readonly maxTokens: "max_completion_tokens" | "max_tokens";
  /** The form of a request for reasoning. */
  readonly reasoning: "reasoning_effort" | "reasoning" | "none";
  /** Field in which earlier reasoning is sent back; `undefined`: never. */
  readonly echoReasoning?: "reasoning_content" | "reasoning" | "reasoning_details" | undefined;
  /**
   * Sent as `extra_content` of an answer's first call that has none, for servers that refuse such calls of other
   * models.
   */
  readonly foreignCall?: JsonValue | undefined;
  /**
   * True if the Responses API returns encrypted reasoning, to be sent back. Default: for OpenAI's models that reason.
   */
  readonly encryptedReasoning?: boolean | undefined;
  /** True if a `custom_tool_call` that the request does not declare is a call that the server ran itself. Default `false`. */
  readonly hostedCustomCalls?: boolean | undefined;
  /** True if a stream reports usage when asked with `stream_options`. Servers that always report it are not asked. */
  readonly streamUsage: boolean;
  /** True if `strict` may be set on functions. */
  readonly strictTools: boolean;
  /** True if `parallel_tool_calls` is taken. */
  readonly parallelToolCalls: boolean;
  /** True if an answer can be bound to a schema, and whether while tools are offered. */
  readonly structuredOutput: "none" | "without-tools" | "with-tools";
  /** True if `prompt_cache_key` is taken. */
  readonly promptCacheKey: boolean;
  /** True if one tool can be forced by its name; else it is offered alone, and a call is required. Default `true`. */
  readonly namedToolChoice?: boolean | undefined;
  /** Cases in which a tool can be forced; else the model chooses, with a warning. Default `always`. */
  readonly forcedChoice?: "always" | "without-thinking" | "never" | undefined;
  /** True if functions can be offered; default `true`. */
  readonly tools?: boolean | undefined;
  /** The setting that switches thinking on and off, if there is no effort setting. */
  readonly thinkingSwitch?: "thinking" | "adaptive" | "enable_thinking" | "chat_template_kwargs" | undefined;
  /** System messages: anywhere, all at the beginning, or one at the beginning. Default `anywhere`. */
  readonly systemMessages?: "anywhere" | "first" | "one" | undefined;
  /** True if a user message may follow a tool's result directly; else an answer is put between. Default `true`. */
  readonly userAfterTool?: boolean | undefined;
  /**
   * True if an answer may be the last message, which the model then continues; else the history gets a request to
   * continue. Default `true`.
   */
  readonly endsWithAnswer?: boolean | undefined;
  /** True if user and model speak in turns, the user first and last; else messages are joined or put between. Default `false`. */
  readonly alternates?: boolean | undefined;
  /** Differences by model; the first match counts. */
  readonly models?: readonly CompatModel[] | undefined;
  /** Fields that the server ignores without an error, each with what to do in its place: a call that sets one is refused. */
  readonly ignoredFields?: Readonly<Record<string, string>> | undefined;
  /** Fields that each request has. */
  readonly body?: Readonly<Record<string, JsonValue>> | undefined;
  /** True if images are taken; a text-only model behind the server needs `capabilities`. */
  readonly images: boolean;
  /** Types of images that are taken; default PNG, JPEG, WebP and GIF. */
  readonly imageTypes?: readonly string[] | undefined;
  /** True if the server fetches images from addresses; default `true`. */
  readonly imageUrls?: boolean | undefined;
  /** True if argument text in history must be a JSON object, since the server's chat template parses it. */
  readonly jsonArguments: boolean;
  /** Subset of JSON Schema in which tools are taken. Default `openai`. */
  readonly toolSchemas?: SchemaDialect | undefined;
  /** Form of the ids of calls; others are mapped. Empty: anything. */
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
  | "openrouter"
  | "vercel"
  | "moonshot"
  | "zai"
  | "minimax"
  | "alibaba"
  | "cerebras"
  | "fireworks"
  | "perplexity"
  | "huggingface"
  | "github"
  | "sglang";
