/** Prices of tokens, in US dollars per million. A kind of token that is billed and has no price makes a cost unknown. */
export interface TokenPrices {
  /** Input tokens. */
  readonly input: number;
  /** Output tokens, reasoning included. */
  readonly output: number;
  /** Input from the vendor's cache; default `input`. */
  readonly cachedInput?: number | undefined;
  /** Input written to the vendor's cache for minutes; default `input`. */
  readonly cacheWrite?: number | undefined;
  /** Input written to the vendor's cache for an hour; default `input`, but unknown if there is a `cacheWrite`. */
  readonly longCacheWrite?: number | undefined;
  /** Audio input; unknown by default. */
  readonly audioInput?: number | undefined;
  /** Audio from the vendor's cache; unknown by default. */
  readonly cachedAudioInput?: number | undefined;
  /** Audio output; unknown by default. */
  readonly audioOutput?: number | undefined;
}

/** Factors on the prices of tokens, by service tier: `{ priority: 2, flex: 0.5, batch: 0.5, fast: 2 }`. */
export type TierFactors = Readonly<Record<string, number>>;

/** Prices of requests whose input is longer than `above` tokens: all their tokens cost this. */
export interface LongContextPrices extends TokenPrices {
  /** Tokens of input above which these prices count. */
  readonly above: number;
  /** Factors of these requests; default: those of the model. */
  readonly tiers?: TierFactors | undefined;
}

/** Prices of a model, in US dollars: of tokens per million, of the vendor's tools per call. */
export interface ModelPrice extends TokenPrices {
  /** Prices of requests with longer input, shortest first. */
  readonly longContext?: readonly LongContextPrices[] | undefined;
  /** Factors of the service tiers. The cost of a call that another tier answered is unknown. */
  readonly tiers?: TierFactors | undefined;
  /** Factors of regions, such as `{ us: 1.1 }`. The cost of a call bound to another region is unknown. */
  readonly regions?: Readonly<Record<string, number>> | undefined;
  /** US dollars for one call of a tool that the vendor runs, by name. The cost of a call with others is unknown. */
  readonly hostedCalls?: Readonly<Record<string, number>> | undefined;
}

/** Prices by `"provider/model"`. A dated model id falls back to the entry without the date. */
export type PriceTable = Readonly<Record<`${string}/${string}`, ModelPrice>>;
