import { knownModel } from "@bailiwick/core/provider";
import type { ModelCapabilities, ReasoningConfig } from "@bailiwick/core/provider";
import type { GoogleOptions } from "./options.ts";

/** Thinking levels of the vendor, weakest first. */
export type ThinkingLevel = "minimal" | "low" | "medium" | "high" | "xhigh";

/** Traits of a model beyond those that the runner uses. */
export interface ModelTraits {
  /** True if it is of the third generation: calls have ids and signatures, and both must be sent back. */
  readonly thirdGeneration: boolean;
  /** The form of the thinking setting: a level, a budget in tokens, or none. */
  readonly thinking: "level" | "budget" | "none";
  /** Accepted levels, weakest first. */
  readonly levels: readonly ThinkingLevel[];
  /** Minimum and maximum budget, and true if 0 turns thinking off. */
  readonly budget: { readonly least: number; readonly most: number; readonly off: boolean };
  /** True if instructions are separate from the conversation. */
  readonly systemInstruction: boolean;
  /** True if functions can be offered. */
  readonly functions: boolean;
  /** True if calls can be bound to the schemas of functions without forcing a call. */
  readonly validatesCalls: boolean;
  /** True if it accepts sampling settings; from Gemini 3.6 on they are refused. */
  readonly samples: boolean;
  /** True if shared prefixes are cached automatically. */
  readonly cachesPrefixes: boolean;
}

interface ModelRow {
  readonly ids: RegExp;
  readonly traits: ModelTraits;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Default: everything. */
  readonly input?: Partial<ModelCapabilities["input"]>;
  readonly structuredOutput?: ModelCapabilities["structuredOutput"];
}

const noBudget: ModelTraits["budget"] = { least: 0, most: 0, off: true };

const second: ModelTraits = {
  thirdGeneration: false,
  thinking: "none",
  levels: [],
  budget: noBudget,
  systemInstruction: true,
  functions: true,
  validatesCalls: false,
  samples: true,
  cachesPrefixes: false,
};

function budgeted(least: number, most: number, off: boolean): ModelTraits {
  return { ...second, thinking: "budget", budget: { least, most, off }, validatesCalls: true, cachesPrefixes: true };
}

function levelled(levels: readonly ThinkingLevel[], samples = true): ModelTraits {
  return {
    ...second,
    thirdGeneration: true,
    thinking: levels.length > 0 ? "level" : "none",
    levels,
    validatesCalls: true,
    samples,
    cachesPrefixes: true,
  };
}

const million = { contextWindow: 1_048_576, maxOutputTokens: 65_536 } as const;
const pictures = { contextWindow: 65_536, maxOutputTokens: 32_768 } as const;
const everyLevel: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high", "xhigh"];
const allLevels: readonly ThinkingLevel[] = ["minimal", "low", "medium", "high"];
const usualLevels: readonly ThinkingLevel[] = ["low", "medium", "high"];

/**
 * Families of models, first match wins. Ids may carry a version or a date. The row of a listed model wins over its family;
 * see `knownModels`.
 */
const models: readonly ModelRow[] = [
  {
    ids: /^gemma-3/,
    traits: { ...second, systemInstruction: false, functions: false },
    contextWindow: 131_072,
    maxOutputTokens: 8192,
    input: { audio: false, file: false },
    structuredOutput: "none",
  },
  {
    ids: /-tts/,
    traits: { ...second, functions: false },
    contextWindow: 32_768,
    maxOutputTokens: 16_384,
    input: { image: false, audio: false, file: false },
    structuredOutput: "none",
  },
  { ids: /^gemini-1\.5-pro/, traits: second, contextWindow: 2_097_152, maxOutputTokens: 8192 },
  { ids: /^gemini-(1|2\.0)/, traits: second, contextWindow: 1_048_576, maxOutputTokens: 8192 },
  {
    ids: /^gemini-2\.5-flash-image/,
    traits: { ...second, functions: false },
    ...pictures,
    structuredOutput: "none",
  },
  { ids: /^gemini-2\.5-flash-lite/, traits: budgeted(512, 24_576, true), ...million },
  { ids: /^gemini-2\.5-flash/, traits: budgeted(1, 24_576, true), ...million },
  { ids: /^gemini-2/, traits: budgeted(128, 32_768, false), ...million },
  { ids: /^gemini-3(\.\d+)?-(pro|flash)(-lite)?-image/, traits: { ...levelled([]), functions: false }, ...pictures },
  { ids: /^gemini-3(\.[1-4])?-flash-lite/, traits: levelled(allLevels), ...million },
  { ids: /^gemini-3\.\d+-flash-lite|^gemini-3\.6-flash/, traits: levelled(allLevels, false), ...million },
  { ids: /^gemini-3(\.[1-5])?-flash/, traits: levelled(allLevels), ...million },
  { ids: /^gemini-3-pro/, traits: levelled(["low", "high"]), ...million },
  { ids: /^gemini-3(\.[1-5])?-pro/, traits: levelled(usualLevels), ...million },
  { ids: /^gemini-3\.\d+-(flash|pro)/, traits: levelled(usualLevels, false), ...million },
];

/** Record of a model that is not in the table: the newest kind, with unknown limits. */
const newest: ModelRow = { ids: /(?:)/, traits: levelled(usualLevels, false) };

/**
 * Media that the vendor reads (https://ai.google.dev/gemini-api/docs/image-understanding, `audio`, `video-understanding`,
 * `document-processing` beside it).
 */
const mediaTypes = [
  ..."png jpeg webp heic".split(" ").map((name) => `image/${name}`),
  ..."wav mpeg aiff aac x-aac ogg flac m4a mp4 webm pcm".split(" ").map((name) => `audio/${name}`),
  ..."mp4 mpeg quicktime mov avi x-flv mpg webm wmv 3gpp".split(" ").map((name) => `video/${name}`),
  ..."plain html css md markdown csv xml rtf javascript".split(" ").map((name) => `text/${name}`),
  "application/pdf",
];

/** The known facts about a model. */
export interface ModelKnowledge {
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
}

/** A model's family, with the facts of its row in the table of models. */
function rowOf(name: string): ModelRow {
  const family = models.find(({ ids }) => ids.test(name)) ?? newest;
  const known = knownModel("google", name);
  if (known === undefined) return family;
  return {
    ...family,
    traits: { ...family.traits, levels: everyLevel.filter((level) => known.efforts.includes(level)) },
    contextWindow: known.contextWindow,
    maxOutputTokens: known.maxOutputTokens,
  };
}

/**
 * Looks up a model; an unknown one gets the newest behaviour.
 *
 * @param modelId - Id as requested.
 * @param options - Capabilities that the caller sets.
 */
export function knowModel(modelId: string, options: GoogleOptions): ModelKnowledge {
  const name = (options.knownAs ?? modelId).replace(/^.*\//, "");
  const row = rowOf(name);
  const { traits } = row;
  const capabilities: ModelCapabilities = {
    input: { image: true, audio: true, file: true, ...row.input },
    media: { user: { types: mediaTypes } },
    toolResultMedia: traits.thirdGeneration ? "native" : "following-user-message",
    toolCallId: traits.thirdGeneration ? { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 } : {},
    toolName: { pattern: /^[a-zA-Z_][a-zA-Z0-9_-]*$/, maxLength: 64 },
    replaysReasoning: true,
    systemAnywhere: false,
    structuredOutput: row.structuredOutput ?? (traits.thirdGeneration ? "with-tools" : "without-tools"),
    contextWindow: row.contextWindow,
    maxOutputTokens: row.maxOutputTokens,
    forcedToolChoiceWithReasoning: true,
    ...options.capabilities,
  };
  return { capabilities, traits };
}

/**
 * The nearest level that a model accepts: the requested one, else the next weaker, else its weakest.
 *
 * @param asked - Effort as asked.
 * @param taken - The model's levels, weakest first.
 */
export function nearestLevel(
  asked: NonNullable<ReasoningConfig["effort"]>,
  taken: readonly ThinkingLevel[],
): ThinkingLevel | undefined {
  const order: readonly string[] = ["none", ...everyLevel, "max"];
  const rank = order.indexOf(asked);
  return taken.findLast((level) => order.indexOf(level) <= rank) ?? taken[0];
}
