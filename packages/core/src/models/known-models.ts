import type { ModelPrice } from "../contracts/model-price.ts";
import type { ReasoningConfig } from "../contracts/reasoning-config.ts";
import { listPrices } from "./list-prices.ts";

/** One published model, as its vendor describes it. */
export interface KnownModel {
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  /** Maximum length of one answer, in tokens. */
  readonly maxOutputTokens: number;
  /** Kinds of input in addition to text. */
  readonly input: readonly ("image" | "audio" | "file")[];
  /** Efforts of reasoning that it accepts, weakest first; empty if it accepts none. */
  readonly efforts: readonly NonNullable<ReasoningConfig["effort"]>[];
  /** List price of the standard tier; for models that charge more for long contexts, the price of short ones. */
  readonly price?: ModelPrice | undefined;
  /** Page of the price. */
  readonly source: string;
  /** Month of the price, as year and month. */
  readonly checked: string;
}

const openai = "https://developers.openai.com/api/docs/pricing";
const anthropic = "https://platform.claude.com/docs/en/about-claude/pricing";
const google = "https://ai.google.dev/gemini-api/docs/pricing";

const descriptions: Readonly<Record<`${string}/${string}`, Omit<KnownModel, "price">>> = {
  "openai/gpt-4o": {
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    input: ["image", "file"],
    efforts: [],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-4o-mini": {
    contextWindow: 128_000,
    maxOutputTokens: 16_384,
    input: ["image", "file"],
    efforts: [],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-4.1": {
    contextWindow: 1_047_576,
    maxOutputTokens: 32_768,
    input: ["image", "file"],
    efforts: [],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-4.1-mini": {
    contextWindow: 1_047_576,
    maxOutputTokens: 32_768,
    input: ["image", "file"],
    efforts: [],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-4.1-nano": {
    contextWindow: 1_047_576,
    maxOutputTokens: 32_768,
    input: ["image", "file"],
    efforts: [],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5": {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["minimal", "low", "medium", "high"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5-mini": {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["minimal", "low", "medium", "high"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5-nano": {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["minimal", "low", "medium", "high"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5.4": {
    contextWindow: 1_050_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["none", "low", "medium", "high", "xhigh"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5.4-mini": {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["none", "low", "medium", "high", "xhigh"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5.4-nano": {
    contextWindow: 400_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["none", "low", "medium", "high", "xhigh"],
    source: openai,
    checked: "2026-11",
  },
  "openai/gpt-5.5": {
    contextWindow: 1_050_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["none", "low", "medium", "high", "xhigh"],
    source: openai,
    checked: "2026-11",
  },
  "anthropic/claude-fable-5": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-fable-5-1": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-4-1": {
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
    input: ["image", "file"],
    efforts: [],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-4-5": {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-4-6": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-4-7": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-4-8": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-opus-5": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "xhigh", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-sonnet-4": {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    input: ["image", "file"],
    efforts: [],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-sonnet-4-5": {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    input: ["image", "file"],
    efforts: [],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-sonnet-4-6": {
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    input: ["image", "file"],
    efforts: ["low", "medium", "high", "max"],
    source: anthropic,
    checked: "2026-11",
  },
  "anthropic/claude-haiku-4-5": {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    input: ["image", "file"],
    efforts: [],
    source: anthropic,
    checked: "2026-11",
  },
  "google/gemini-2.5-pro": {
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    input: ["image", "audio", "file"],
    efforts: [],
    source: google,
    checked: "2025-12",
  },
  "google/gemini-2.5-flash": {
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    input: ["image", "audio", "file"],
    efforts: [],
    source: google,
    checked: "2025-12",
  },
  "google/gemini-3-pro-preview": {
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    input: ["image", "audio", "file"],
    efforts: ["low", "high"],
    source: google,
    checked: "2025-12",
  },
  "google/gemini-3-flash-preview": {
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    input: ["image", "audio", "file"],
    efforts: ["minimal", "low", "medium", "high"],
    source: google,
    checked: "2026-07",
  },
};

/**
 * Published models by `"provider/model"`. Agents charge these prices, and the adapters use these windows, limits,
 * inputs and efforts. A model of an unknown family is treated like the newest kind of its vendor, and a model that is
 * not listed has no price.
 */
export const knownModels: Readonly<Record<`${string}/${string}`, KnownModel>> = Object.fromEntries(
  Object.entries(descriptions).map(([id, model]) => [id, { ...model, price: listPrices[id as `${string}/${string}`] }]),
);
