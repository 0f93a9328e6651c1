import type { KnownModel } from "./known-model.ts";
import { anthropicModels } from "./tables/anthropic.ts";
import { googleModels } from "./tables/google.ts";
import { openaiModels } from "./tables/openai.ts";

/**
 * Published models by `"provider/model"`, one table for each vendor. Agents charge these prices, and the adapters use these
 * windows, limits, inputs and efforts. A model that is not listed behaves like the newest kind of its vendor, and has no
 * price.
 */
export const knownModels: Readonly<Record<`${string}/${string}`, KnownModel>> = {
  ...openaiModels,
  ...anthropicModels,
  ...googleModels,
};

/**
 * The row of a model; that of its undated name if a dated one has none.
 *
 * @param provider - Id of the vendor, such as `openai`.
 * @param model - Id of the model, such as `gpt-5.6`.
 */
export function knownModel(provider: string, model: string): KnownModel | undefined {
  return (
    knownModels[`${provider}/${model}`] ??
    knownModels[`${provider}/${model.replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, "")}`]
  );
}
