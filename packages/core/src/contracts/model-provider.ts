import type { JsonSchema, JsonValue } from "./json.ts";
import type { Message } from "./message.ts";
import type { ModelResponse } from "./model-response.ts";
import type { ReasoningConfig } from "./reasoning-config.ts";
import type { ChunkStream } from "./stream-chunk.ts";
import type { SideEffectClass } from "./vocabularies.ts";

/** A tool, as a model sees it. */
export interface FunctionToolDefinition {
  /** Always `function`: a tool that the framework runs, as opposed to one that the vendor runs. */
  readonly type: "function";
  /** Name with which the model calls the tool. */
  readonly name: string;
  /** Description, with eagerly rendered examples. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonSchema;
  /** Ask the vendor to enforce the schema; `undefined` leaves it to the provider. */
  readonly strict?: boolean | undefined;
}

/** A tool that the vendor runs: web search, code execution, hosted MCP. Made by a provider's typed helper. */
export interface HostedTool {
  /** Always `hosted`. */
  readonly type: "hosted";
  /** Provider that runs it, such as `openai`. */
  readonly provider: string;
  /** The vendor's name of the tool, such as `web_search`. */
  readonly name: string;
  /** The vendor's settings, sent unchanged. */
  readonly args: Readonly<Record<string, JsonValue>>;
  /** The class of its effects: search is `read-only`; MCP, shell and computer use are `external-stateful`. */
  readonly sideEffectClass: SideEffectClass;
  /** True if the vendor asks before each call that is not a read. */
  readonly asksApproval?: boolean | undefined;
}

/** A tool that is offered to a model. */
export type ToolDefinition = FunctionToolDefinition | HostedTool;

/** If a model must call a tool, and which one. */
export type ToolChoice = "auto" | "none" | "required" | { readonly toolName: string };

/** One request to a model: canonical messages that `compileHistory` has made valid for the target. */
export interface ModelRequest {
  /** The conversation, compiled for this model. */
  readonly messages: readonly Message[];
  /** Tools that the model may call. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** Tells if the model may, must or must not call tools. */
  readonly toolChoice?: ToolChoice | undefined;
  /** `false`: at most one call per answer. */
  readonly parallelToolCalls?: boolean | undefined;
  /** Ask for JSON that matches a schema; only set where `capabilities.structuredOutput` allows it. */
  readonly output?:
    | { readonly name: string; readonly schema: JsonSchema; readonly strict?: boolean | undefined }
    | undefined;
  /** Reasoning before the answer. */
  readonly reasoning?: ReasoningConfig | undefined;
  /** Temperature of the answer. */
  readonly temperature?: number | undefined;
  /** Nucleus sampling. */
  readonly topP?: number | undefined;
  /** Texts that end the model's answer. */
  readonly stopSequences?: readonly string[] | undefined;
  /** Upper bound of output tokens. */
  readonly maxTokens?: number | undefined;
  /** Vendor settings by provider name, such as `{ openai: { serviceTier: "flex" } }`. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Overrides the provider's key for this call. */
  readonly apiKey?: string | undefined;
  /**
   * Prompt caching: `false` turns it off, `"shared"` adds breakpoints for a prefix that parallel agents share.
   * Default: on where it is free of risk.
   */
  readonly caching?: boolean | "shared" | undefined;
  /** Stable id of the session; used as cache key if the vendor accepts one. */
  readonly sessionId?: string | undefined;
  /** Pass the vendor's events through as `raw` chunks. */
  readonly includeRawEvents?: boolean | undefined;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
  /** HTTP client of the agent. A provider with its own `fetch` uses that one instead. */
  readonly fetch?: typeof fetch | undefined;
  /** The run's part in an answer that the vendor writes in the background. */
  readonly background?: BackgroundAnswer | undefined;
}

/** An answer that the vendor writes in the background: any process can read it by its id. */
export interface BackgroundAnswer {
  /** Id of the answer that an earlier process asked for: it is read, and nothing is asked again. */
  readonly id?: string | undefined;
  /**
   * Reports that the vendor has begun. The provider waits for it before it reads the answer.
   *
   * @param id - The vendor's id of the answer.
   */
  started(id: string): Promise<void>;
  /** True if an aborted request leaves the answer to another process: it is not cancelled at the vendor. */
  isKept(): boolean;
}

/** Media types that a vendor accepts in one place of a request. */
export interface MediaRules {
  /** Media types, such as `image/png`; `text/*` means every text type. */
  readonly types: readonly string[];
  /**
   * Types that the vendor fetches from an address; default `types`. An agent downloads all others and sends their
   * bytes.
   */
  readonly urls?: readonly string[] | undefined;
  /** Size of the largest image that the vendor accepts, in bytes; `undefined`: unknown. */
  readonly maxImageBytes?: number | undefined;
}

/** Kinds of input and output that a model supports; `compileHistory` and the runner use them. */
export interface ModelCapabilities {
  /** Kinds of input that a user message may contain in addition to text. */
  readonly input: { readonly image: boolean; readonly audio: boolean; readonly file: boolean };
  /**
   * Media that the vendor accepts, by place; `undefined`: any. Media of another type are replaced by a text that names
   * them, with the warning `media_omitted`, because one refused part would fail every later request of the
   * conversation. `toolResult` defaults to `user`.
   */
  readonly media?: { readonly user: MediaRules; readonly toolResult?: MediaRules | undefined } | undefined;
  /** Place of images of tool results: in the result, or in a user message after the results. */
  readonly toolResultMedia: "native" | "following-user-message" | "none";
  /** Allowed form of tool-call ids; `undefined` fields are unlimited. */
  readonly toolCallId: { readonly pattern?: RegExp | undefined; readonly maxLength?: number | undefined };
  /** Form of tool names. */
  readonly toolName: { readonly pattern: RegExp; readonly maxLength: number };
  /** True if reasoning of the same model is replayed. */
  readonly replaysReasoning: boolean;
  /** True if system messages may come after the first position. */
  readonly systemAnywhere: boolean;
  /** Native JSON-schema answers: never, only without tools, or with tools too. */
  readonly structuredOutput: "none" | "without-tools" | "with-tools";
  /** Context window in tokens; `undefined` when unknown. */
  readonly contextWindow?: number | undefined;
  /** Default upper bound of output tokens; `undefined` when unknown. */
  readonly maxOutputTokens?: number | undefined;
  /** True if a tool call can be forced while reasoning is on. */
  readonly forcedToolChoiceWithReasoning?: boolean | undefined;
  /** Sensitivity accepted in prompts; `"secret"` must be given by the operator. Default `"internal"`. */
  readonly accepts?: "internal" | "secret" | undefined;
}

/** Time limits of a streamed answer, in milliseconds; `Infinity` is unlimited. */
export interface ModelTimeouts {
  /** Longest wait for the first chunk. Default 600,000. */
  readonly firstChunkMs?: number | undefined;
  /** Longest wait between two chunks. Default 300,000. */
  readonly idleChunkMs?: number | undefined;
}

/** One model of one vendor API. Stateless: no loop, no retries, no memory. */
export interface ModelProvider {
  /** Vendor, such as `openai`. */
  readonly provider: string;
  /** Wire format, such as `responses`. */
  readonly api: string;
  /** The vendor's id of the model. */
  readonly modelId: string;
  /** Abilities of the model; the history is compiled to fit them. */
  readonly capabilities: ModelCapabilities;
  /** Time limits of its streamed answers; a run's `timeouts` have precedence. */
  readonly timeouts?: ModelTimeouts | undefined;
  /**
   * The answers come from the run's caller, such as the call of a client. No other model can continue the run: resuming
   * it without such a model is refused with `CALLER_MODEL_MISSING`.
   */
  readonly ofCaller?: true | undefined;
  /**
   * Asks for a whole answer.
   *
   * @param request - Messages, tools and settings; `request.signal` cancels the call.
   * @throws ModelError and its subclasses; the runner retries.
   */
  generate(request: ModelRequest): Promise<ModelResponse>;
  /**
   * Asks for a streamed answer; the last chunk is `finish` with the assembled response.
   *
   * @param request - Messages, tools and settings; `request.signal` cancels the call.
   * @throws ModelError and its subclasses, while iterating. A stream that ends without `finish` is an error.
   */
  stream(request: ModelRequest): ChunkStream;
}

/** Finds the model for a `"provider/model"` string. */
export interface ModelRegistry {
  /**
   * @param id - A model as `"provider/model"`, such as `"openai/gpt-5.5"`.
   * @throws ConfigurationError `UNKNOWN_MODEL` when no provider of that name was registered.
   */
  resolve(id: string): ModelProvider;
}

/** A model, or a `"provider/model"` string that the agent's `models` registry resolves. */
export type ModelSpec = ModelProvider | `${string}/${string}`;
