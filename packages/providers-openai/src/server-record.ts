import type { JsonValue, ReasoningConfig } from "@bailiwick/core/provider";

/**
 * The subset of JSON Schema that a server accepts for tools: that of OpenAI, that of Moonshot, or what llama.cpp can
 * express as a grammar.
 */
export type SchemaDialect = "openai" | "kimi" | "grammar";

/** Differences of one model behind a server. */
export interface CompatModel {
  /** Tested against the model's id. */
  readonly ids: RegExp;
  /** Accepted effort values, weakest first; empty if the model is proved to accept none. Default: those of the server. */
  readonly efforts?: readonly NonNullable<ReasoningConfig["effort"]>[] | undefined;
  /** `false` if the server's switch for thinking has no effect on the model. */
  readonly thinkingSwitch?: false | undefined;
  /** How the model gives structured output. */
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
  /** Environment variable with the key. `undefined`: the server needs none. */
  readonly apiKeyVariable?: string | undefined;
  /** Header that carries the key: `authorization` as a bearer token, or `api-key` with the plain key. */
  readonly keyHeader: "authorization" | "api-key";
  /** API that is used by default. */
  readonly api: "responses" | "chat";
  /** True if model ids are OpenAI's, so that the table of models applies. */
  readonly openaiModels: boolean;
  /** Name of the setting that limits output. */
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
  /** True if `parallel_tool_calls` is accepted. */
  readonly parallelToolCalls: boolean;
  /** If an answer can be bound to a schema, and if that works while tools are offered. */
  readonly structuredOutput: "none" | "without-tools" | "with-tools";
  /** True if `prompt_cache_key` is accepted. */
  readonly promptCacheKey: boolean;
  /**
   * True if one tool can be forced by its name; otherwise only that tool is offered, and a call is required. Default
   * `true`.
   */
  readonly namedToolChoice?: boolean | undefined;
  /** Cases in which a tool can be forced; otherwise the model chooses, with a warning. Default `always`. */
  readonly forcedChoice?: "always" | "without-thinking" | "never" | undefined;
  /** True if functions can be offered; default `true`. */
  readonly tools?: boolean | undefined;
  /** The setting that turns thinking on and off, if there is no effort setting. */
  readonly thinkingSwitch?: "thinking" | "adaptive" | "enable_thinking" | "chat_template_kwargs" | undefined;
  /** True if earlier thinking is only read when the request asks to keep it (`thinking.clear_thinking`). Default `false`. */
  readonly keepsThinking?: boolean | undefined;
  /** System messages: anywhere, all at the beginning, or one at the beginning. Default `anywhere`. */
  readonly systemMessages?: "anywhere" | "first" | "one" | undefined;
  /** True if a user message may directly follow a tool's result; otherwise an answer is inserted. Default `true`. */
  readonly userAfterTool?: boolean | undefined;
  /**
   * True if an answer may be the last message, which the model then continues; otherwise a request to continue is
   * appended. Default `true`.
   */
  readonly endsWithAnswer?: boolean | undefined;
  /**
   * True if user and model must alternate, the user first and last: messages are then joined or inserted. Default
   * `false`.
   */
  readonly alternates?: boolean | undefined;
  /** Differences by model; the first match counts. */
  readonly models?: readonly CompatModel[] | undefined;
  /** Fields that the server ignores without an error, each with the alternative: a call that sets one is refused. */
  readonly ignoredFields?: Readonly<Record<string, string>> | undefined;
  /** Fields of each request. */
  readonly body?: Readonly<Record<string, JsonValue>> | undefined;
  /** True if images are accepted; a text-only model behind the server needs `capabilities`. */
  readonly images: boolean;
  /** Accepted types of images; default PNG, JPEG, WebP and GIF. */
  readonly imageTypes?: readonly string[] | undefined;
  /** True if the server fetches images from addresses; default `true`. */
  readonly imageUrls?: boolean | undefined;
  /** True if argument text in history must be a JSON object, because the server's chat template parses it. */
  readonly jsonArguments: boolean;
  /** Subset of JSON Schema that tools must use. Default `openai`. */
  readonly toolSchemas?: SchemaDialect | undefined;
  /** Required form of the ids of calls; others are mapped. Empty: any form. */
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
