import type { Interruption } from "../contracts/interruption.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { RunState } from "../journal/run-state.ts";
import { answerText, runOutput } from "./run-output.ts";
import { interruption } from "./tool-call/interruption.ts";
import { openQuestions } from "./tool-call/approval-binding.ts";
import { modelCallQuestion } from "./unknown-model-call.ts";

/** What a run waits for, as its journal says. */
export function openInterruptions(state: RunState): readonly Interruption[] {
  const questions = [...state.calls.values()].flatMap((call) => [...openQuestions(call)]);
  const aboutModel = modelCallQuestion(state);
  return (aboutModel === undefined ? questions : [...questions, aboutModel]).map((data) => interruption(data));
}

/** The output of a run that is not driven now, made of its journal alone. */
export function storedOutput(state: RunState): RunOutput {
  const { end } = state;
  return runOutput(state, {
    status: end?.status ?? (state.suspended === undefined ? "error" : "suspended"),
    stopReason: end?.stopReason ?? (state.suspended === undefined ? "failed" : "awaiting_approval"),
    text: end?.text ?? answerText(state.lastAnswer),
    structured: end?.structured,
    durationMs: end?.durationMs ?? 0,
    interruptions: end?.status === "suspended" || end === undefined ? openInterruptions(state) : [],
    followupSuggestions: end?.followupSuggestions,
  });
}
