import { decideOrEnd, demand, observe } from "../hooks/hooks-runner.ts";
import type { AgentHooks, NodeHooks } from "../../contracts/hooks.ts";
import type { RunSettings, StepSettings } from "../../contracts/run-options.ts";
import { pointsOf, type ActiveExtension, type Part, type Points } from "../part.ts";
import { followUpsPart } from "../built-in/follow-ups.ts";
import { loopDetectionPart } from "../built-in/loop-detection.ts";
import { resultLimitPart } from "../built-in/result-limit.ts";
import { loopHooksPart } from "./loop-hooks.ts";
import { inputGuardrailPart, outputGuardrailPart } from "./tool-guardrails.ts";
import { extensionPart } from "./user-extension.ts";
import type { StopCondition, StopView } from "../../contracts/stop-condition.ts";
import { frozenCopy, frozenViews, ownCopy } from "../../user-code/copies.ts";
import { expected, isObjectOrNothing } from "../hooks/hook-failures.ts";
import { nodeIdOf } from "../caller/caller.ts";
import { checkSettings, checkStepNames } from "../settings/check-settings.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import type { Run } from "../run.ts";

export interface PartOptions {
  readonly settings: RunSettings;
  readonly agentHooks: AgentHooks | undefined;
  readonly nodeHooks: NodeHooks | undefined;
  readonly extensions: readonly ActiveExtension[];
}

/** The points of runs without extensions and node hooks, by their settings: most runs of an agent share them. */
const plain = new WeakMap<RunSettings, Points<Run>>();

/** The parts of a run at each point: hooks, guardrails, extensions, conditions, the built-in parts, in this order. */
export function pointsOfRun(options: PartOptions): Points<Run> {
  const { settings, extensions, nodeHooks } = options;
  if (extensions.length > 0 || nodeHooks !== undefined) return pointsOf(partsOf(options));
  let points = plain.get(settings);
  if (points === undefined) plain.set(settings, (points = pointsOf(partsOf(options))));
  return points;
}

function partsOf({ settings, agentHooks, nodeHooks, extensions }: PartOptions): readonly Part<Run>[] {
  const { loopHooks, guardrails, prepareStep, stopWhen, loopDetection, generateFollowups } = settings;
  const parts: Part<Run>[] = [];
  if (agentHooks !== undefined) parts.push(agentHooksPart(agentHooks));
  if (nodeHooks !== undefined) parts.push(nodeHooksPart(nodeHooks));
  if (loopHooks !== undefined) parts.push(loopHooksPart(loopHooks));
  for (const guardrail of guardrails?.toolInput ?? []) parts.push(inputGuardrailPart(guardrail));
  for (const guardrail of guardrails?.toolOutput ?? []) parts.push(outputGuardrailPart(guardrail));
  if (prepareStep !== undefined) parts.push(prepareStepPart(prepareStep));
  for (const extension of extensions) parts.push(extensionPart(extension));
  if (stopWhen !== undefined) parts.push(stopWhenPart(stopWhen));
  if (loopDetection !== false) parts.push(loopDetectionPart(loopDetection));
  if (generateFollowups === true) parts.push(followUpsPart);
  parts.push(resultLimitPart);
  return parts;
}

/** The part that checks the conditions of `stopWhen` after each turn with calls, in order. */
function stopWhenPart(stopWhen: StopCondition | readonly StopCondition[]): Part<Run> {
  const conditions = conditionsOf(stopWhen);
  return {
    name: "stopWhen",
    async afterTurn(run, { answered }) {
      if (answered || conditions.length === 0) return undefined;
      const view = viewOf(run);
      for (const condition of conditions) {
        const holds = await demand<boolean>(
          run,
          "stopWhen",
          () => condition(view),
          (answer) => expected("stopWhen", "true or false", typeof answer === "boolean", answer),
        );
        if (holds) return { reason: "stop_condition" };
      }
      return undefined;
    },
  };
}

function viewOf(run: Run): StopView {
  const { state } = run.journal;
  return {
    steps: state.turn,
    usage: frozenCopy(state.usage),
    costUsd: state.costUsd,
    elapsedMs: run.activeMs(),
    lastToolCalls: frozenViews(state.turnCalls.flatMap((key) => state.calls.get(key)?.result?.result ?? [])),
    messages: frozenViews(state.messages),
  };
}

export function conditionsOf(stopWhen: StopCondition | readonly StopCondition[] | undefined): readonly StopCondition[] {
  if (stopWhen === undefined) return [];
  return typeof stopWhen === "function" ? [stopWhen] : stopWhen;
}

function prepareStepPart(prepareStep: NonNullable<RunSettings["prepareStep"]>): Part<Run> {
  return {
    name: "prepareStep",
    async prepare(run, turn) {
      const messages = frozenViews(run.journal.state.messages);
      const ask = (): ReturnType<typeof prepareStep> => prepareStep({ step: turn, messages, ctx: run.context });
      const step = (await decideOrEnd(run, "prepareStep", ask, readStep)) ?? {};
      checkStepNames(step);
      checkSettings("run", step, "prepareStep");
      return step;
    },
  };
}

/** A copy of a step's settings; its model is a live object. */
function readStep(answer: StepSettings | void): StepSettings | void {
  const step = expected("prepareStep", "settings of the step or nothing", isObjectOrNothing(answer), answer);
  if (typeof step !== "object" || step === null) return undefined;
  const { model, ...rest } = step;
  return { ...ownCopy(rest), ...(model !== undefined && { model }) };
}

function agentHooksPart({ beforeRun, afterRun, onToolCall, onError }: AgentHooks): Part<Run> {
  return {
    name: "hooks",
    onStart: beforeRun && ((run) => observe(run, "beforeRun", () => beforeRun(run.context))),
    onToolCall:
      onToolCall &&
      (({ run, toolName, input }) =>
        observe(run, "onToolCall", () => onToolCall(run.context, toolName, frozenCopy(input)))),
    onEnd:
      afterRun &&
      (async (run, status, output) => {
        if (status === "completed") await observe(run, "afterRun", () => afterRun(run.context, output()));
      }),
    onError: onError && ((run, error) => observe(run, "onError", () => onError(run.context, error))),
  };
}

function nodeHooksPart({ onNodeStart, onNodeEnd, onNodeError }: NodeHooks): Part<Run> {
  const nodeOf = (run: Run): { readonly nodeId: string; readonly nodeLabel: string } => ({
    nodeId: nodeIdOf(run),
    nodeLabel: run.agent.name,
  });
  return {
    name: "node hooks",
    onStart:
      onNodeStart &&
      ((run, input) => observe(run, "onNodeStart", () => onNodeStart({ ...nodeOf(run), input: frozenCopy(input) }))),
    onEnd:
      onNodeEnd &&
      (async (run, status, output) => {
        if (isWaiting(status)) return;
        const durationMs = run.activeMs();
        await observe(run, "onNodeEnd", () => onNodeEnd({ ...nodeOf(run), output: output(), durationMs }));
      }),
    onError:
      onNodeError &&
      ((run, error) =>
        observe(run, "onNodeError", () => onNodeError({ ...nodeOf(run), error, durationMs: run.activeMs() }))),
  };
}
