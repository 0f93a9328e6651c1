import { ConfigurationError, unsupportedSetting } from "@bailiwick/core/provider";
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
  if (traits.efforts.length === 0 && traits.thinkingSwitch !== undefined) {
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
  // A switch turns thinking off where no effort does.
  if (asked === "none" && traits.thinkingSwitch !== undefined && !traits.efforts.includes("none")) return undefined;
  const effort = nearestEffort(asked, traits.efforts);
  if (effort === undefined) {
    warnings.push(
      unsupportedSetting(
        "reasoning.effort",
        `${modelId} only accepts "none" as effort: it reasons as it does by default.`,
      ),
    );
  } else if (effort !== asked) {
    warnings.push({
      code: "adjusted_setting",
      message: `${modelId} has no reasoning effort "${asked}": "${effort}" was sent.`,
      subject: "reasoning.effort",
    });
  }
  return effort;
}

/**
 * The effort of a request over Chat Completions that offers tools: some models accept them only without reasoning.
 *
 * @param effort - As the model accepts it without tools.
 * @throws ConfigurationError `INVALID_OPTION` if the model accepts no tools over this API.
 */
export function effortWithTools(
  effort: Effort | undefined,
  { modelId, traits: { chatToolEfforts } }: ModelContext,
  warnings: Warning[],
): Effort | undefined {
  if (chatToolEfforts === undefined || (effort !== undefined && chatToolEfforts.includes(effort))) return effort;
  const [accepted] = chatToolEfforts;
  if (accepted === undefined) {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `${modelId} does not accept tools over Chat Completions. Use the Responses API: pass api: "responses" to openai().`,
    );
  }
  warnings.push({
    code: "adjusted_setting",
    message: `${modelId} accepts tools over Chat Completions only with effort "${accepted}", which was sent. Over the Responses API it reasons with tools.`,
    subject: "reasoning.effort",
  });
  return accepted;
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
