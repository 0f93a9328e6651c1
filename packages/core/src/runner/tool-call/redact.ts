import type { ActiveRun } from "../active-run.ts";
import { toolOf } from "./call.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";

/**
 * Keeps from the model what it may not see: the payload of `secret` tools, and what the flow policy quarantines. It
 * reads a reference instead.
 */
export function redact(presentation: Presentation): void {
  const { call, outcome } = presentation;
  const secret = call.tool?.sensitivity === "secret" && !mayAllReadSecrets(call.run);
  if (outcome.failure !== undefined) {
    if (secret && !presentation.ownText) {
      refuse(
        presentation,
        outcome.failure.kind,
        `"${call.toolName}" failed. What it said is withheld, because its results are secret.`,
      );
    }
    return;
  }
  if (presentation.ownText || outcome.simulated === true || call.tool === undefined) return;
  const { flow } = call.run;
  const tool = toolOf(call);
  // A model that may see secrets is shown them.
  if (flow !== undefined && (secret || tool.sensitivity !== "secret")) {
    const shown = flow.quarantine(
      { turn: call.turn, index: call.index, toolCallId: call.toolCallId, tool, input: call.input, args: call.args },
      presentation.output,
    );
    if (shown !== presentation.output) {
      presentation.content = typeof shown === "string" ? shown : JSON.stringify(shown);
      if (secret) presentation.output = shown;
      return;
    }
  }
  if (!secret) return;
  const reference = { $ref: `${call.key}/output`, type: typeName(presentation.output), length: lengthOf(presentation) };
  presentation.content = JSON.stringify(reference);
  presentation.output = reference;
}

/** Whether every model that may read the conversation is registered for secrets; a hook may choose any. */
function mayAllReadSecrets({ definition, settings }: ActiveRun): boolean {
  if (settings.prepareStep !== undefined) return false;
  const specs = [settings.model, ...(settings.fallback ?? []), ...Object.values(settings.modelTiers ?? {})].filter(
    (spec) => spec !== undefined,
  );
  const models = [definition.model, ...specs.map((spec) => definition.resolveModel(spec))];
  return models.every(({ capabilities }) => capabilities.accepts === "secret");
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function lengthOf(presentation: Presentation): number {
  const { output } = presentation;
  return typeof output === "string" ? output.length : (JSON.stringify(output) ?? "").length;
}
