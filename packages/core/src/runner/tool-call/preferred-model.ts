import type { ModelSpec } from "../../contracts/model-provider.ts";
import type { ModelHint } from "../../contracts/vocabularies.ts";
import type { Batch } from "./call.ts";

const hints: ReadonlySet<unknown> = new Set<ModelHint>(["fast", "balanced", "smart"]);

/** The model that a tool of this turn wants its result read by; the last call in the model's order decides. */
export function nextModelOf(batch: Batch): ModelSpec | undefined {
  let model: ModelSpec | undefined;
  for (const call of batch.calls) {
    const { outcome } = call.state;
    const preferred = call.run.catalogue.get(call.toolName)?.__preferredModel;
    if (preferred === undefined || outcome === undefined || outcome.failure !== undefined) continue;
    const spec = isHint(preferred) ? call.run.settings.modelTiers?.[preferred] : preferred;
    if (spec !== undefined) model = spec;
  }
  return model;
}

function isHint(preferred: ModelHint | ModelSpec): preferred is ModelHint {
  return hints.has(preferred);
}
