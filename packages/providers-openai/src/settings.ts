import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, ReasoningConfig, Warning } from "@bailiwick/core/provider";
import { nearestEffort, type Effort } from "./capabilities.ts";
import type { ModelContext } from "./model-context.ts";

/** The effort to request, if the model accepts one. */
export function effortFor(
  config: ReasoningConfig | undefined,
  { modelId, traits, compat }: ModelContext,
  warnings: Warning[],
): Effort | undefined {
  if (config === undefined) return undefined;
  if (traits.efforts.length === 0 && compat.thinkingSwitch !== undefined) {
    const amount = config.enabled && (config.effort !== undefined || config.budgetTokens !== undefined);
    if (amount && config.effort !== "none")
      warnings.push(unsupportedSetting("reasoning.effort", `${compat.provider} can only turn thinking on and off.`));
    return undefined;
  }
  if (traits.efforts.length === 0) {
    if (config.enabled)
      warnings.push(unsupportedSetting("reasoning", `${modelId} does not accept reasoning settings.`));
    return undefined;
  }
  const asked = config.enabled ? (config.effort ?? effortOfBudget(config.budgetTokens)) : "none";
  if (asked === undefined) return undefined;
  const effort = nearestEffort(asked, traits.efforts);
  if (effort !== asked) {
    warnings.push({
      code: "adjusted_setting",
      message: `${modelId} has no reasoning effort "${asked}": "${effort}" was sent.`,
      subject: "reasoning.effort",
    });
  }
  return effort;
}

/** Converts a budget to an effort, since OpenAI does not accept a budget. */
function effortOfBudget(tokens: number | undefined): Effort | undefined {
  if (tokens === undefined) return undefined;
  if (tokens <= 0) return "none";
  if (tokens <= 4096) return "low";
  return tokens <= 16_384 ? "medium" : "high";
}

/** Temperature and nucleus sampling, which reasoning models refuse. */
export function samplingFor(
  request: ModelRequest,
  effort: Effort | undefined,
  { modelId, traits }: ModelContext,
  warnings: Warning[],
): { readonly temperature?: number; readonly top_p?: number } {
  const taken = !traits.reasons || (effort === "none" && traits.samplesWithoutEffort);
  const result: { temperature?: number; top_p?: number } = {};
  if (request.temperature !== undefined) {
    if (taken) result.temperature = request.temperature;
    else
      warnings.push(
        unsupportedSetting("temperature", `the reasoning model ${modelId} does not accept sampling settings.`),
      );
  }
  if (request.topP !== undefined) {
    if (taken) result.top_p = request.topP;
    else warnings.push(unsupportedSetting("topP", `the reasoning model ${modelId} does not accept sampling settings.`));
  }
  return result;
}
