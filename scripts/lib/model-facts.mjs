// Facts about models that no package lists, each with the page that states it and the day on which it was read. The rest of
// the tables of models comes from packages; see `model-sources.mjs`.

/** @typedef {Readonly<Record<string, any>>} Row one entry of a source */

/** The pages on which the vendors list prices. */
export const pricePages = {
  openai: "https://developers.openai.com/api/docs/pricing",
  anthropic: "https://platform.claude.com/docs/en/about-claude/pricing",
  google: "https://ai.google.dev/gemini-api/docs/pricing",
};

/**
 * Prices of tools that the vendor runs, in dollars for one call.
 *
 * @type {readonly { models: RegExp, calls: Readonly<Record<string, number>>, source: string, checked: string }[]}
 */
export const hostedCalls = [
  // $10 for 1,000 searches.
  { models: /^anthropic\//, calls: { web_search: 0.01 }, source: pricePages.anthropic, checked: "2026-11-28" },
  // $10 for 1,000 web searches and $2.50 for 1,000 file searches. The preview of web search and containers differ by model and size.
  {
    models: /^openai\//,
    calls: { web_search: 0.01, file_search: 0.0025 },
    source: pricePages.openai,
    checked: "2026-11-28",
  },
  // $35 for 1,000 prompts that searched; a free amount a day is not counted.
  { models: /^google\/gemini-2/, calls: { google_search: 0.035 }, source: pricePages.google, checked: "2026-09-20" },
  // $14 for 1,000 queries; a free amount a month is not counted.
  { models: /^google\/gemini-[34]/, calls: { google_search: 0.014 }, source: pricePages.google, checked: "2026-09-20" },
];

/**
 * Prices of audio, in dollars for a million tokens. Pages of models without a separate price have one for all input.
 *
 * @type {readonly { models: RegExp, audioInput: number | "input", source: string, checked: string }[]}
 */
export const audioPrices = [
  { models: /^google\/gemini-2\.5-flash$/, audioInput: 1, source: pricePages.google, checked: "2026-09-20" },
  { models: /^google\/gemini-[\d.]+-pro/, audioInput: "input", source: pricePages.google, checked: "2026-09-20" },
];

/**
 * Factors of tiers that no package lists a price for.
 *
 * @type {readonly { models: RegExp, tier: string, factor: number, source: string, checked: string }[]}
 */
export const tierFactors = [
  {
    models: /^openai\/(gpt-[56](?!.*(pro|cyber|spark|chat))|o3$|o4-mini)/,
    tier: "flex",
    factor: 0.5,
    source: "@earendil-works/pi-ai 1.6.0 (dist/api/openai-responses.js)",
    checked: "2026-11-20",
  },
  {
    models: /^google\//,
    tier: "flex",
    factor: 0.5,
    source: "https://ai.google.dev/gemini-api/docs/optimization",
    checked: "2026-11-28",
  },
];

/** Factor of the price of input for cache writes that Anthropic keeps for an hour, from its price page. */
export const longCacheFactor = 2;

/**
 * Models that accept functions over Chat Completions only without reasoning: "Function tools with reasoning_effort are not
 * supported for this model in /v1/chat/completions. Use /v1/responses or set reasoning_effort to 'none'." (the vendor's 400).
 */
export const noEffortWithTools = /^openai\/gpt-(5\.6|6)/;

/** Input kinds besides text, by vendor, of models that read images. */
export const inputKinds = {
  openai: ["image", "file"],
  anthropic: ["image", "file"],
  google: ["image", "audio", "file"],
};

/**
 * Efforts of models for which the packages list none.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const efforts = {
  "anthropic/claude-opus-4-5": ["low", "medium", "high"],
};

/**
 * Models that the vendors' own lists no longer have, and that other hosts still serve.
 *
 * @type {Readonly<Record<string, Row>>}
 */
export const retired = {
  "anthropic/claude-opus-4-1": {
    contextWindow: 200_000,
    maxOutputTokens: 32_000,
    input: ["image", "file"],
    efforts: [],
    price: { input: 15, cachedInput: 1.5, cacheWrite: 18.75, longCacheWrite: 30, output: 75 },
    source: pricePages.anthropic,
    checked: "2026-11-28",
  },
  "anthropic/claude-sonnet-4": {
    contextWindow: 200_000,
    maxOutputTokens: 64_000,
    input: ["image", "file"],
    efforts: [],
    price: { input: 3, cachedInput: 0.3, cacheWrite: 3.75, longCacheWrite: 6, output: 15 },
    source: pricePages.anthropic,
    checked: "2026-11-28",
  },
  "google/gemini-3-pro-preview": {
    contextWindow: 1_048_576,
    maxOutputTokens: 65_536,
    input: ["image", "audio", "file"],
    efforts: ["low", "high"],
    price: {
      input: 2,
      cachedInput: 0.2,
      output: 12,
      longContext: [{ above: 200_000, input: 4, cachedInput: 0.4, output: 18 }],
    },
    source: pricePages.google,
    checked: "2025-12-31",
  },
};

/** Ids left out of the models for an agent: other endpoints, research agents, models without their own price. */
export const left =
  /computer-use|^chat-latest$|deep-research|robotics|gemma|-image|-tts|embedding|transcribe|native-audio|nano-banana/;
