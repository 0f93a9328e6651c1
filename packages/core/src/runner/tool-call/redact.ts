import type { FlowCall } from "../../contracts/ports/security.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { ToolErrorKind } from "../../contracts/vocabularies.ts";
import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { refuse } from "./presentation.ts";
import type { Presentation } from "./presentation.ts";
import type { Run } from "../run.ts";

/**
 * Replaces content that the model may not see by references: the payload of `secret` tools, and results that the flow
 * policy quarantines.
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
    } else withhold(presentation);
    return;
  }
  if (presentation.failure !== undefined) withhold(presentation);
  if (presentation.ownText || outcome.simulated === true || call.tool === undefined) return;
  const { flow } = call.run;
  const tool = toolOf(call);
  // A model that may see secrets is shown them.
  if (flow !== undefined && (secret || tool.sensitivity !== "secret")) {
    const shown = flow.quarantine(flowCall(call, tool), presentation.output);
    if (shown !== presentation.output) {
      presentation.content = typeof shown === "string" ? shown : JSON.stringify(shown);
      presentation.isRedacted = true;
      if (secret) presentation.output = shown;
      return;
    }
  }
  if (!secret) return;
  const reference = { $ref: `${call.key}/output`, type: typeName(presentation.output), length: lengthOf(presentation) };
  presentation.content = JSON.stringify(reference);
  presentation.isRedacted = true;
  presentation.output = reference;
}

function flowCall(call: PipelineCall, tool: ResolvedTool): FlowCall {
  const { turn, index, toolCallId, input, args } = call;
  return { turn, index, toolCallId, tool, input, args };
}

/** Failures whose text may contain parts of a tool's result or arguments; those of other kinds are the framework's. */
const quoting: ReadonlySet<ToolErrorKind> = new Set(["invalid_input", "invalid_output"]);

/** Shows only the kind of a failure if its text may contain quarantined content. */
function withhold(presentation: Presentation): void {
  const { call, failure } = presentation;
  if (failure === undefined || call.tool === undefined) return;
  if (failure.fromTool !== true && !quoting.has(failure.kind)) return;
  if (call.run.flow?.withholds(flowCall(call, call.tool)) !== true) return;
  const effect =
    failure.effectHappened === true ? " Its effect DID happen: do not call it again for the same purpose." : "";
  const message = `"${call.toolName}" failed (${failure.kind}). The message is withheld, because it is untrusted.${effect}`;
  presentation.failure = { ...failure, message };
  presentation.content = message;
  presentation.ownText = true;
}

/** True if every model that may read the conversation is registered for secrets; a hook may choose any. */
function mayAllReadSecrets({ agent, settings }: Run): boolean {
  if (settings.prepareStep !== undefined) return false;
  const specs = [settings.model, ...(settings.fallback ?? []), ...Object.values(settings.modelTiers ?? {})].filter(
    (spec) => spec !== undefined,
  );
  const models = [agent.model, ...specs.map((spec) => agent.resolveModel(spec))];
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
