/** Token counts of one request to a model. */
interface TokenCounts {
  /** Input tokens, cached ones included. */
  readonly inputTokens: number;
  /** Output tokens, reasoning included. */
  readonly outputTokens: number;
  /** Tokens of reasoning, part of `outputTokens`. */
  readonly reasoningTokens?: number | undefined;
  /** Input tokens served from the vendor's cache. */
  readonly cachedTokens?: number | undefined;
  /** Input tokens written to the vendor's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /** Tokens of `cacheWriteTokens` that the vendor keeps for an hour. The others are kept for minutes. */
  readonly longCacheWriteTokens?: number | undefined;
  /** Tokens of audio input, part of `inputTokens`. */
  readonly audioInputTokens?: number | undefined;
  /** Tokens of `audioInputTokens` served from the vendor's cache, part of `cachedTokens` too. */
  readonly cachedAudioTokens?: number | undefined;
  /** Tokens of audio output, part of `outputTokens`. */
  readonly audioOutputTokens?: number | undefined;
}

/** One of several requests that the vendor made inside one model call, and billed one by one. */
export interface BilledRequest extends TokenCounts {
  /** The model that the vendor asked, if it is not the model of the call. */
  readonly model?: string | undefined;
}

/** Token counts of one model call, or their sum over a run. */
export interface TokenUsage extends TokenCounts {
  /** `inputTokens + outputTokens`; reasoning is never added twice. */
  readonly totalTokens: number;
  /**
   * Number of model requests that the vendor made inside the call, if it reports them: turns of the vendor's tool loop and
   * compactions. The other counts are sums over them, so the input may exceed the context window.
   */
  readonly vendorRequests?: number | undefined;
  /** The requests of `vendorRequests`, since each is billed by its own size and model. Absent in the sum over a run. */
  readonly requests?: readonly BilledRequest[] | undefined;
  /**
   * Service tier that answered, if it is not the standard one: `priority`, `flex`, `batch`, `fast` for a faster mode, or
   * the vendor's own name. Absent in the sum over a run.
   */
  readonly serviceTier?: string | undefined;
  /** Region to which the call was bound, if the vendor reports one; vendors charge more for some. */
  readonly region?: string | undefined;
  /** Number of calls of tools that the vendor ran and bills, by the name of the tool. */
  readonly hostedCalls?: Readonly<Record<string, number>> | undefined;
  /** Cost of the call in US dollars, if the server reports it: it counts in place of a price. */
  readonly reportedUsd?: number | undefined;
  /** The vendor's usage object, untouched; of the last call when summed. */
  readonly providerMetrics?: Readonly<Record<string, unknown>> | undefined;
}
