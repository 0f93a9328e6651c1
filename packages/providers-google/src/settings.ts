import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, ReasoningConfig, Warning } from "@bailiwick/core/provider";
import { nearestLevel } from "./capabilities.ts";
import type { ModelContext } from "./model-context.ts";

type Effort = NonNullable<ReasoningConfig["effort"]>;

/** Maximum number of stop sequences of the vendor. */
const maxStopSequences = 5;

/** Sampling settings and limits for `generationConfig`. */
export function generationSettings(request: ModelRequest, context: ModelContext, warnings: Warning[]): object {
  const { stopSequences = [] } = request;
  if (stopSequences.length > maxStopSequences) {
    warnings.push(
      unsupportedSetting("stopSequences", "only the first five were sent, because the vendor accepts at most five."),
    );
  }
  return {
    ...samplingFor("temperature", request.temperature, context, warnings),
    ...samplingFor("topP", request.topP, context, warnings),
    ...(request.maxTokens === undefined ? {} : { maxOutputTokens: request.maxTokens }),
    ...(stopSequences.length === 0 ? {} : { stopSequences: stopSequences.slice(0, maxStopSequences) }),
  };
}

/**
 * A sampling setting, if the model accepts it.
 *
 * @param name - Its name, here and on the wire.
 * @param value - As asked.
 */
export function samplingFor(
  name: "temperature" | "topP" | "topK",
  value: number | undefined,
  { modelId, traits }: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, number>> {
  if (value === undefined) return {};
  if (traits.samples) return { [name]: value };
  warnings.push(unsupportedSetting(name, `${modelId} does not accept sampling settings.`));
  return {};
}

/** `thinkingConfig`: a level for the third generation, a budget for the second. */
export function thinkingFor(
  config: ReasoningConfig | undefined,
  context: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, unknown>> | undefined {
  if (config === undefined) return undefined;
  const { traits, modelId } = context;
  if (traits.thinking === "none") {
    if (config.enabled)
      warnings.push(unsupportedSetting("reasoning", `${modelId} does not accept reasoning settings.`));
    return undefined;
  }
  const amount = traits.thinking === "level" ? levelOf(config, context, warnings) : budgetOf(config, context, warnings);
  const thinks = config.enabled && amount["thinkingBudget"] !== 0;
  return { ...amount, ...(thinks && config.summary !== "none" ? { includeThoughts: true } : {}) };
}

function levelOf(
  config: ReasoningConfig,
  { modelId, traits }: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, unknown>> {
  const asked = config.enabled ? (config.effort ?? effortOfBudget(config.budgetTokens)) : "none";
  if (asked === undefined) return {};
  const level = nearestLevel(asked, traits.levels);
  if (level === undefined) return {};
  if (level !== asked) warnings.push(adjusted("reasoning.effort", `"${asked}" is not one of ${modelId}: "${level}"`));
  return { thinkingLevel: level.toUpperCase() };
}

/** A budget as an effort, because the third generation uses levels. */
function effortOfBudget(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined) return undefined;
  if (tokens <= 0) return "none";
  if (tokens <= 4096) return "low";
  return tokens <= 16_384 ? "medium" : "high";
}

/** Efforts as budgets; an effort above a model's maximum is lowered to the maximum. */
const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};

function budgetOf(
  config: ReasoningConfig,
  { modelId, traits: { budget } }: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, unknown>> {
  const effort = config.enabled ? config.effort : "none";
  const asked = effort === undefined ? config.budgetTokens : budgets[effort];
  if (asked === undefined) return {};
  if (asked <= 0 && budget.off) return { thinkingBudget: 0 };
  const sent = Math.min(Math.max(asked, budget.least), budget.most);
  if (asked <= 0) warnings.push(adjusted("reasoning", `${modelId} cannot do without thinking: a budget of ${sent}`));
  else if (sent !== asked && effort === undefined) {
    warnings.push(adjusted("reasoning.budgetTokens", `${asked} is outside what ${modelId} takes: ${sent}`));
  }
  return { thinkingBudget: sent };
}

function adjusted(subject: string, what: string): Warning {
  return { code: "adjusted_setting", message: `Reasoning: ${what} was sent.`, subject };
}

/** Settings that the vendor's cache does not support. */
export function warnOfCaching({ caching }: ModelRequest, { modelId, traits }: ModelContext, warnings: Warning[]): void {
  if (caching === false && traits.cachesPrefixes) {
    warnings.push(unsupportedSetting("caching", `${modelId} always caches, and this API cannot turn that off.`));
  }
  // Later models cache common prefixes automatically, so cache marks are not needed.
  if (caching === "shared" && !traits.cachesPrefixes) {
    warnings.push(
      unsupportedSetting(
        "caching",
        `${modelId} does not cache on its own. Create a cache and pass its name as "cachedContent".`,
      ),
    );
  }
}
