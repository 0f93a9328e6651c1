import { knownModel } from "@bailiwick/core/provider";
import type { ModelCapabilities, ReasoningConfig } from "@bailiwick/core/provider";
import type { AnthropicOptions } from "./options.ts";

/** Effort levels of the vendor, weakest first. */
export type Effort = Extract<ReasoningConfig["effort"], "low" | "medium" | "high" | "xhigh" | "max">;

/** Traits of a model beyond those that the runner uses. */
export interface ModelTraits {
  /** The form of a request for thinking: a budget in tokens, or `adaptive`, where the model decides. */
  readonly thinking: "none" | "budget" | "adaptive";
  /** The way to turn thinking off: off by default, by `disabled`, by `between_tools`, or never. */
  readonly thinkingOff: "omit" | "disabled" | "between_tools" | "never";
  /** Accepted effort levels, weakest first; empty if there are none. */
  readonly efforts: readonly Effort[];
  /** Accepted sampling settings: any, temperature or nucleus but not both, or none. */
  readonly sampling: "all" | "one" | "none";
  /** True if a tool call can be forced while the model thinks. */
  readonly forcesWhileThinking?: boolean | undefined;
  /** True if a conversation may end with the beginning of an answer. */
  readonly prefill: boolean;
  /** True if schemas of tools can be enforced. */
  readonly strictTools: boolean;
  /**
   * True if thinking may be sent back without a signature: servers of other makers issue none, but require thinking
   * back.
   */
  readonly unsignedThinking: boolean;
}

interface ModelRow {
  readonly ids: RegExp;
  readonly traits: ModelTraits;
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  /** Default: with tools, like strict tools. */
  readonly structuredOutput?: ModelCapabilities["structuredOutput"];
}

const everyEffort: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];

/** Models whose thinking is adaptive, with limits of the current generation. */
function adaptive(thinkingOff: ModelTraits["thinkingOff"], more: Partial<ModelTraits> = {}): Omit<ModelRow, "ids"> {
  return {
    traits: {
      thinking: "adaptive",
      thinkingOff,
      efforts: everyEffort,
      sampling: "none",
      prefill: false,
      strictTools: true,
      unsignedThinking: false,
      ...more,
    },
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
  };
}

/** Models whose thinking takes a budget. */
function budgeted(maxOutputTokens: number, more: Partial<ModelTraits> = {}): Omit<ModelRow, "ids"> {
  const traits: ModelTraits = {
    thinking: "budget",
    thinkingOff: "omit",
    efforts: [],
    sampling: "all",
    prefill: true,
    strictTools: false,
    unsignedThinking: false,
    ...more,
  };
  return {
    traits,
    contextWindow: 200_000,
    maxOutputTokens,
    structuredOutput: traits.strictTools ? "with-tools" : "none",
  };
}

const strictOne: Partial<ModelTraits> = { strictTools: true, sampling: "one" };

const fourSix: Partial<ModelTraits> = { sampling: "one", efforts: ["low", "medium", "high", "max"] };

/**
 * Families of models, first match wins. Ids may carry a platform's prefix, a date or a version. The row of a listed model
 * wins over its family; see `knownModels`.
 */
const models: readonly ModelRow[] = [
  { ids: /claude-(opus|sonnet|haiku)-5(?![-.]?\d{1,2}(?!\d))/, ...adaptive("disabled") },
  { ids: /claude-(sonnet|haiku)-5[-.]\d/, ...adaptive("between_tools") },
  { ids: /claude-(opus|fable|mythos)-5/, ...adaptive("never") },
  { ids: /claude-mythos/, ...adaptive("never") },
  { ids: /claude-opus-4[-.][78](?!\d)/, ...adaptive("omit") },
  { ids: /claude-opus-4[-.]6(?!\d)/, ...adaptive("omit", { ...fourSix, forcesWhileThinking: true }) },
  { ids: /claude-sonnet-4[-.]6(?!\d)/, ...adaptive("omit", fourSix) },
  { ids: /claude-opus-4[-.]5(?!\d)/, ...budgeted(64_000, { ...strictOne, efforts: ["low", "medium", "high"] }) },
  { ids: /claude-(sonnet|haiku)-4[-.]5(?!\d)/, ...budgeted(64_000, strictOne) },
  { ids: /claude-opus-4[-.]1(?!\d)/, ...budgeted(32_000, { sampling: "one" }) },
  { ids: /claude-opus-4/, ...budgeted(32_000) },
  { ids: /claude-(sonnet-4|3[-.]7)/, ...budgeted(64_000) },
  { ids: /claude-3[-.]5/, ...budgeted(8192, { thinking: "none" }) },
  { ids: /claude-3/, ...budgeted(4096, { thinking: "none" }) },
];

/** MiniMax refuses a budget: https://github.com/can1357/oh-my-pi/issues/2928. */
const minimax: Omit<ModelRow, "ids"> = {
  traits: adaptive("disabled", {
    efforts: [],
    sampling: "all",
    prefill: true,
    strictTools: false,
    unsignedThinking: true,
  }).traits,
  maxOutputTokens: 8192,
  structuredOutput: "none",
};

/** The traits of an unknown Claude: those of the newest kind, which accepts the fewest settings. */
const newest = adaptive("never");

/** A model of another maker behind a server that speaks this protocol; its limits are not known. */
const foreign: Omit<ModelRow, "ids"> = {
  traits: budgeted(8192, { unsignedThinking: true }).traits,
  maxOutputTokens: 8192,
  structuredOutput: "none",
};

/** A model's family, with the facts of its row in the table of models. */
function rowOf(name: string): Omit<ModelRow, "ids"> {
  const family = models.find(({ ids }) => ids.test(name)) ?? otherRow(name);
  const id = /claude-[\w.-]+/
    .exec(name)?.[0]
    .replaceAll(".", "-")
    .replace(/-v\d.*$/, "");
  const known = id === undefined ? undefined : knownModel("anthropic", id);
  if (known === undefined) return family;
  const efforts = everyEffort.filter((effort) => known.efforts.includes(effort));
  return {
    ...family,
    traits: { ...family.traits, efforts },
    contextWindow: known.contextWindow,
    maxOutputTokens: known.maxOutputTokens,
  };
}

function otherRow(name: string): Omit<ModelRow, "ids"> {
  if (name.includes("claude")) return newest;
  return /minimax/i.test(name) ? minimax : foreign;
}

/** Images that the vendor reads (https://platform.claude.com/docs/en/build-with-claude/vision). */
const images = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** Files that go as documents of plain text (https://platform.claude.com/docs/en/build-with-claude/files). */
const texts = ["text/*", "application/json", "application/xml", "application/yaml", "application/javascript"];

/** The known facts about a model. */
export interface ModelKnowledge {
  readonly capabilities: ModelCapabilities;
  readonly traits: ModelTraits;
}

/**
 * Looks up a model; an unknown Claude gets the newest behaviour.
 *
 * @param modelId - Id as requested.
 * @param options - Capabilities that the caller sets.
 */
export function knowModel(modelId: string, options: AnthropicOptions): ModelKnowledge {
  const name = options.knownAs ?? modelId;
  const row = rowOf(name);
  const capabilities: ModelCapabilities = {
    input: { image: true, audio: false, file: true },
    media: {
      user: {
        types: [...images, "application/pdf", ...texts],
        urls: [...images, "application/pdf"],
        // https://platform.claude.com/docs/en/build-with-claude/vision
        maxImageBytes: 5 * 1024 * 1024,
      },
    },
    toolResultMedia: "native",
    toolCallId: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
    toolName: { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 },
    replaysReasoning: row.traits.thinking !== "none",
    systemAnywhere: false,
    structuredOutput: row.structuredOutput ?? "with-tools",
    // Older models have the larger window as a beta feature.
    contextWindow: options.betas?.some((name) => name.startsWith("context-1m")) ? 1_000_000 : row.contextWindow,
    maxOutputTokens: row.maxOutputTokens,
    forcedToolChoiceWithReasoning: row.traits.forcesWhileThinking ?? false,
    ...options.capabilities,
  };
  return { capabilities, traits: row.traits };
}

/**
 * The nearest effort that a model accepts: the requested one, else the next weaker, else its weakest.
 *
 * @param asked - Effort as asked.
 * @param taken - The model's levels, weakest first.
 */
export function nearestEffort(
  asked: NonNullable<ReasoningConfig["effort"]>,
  taken: readonly Effort[],
): Effort | undefined {
  const order: readonly string[] = ["none", "minimal", ...everyEffort];
  const rank = order.indexOf(asked);
  return taken.findLast((effort) => order.indexOf(effort) <= rank) ?? taken[0];
}
