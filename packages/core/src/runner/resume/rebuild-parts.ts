import type { JournalEventOf } from "../../contracts/journal-event.ts";
import type { ModelProvider, ModelSpec } from "../../contracts/model-provider.ts";
import type { EffectiveSettings } from "../settings/run-settings.ts";
import type { Run } from "../run.ts";

/** Settings without budget and time limits, and without summaries. */
export function unlimited({ contextCompactor, ...settings }: EffectiveSettings): EffectiveSettings {
  return {
    ...settings,
    budget: undefined,
    timeouts: undefined,
    ...(contextCompactor !== undefined && {
      contextCompactor: {
        ...contextCompactor,
        ...(contextCompactor.summarizeModel !== undefined && {
          summarizeModel: unasked(contextCompactor.summarizeModel),
        }),
      },
    }),
  };
}

/** A model that has capabilities and cannot be called. */
export function unasked({ provider, api, modelId, capabilities }: ModelProvider): ModelProvider {
  const refuse = (): never => {
    throw new Error("The request is only made again: no model is asked.");
  };
  return { provider, api, modelId, capabilities, generate: async () => refuse(), stream: refuse };
}

/** The model of the original call, if the agent still has it. */
export function modelOf(run: Run, planned: ModelProvider, intent: JournalEventOf<"model.intent">): ModelProvider {
  const { agent, settings } = run;
  const specs: readonly (ModelSpec | undefined)[] = [
    planned,
    ...(settings.fallback ?? []),
    ...Object.values(settings.modelTiers ?? {}),
    agent.model,
  ];
  const known = specs
    .filter((spec) => spec !== undefined)
    .map((spec) => agent.resolveModel(spec))
    .find(({ provider, modelId }) => provider === intent.modelProvider && modelId === intent.model);
  if (known !== undefined || agent.options.models === undefined) return known ?? planned;
  try {
    return agent.options.models.resolve(`${intent.modelProvider}/${intent.model}`);
  } catch {
    return planned;
  }
}

/** Parts of the agent that differ from those of the recorded call. */
export function changedParts(run: Run, intent: JournalEventOf<"model.intent">): readonly string[] {
  const { state } = run.journal;
  const before = state.start?.tools ?? {};
  const now = Object.fromEntries(run.catalogue.tools.map((tool) => [tool.name, tool.__definitionHash]));
  const tools = [...new Set([...Object.keys(before), ...Object.keys(now), ...intent.tools])].filter(
    (name) => before[name] !== now[name],
  );
  const isOther = state.definitionHash !== run.agent.definitionHash;
  return isOther && tools.length === 0 ? ["instructions or model"] : tools;
}
