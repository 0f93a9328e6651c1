import { unsupportedSetting } from "@bailiwick/core/provider";
import type { ModelRequest, Warning } from "@bailiwick/core/provider";
import type { ModelContext } from "./model-context.ts";
import type { AnthropicCallOptions } from "./options.ts";
import { adjusted } from "./warnings.ts";

/** Fields of a request with sampling settings. */
export const samplingFields = ["temperature", "top_p", "top_k"] as const;

/**
 * Sampling settings of a request. The API rejects them with thinking; newer models and API versions
 * reject them always.
 */
export function samplingFor(
  request: ModelRequest,
  options: AnthropicCallOptions,
  thinks: boolean,
  context: ModelContext,
  warnings: Warning[],
): Readonly<Record<string, number>> {
  const why = refusal(thinks, context);
  const result: Record<string, number> = {};
  const take = (field: string, setting: string, value: number | undefined): void => {
    if (value === undefined) return;
    if (why === undefined) result[field] = value;
    else warnings.push(unsupportedSetting(setting, why));
  };
  take("temperature", "temperature", request.temperature);
  take("top_p", "topP", request.topP);
  take("top_k", "topK", options.topK);
  const { temperature = 0 } = result;
  if (temperature > 1) {
    warnings.push(
      adjusted("temperature", `Anthropic accepts a temperature up to 1: 1 was sent instead of ${temperature}.`),
    );
    result["temperature"] = 1;
  }
  if (context.traits.sampling === "one" && "temperature" in result && "top_p" in result) {
    warnings.push(unsupportedSetting("topP", `${context.modelId} takes "temperature" or "topP", not both.`));
    delete result["top_p"];
  }
  return result;
}

/** The reason why sampling is impossible, if it is. */
function refusal(thinks: boolean, { modelId, traits, sampling }: ModelContext): string | undefined {
  if (traits.sampling === "none") return `${modelId} does not accept sampling settings.`;
  if (sampling === "none")
    return 'this version of the API does not accept sampling settings. Pass an older "apiVersion" to anthropic().';
  return thinks ? "sampling settings do not apply while the model thinks." : undefined;
}
