/** Token counts of one model call, or their sum over a run. */
export interface TokenUsage {
  /** Input tokens, cached ones included. */
  readonly promptTokens: number;
  /** Output tokens, reasoning included. */
  readonly completionTokens: number;
  /** `promptTokens + completionTokens`; reasoning is never added twice. */
  readonly totalTokens: number;
  readonly reasoningTokens?: number | undefined;
  /** Input tokens served from the vendor's cache. */
  readonly cachedTokens?: number | undefined;
  /** Input tokens written to the vendor's cache. */
  readonly cacheWriteTokens?: number | undefined;
  /**
   * Model requests that the vendor made itself inside the call, where it says so: the turns of its own tool loop and its
   * compactions. The other counts are their sum, so that the input may exceed the context window.
   */
  readonly vendorRequests?: number | undefined;
  readonly audioInputTokens?: number | undefined;
  readonly audioOutputTokens?: number | undefined;
  /** The vendor's usage object, untouched; of the last call when summed. */
  readonly providerMetrics?: Readonly<Record<string, unknown>> | undefined;
}
