import type { RunSettings, StepSettings } from "../../contracts/run-options.ts";
import { frozenViews, ownCopy } from "../../user-code/copies.ts";
import { deniedByHook } from "../hooks/hook-failures.ts";
import { decide, expected, isObjectOrNothing } from "../hooks/hooks-runner.ts";
import { checkToolChoice } from "../settings/check-settings.ts";
import { checkStepNames } from "../settings/option-names.ts";
import type { RunPart } from "./run-part.ts";

/** The part that asks `prepareStep` about the settings of a turn. */
export function prepareStepPart(prepareStep: NonNullable<RunSettings["prepareStep"]>): RunPart {
  return {
    name: "prepareStep",
    async prepare(run, turn) {
      const messages = frozenViews(run.journal.state.messages);
      const verdict = await decide(
        run,
        "prepareStep",
        () => prepareStep({ step: turn, messages, ctx: run.context }),
        (answer) => readStep(answer),
      );
      if (!verdict.ok) throw deniedByHook(run, verdict.failure);
      const step = verdict.value ?? {};
      checkStepNames(step);
      checkToolChoice(step.toolChoice, "prepareStep");
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
