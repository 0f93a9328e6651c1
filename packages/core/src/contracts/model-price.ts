/** Prices of a model, in US dollars per million tokens. */
export interface ModelPrice {
  /** Input tokens, in US dollars per million. */
  readonly input: number;
  /** Output tokens, reasoning included, in US dollars per million. */
  readonly output: number;
  /** Input from the vendor's cache; default `input`. */
  readonly cachedInput?: number | undefined;
  /** Input written to the vendor's cache; default `input`. */
  readonly cacheWrite?: number | undefined;
}

/** Prices by `"provider/model"`. A dated model id falls back to the entry without the date. */
export type PriceTable = Readonly<Record<`${string}/${string}`, ModelPrice>>;
