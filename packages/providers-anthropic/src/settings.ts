import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, ReasoningConfig, Warning } from "@bailiwick/core/provider";
import { nearestEffort, type Effort } from "./capabilities.ts";
import type { ModelContext } from "./model-context.ts";
import type { AnthropicCallOptions } from "./options.ts";
import { adjusted } from "./warnings.ts";

/** If and how much the model thinks in a request. */
export interface ThinkingSettings {
  /** The vendor's setting; `undefined` leaves it to the model. */
  readonly thinking?: Readonly<Record<string, unknown>>;
  readonly effort?: Effort;
  /** True if the model will or may think: then nothing can be forced or sampled. */
  readonly on: boolean;
}

/** Facts that decide about thinking, in addition to the request. */
export interface ThinkingPlace {
  /** The limit of output tokens that is sent. */
  readonly maxTokens: number;
  /** True if a tool must be forced. */
  readonly forced: boolean;
  /** An open loop of tool calls does not begin with thinking, as a budget demands. */
  readonly loopWithoutThinking: boolean;
}

/** The minimum budget of the vendor. */
const minBudget = 1024;

/** The settings for thinking, if the model accepts any. */
export function thinkingFor(
  request: ModelRequest,
  options: AnthropicCallOptions,
  context: ModelContext,
  place: ThinkingPlace,
  warnings: Warning[],
): ThinkingSettings {
  const { traits, modelId } = context;
  const config = request.reasoning;
  const effort = options.effort === undefined ? {} : effortOf(options.effort, context, warnings);
  if (config !== undefined && (!config.enabled || config.effort === "none"))
    return thinkingOff(effort, context, warnings);
  if (config === undefined) {
    // A model that thinks by default would refuse a forced call.
    if (place.forced && traits.thinkingOff === "disabled") return thinkingOff(effort, context, warnings);
    // A model that always thinks would show nothing of it.
    const shown =
      traits.thinkingOff === "never" ? { thinking: { type: "adaptive", display: "summarized" } as const } : {};
    return { ...shown, ...effort, on: traits.thinkingOff !== "omit" };
  }
  if (traits.thinking === "none") {
    warnings.push(unsupportedSetting("reasoning", `${modelId} does not support thinking.`));
    return { on: false };
  }
  if (traits.thinking === "adaptive") {
    const asked = config.effort ?? effortOfBudget(config.budgetTokens);
    const chosen = asked === undefined ? effort : effortOf(asked, context, warnings);
    const display = config.summary === "none" ? "omitted" : "summarized";
    return { thinking: { type: "adaptive", display }, ...chosen, on: true };
  }
  return thinkingWithBudget(config, effort, context, place, warnings);
}

function thinkingOff(
  effort: { readonly effort?: Effort },
  { traits, modelId }: ModelContext,
  warnings: Warning[],
): ThinkingSettings {
  switch (traits.thinkingOff) {
    case "omit":
      return { ...effort, on: false };
    case "disabled":
    case "between_tools": {
      // The highest levels always think.
      const strongest = effort.effort === "xhigh" || effort.effort === "max" ? { effort: "high" as const } : effort;
      if (strongest !== effort)
        warnings.push(
          adjusted("effort", `Without thinking, the highest effort of ${modelId} is "high", so "high" was sent.`),
        );
      return { thinking: { type: traits.thinkingOff }, ...strongest, on: traits.thinkingOff === "between_tools" };
    }
    case "never":
      warnings.push(adjusted("reasoning", `${modelId} cannot turn thinking off, so its lowest effort was sent.`));
      return { effort: "low", on: true };
  }
}

function thinkingWithBudget(
  config: ReasoningConfig,
  effort: { readonly effort?: Effort },
  context: ModelContext,
  place: ThinkingPlace,
  warnings: Warning[],
): ThinkingSettings {
  const { modelId, traits } = context;
  if (place.loopWithoutThinking) {
    warnings.push(
      unsupportedSetting(
        "reasoning",
        `the open tool calls have no thinking of ${modelId}. Thinking is on again after their results.`,
      ),
    );
    return { ...effort, on: false };
  }
  if (place.maxTokens <= minBudget) {
    warnings.push(
      unsupportedSetting(
        "reasoning",
        `thinking takes at least ${minBudget} tokens, and "maxTokens" is ${place.maxTokens}.`,
      ),
    );
    return { ...effort, on: false };
  }
  const asked = config.budgetTokens ?? budgetOfEffort(config.effort ?? "medium");
  const budget = Math.min(Math.max(asked, minBudget), place.maxTokens - 1);
  if (budget !== asked && config.budgetTokens !== undefined) {
    warnings.push(
      adjusted(
        "reasoning.budgetTokens",
        `A thinking budget is from ${minBudget} to "maxTokens": ${budget} was sent instead of ${asked}.`,
      ),
    );
  }
  const level =
    config.effort === undefined || traits.efforts.length === 0 ? effort : effortOf(config.effort, context, warnings);
  return { thinking: { type: "enabled", budget_tokens: budget }, ...level, on: true };
}

function effortOf(
  asked: NonNullable<ReasoningConfig["effort"]>,
  { traits, modelId }: ModelContext,
  warnings: Warning[],
): { readonly effort?: Effort } {
  if (traits.efforts.length === 0) {
    warnings.push(unsupportedSetting("effort", `${modelId} takes none.`));
    return {};
  }
  const effort = nearestEffort(asked, traits.efforts);
  if (effort !== asked)
    warnings.push(adjusted("reasoning.effort", `${modelId} has no effort "${asked}": "${effort}" was sent.`));
  return effort === undefined ? {} : { effort };
}

/** A budget as an effort, for models that take no budget. */
function effortOfBudget(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined) return undefined;
  if (tokens <= 4096) return "low";
  if (tokens <= 16_384) return "medium";
  return tokens <= 32_768 ? "high" : "xhigh";
}

/** An effort as a budget, for models that take no effort. */
function budgetOfEffort(effort: NonNullable<ReasoningConfig["effort"]>): number {
  const budgets = { none: 0, minimal: minBudget, low: 4096, medium: 10_000, high: 24_000, xhigh: 32_000, max: 48_000 };
  return budgets[effort];
}
