/** Token counts of one model call, or their sum over a run. */
export interface TokenUsage {
  /** Input tokens, cached ones included. */
  readonly inputTokens: number;
  /** Output tokens, reasoning included. */
  readonly outputTokens: number;
  /** `inputTokens + outputTokens`; reasoning is never added twice. */
  readonly totalTokens: number;
  /** Tokens of reasoning, part of `outputTokens`. */
  readonly reasoningTokens?: number | undefined;
  /** Input tokens served from the vendor's cache. */
  readonly cachedTokens?: number | undefined;
  /** Input tokens written to the vendor's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /**
   * Number of model requests that the vendor made inside the call, if it reports them: turns of the vendor's tool loop and
   * compactions. The other counts are sums over them, so the input may exceed the context window.
   */
  readonly vendorRequests?: number | undefined;
  /** Tokens of audio input, part of `inputTokens`. */
  readonly audioInputTokens?: number | undefined;
  /** Tokens of audio output, part of `outputTokens`. */
  readonly audioOutputTokens?: number | undefined;
  /** The vendor's usage object, untouched; of the last call when summed. */
  readonly providerMetrics?: Readonly<Record<string, unknown>> | undefined;
}
