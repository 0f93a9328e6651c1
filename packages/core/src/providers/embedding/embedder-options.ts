import { ConfigurationError } from "../../errors/configuration-errors.ts";
import type { Logger } from "../../contracts/ports/logger.ts";

/** Tokens and cost of one request for vectors. */
export interface EmbeddingUsage {
  /** Model that made them, such as `openai/text-embedding-3-small`. */
  readonly model: string;
  /** Texts of the request. */
  readonly texts: number;
  /** Tokens as the vendor counted them; `undefined` if it does not report them. */
  readonly tokens: number | undefined;
  /** Cost in US dollars; `undefined` without tokens or a price. */
  readonly costUsd: number | undefined;
}

/** Settings that every embedder of a vendor has. */
export interface EmbedderSettings {
  /**
   * Length of the vectors. Default: the model's own, if known. A model that can shorten its vectors returns this
   * length.
   */
  readonly dimensions?: number | undefined;
  /** Maximum number of texts of one request. Default: the server's limit. */
  readonly maxBatch?: number | undefined;
  /** Retries after a temporary failure; default 2. */
  readonly maxRetries?: number | undefined;
  /** Price in US dollars per million tokens. Default: the list price, if known. */
  readonly pricePerMillion?: number | undefined;
  /** Receives the usage of each request. An error that it throws is logged. */
  readonly onUsage?: ((usage: EmbeddingUsage) => void) | undefined;
  /** Receives a warning when `onUsage` fails. Default: the console. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** The compiler checks that every setting is listed here: an unlisted one would be refused as unknown. */
const names: { readonly [Name in keyof Required<EmbedderSettings>]: true } = {
  dimensions: true,
  maxBatch: true,
  maxRetries: true,
  pricePerMillion: true,
  onUsage: true,
  logger: true,
};

/** Names of the settings that every embedder has. */
export const embedderOptionNames: readonly string[] = Object.keys(names);

/**
 * Refuses settings that cannot be honoured.
 *
 * @param settings - The caller's settings.
 * @param where - The function that they were given to, such as `openaiEmbedder()`.
 * @throws ConfigurationError `INVALID_OPTION`
 */
export function checkEmbedderSettings(settings: EmbedderSettings, where: string): void {
  const least = { dimensions: 1, maxBatch: 1, maxRetries: 0, pricePerMillion: 0 } as const;
  for (const [name, value] of Object.entries(least)) {
    const given = settings[name as keyof typeof least];
    const whole = name === "pricePerMillion" || Number.isSafeInteger(given);
    if (given === undefined || (Number.isFinite(given) && whole && given >= value)) continue;
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${where} takes a number from ${value} as "${name}", not ${String(given)}.`,
    );
  }
}
