import type { AgentHooks, NodeHooks } from "../../contracts/hooks.ts";
import type { RunSettings } from "../../contracts/run-options.ts";
import type { ActiveExtension } from "../active-extension.ts";
import { loopDetectionPart } from "./loop-detection.ts";
import { loopHooksPart } from "./loop-hooks.ts";
import { agentHooksPart, nodeHooksPart } from "./observing-hooks.ts";
import { pointsOf } from "../part.ts";
import type { RunPart, RunPoints } from "./run-part.ts";
import { prepareStepPart } from "./prepare-step.ts";
import { stopWhenPart } from "./stop-when.ts";
import { inputGuardrailPart, outputGuardrailPart } from "./tool-guardrails.ts";
import { extensionPart } from "./user-extension.ts";

/** The options that become parts of a run. */
export interface PartOptions {
  readonly settings: RunSettings;
  readonly agentHooks: AgentHooks | undefined;
  readonly nodeHooks: NodeHooks | undefined;
  readonly extensions: readonly ActiveExtension[];
}

/** The points of runs without extensions and node hooks, by their settings: most runs of an agent have the same. */
const plain = new WeakMap<RunSettings, RunPoints>();

/** The parts of a run at each point: hooks, guardrails, extensions, conditions, loop detection, in this order. */
export function pointsOfRun(options: PartOptions): RunPoints {
  const { settings, extensions, nodeHooks } = options;
  if (extensions.length > 0 || nodeHooks !== undefined) return pointsOf(partsOf(options));
  let points = plain.get(settings);
  if (points === undefined) plain.set(settings, (points = pointsOf(partsOf(options))));
  return points;
}

function partsOf({ settings, agentHooks, nodeHooks, extensions }: PartOptions): readonly RunPart[] {
  const { loopHooks, guardrails, prepareStep, stopWhen, loopDetection } = settings;
  const parts: RunPart[] = [];
  if (agentHooks !== undefined) parts.push(agentHooksPart(agentHooks));
  if (nodeHooks !== undefined) parts.push(nodeHooksPart(nodeHooks));
  if (loopHooks !== undefined) parts.push(loopHooksPart(loopHooks));
  for (const guardrail of guardrails?.toolInput ?? []) parts.push(inputGuardrailPart(guardrail));
  for (const guardrail of guardrails?.toolOutput ?? []) parts.push(outputGuardrailPart(guardrail));
  if (prepareStep !== undefined) parts.push(prepareStepPart(prepareStep));
  for (const extension of extensions) parts.push(extensionPart(extension));
  if (stopWhen !== undefined) parts.push(stopWhenPart(stopWhen));
  if (loopDetection !== false) parts.push(loopDetectionPart(loopDetection));
  return parts;
}
