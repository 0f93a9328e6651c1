import type { ModelPrice } from "../contracts/model-price.ts";
import type { ReasoningConfig } from "../contracts/reasoning-config.ts";

type Effort = NonNullable<ReasoningConfig["effort"]>;

/** One published model, as its vendor describes it. */
export interface KnownModel {
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  /** Maximum length of one answer, in tokens. */
  readonly maxOutputTokens: number;
  /** Kinds of input in addition to text. */
  readonly input: readonly ("image" | "audio" | "file")[];
  /** Efforts of reasoning that it accepts, weakest first; empty if it is proved to accept none. */
  readonly efforts: readonly Effort[];
  /**
   * Efforts that it accepts over Chat Completions in requests with tools, if they are others; empty if it accepts no tools
   * there.
   */
  readonly chatToolEfforts?: readonly Effort[] | undefined;
  /** List price. */
  readonly price?: ModelPrice | undefined;
  /** The model that answers for this name, if it is another name of a model. */
  readonly aliasOf?: string | undefined;
  /** Page of the vendor's prices. */
  readonly source: string;
  /** Origin of the row: a package with its version, or the page. */
  readonly origin: string;
  /** Day on which the origin was published or read. */
  readonly checked: string;
}
