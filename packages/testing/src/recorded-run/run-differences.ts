import type { RunOutput } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import type { RecordedToolCall, RunRecording } from "./run-recording.ts";

/** Maximum length of a value in a sentence. */
const mostShown = 120;

/** Sentences about what differs between a recorded run and its replay. */
export function differencesOf(
  { expected, results }: RunRecording,
  { output, calls }: { readonly output: RunOutput; readonly calls: readonly RecordedToolCall[] },
): readonly string[] {
  const before = expected.calls;
  const sentences = before.slice(0, calls.length).flatMap((call, index) => callDifferences(call, calls[index]!, index));
  for (const call of before.slice(calls.length)) sentences.push(`${nameOf(call)} is not called now.`);
  for (const call of calls.slice(before.length)) sentences.push(`${nameOf(call)} is called now, and was not before.`);
  // The replacement of a handoff ends the run, like a tool that ends it.
  const isHandedOver = output.stopReason === "stopped_by_tool" && results.some(({ endRun }) => endRun === true);
  if (expected.stopReason !== output.stopReason && !isHandedOver)
    sentences.push(`The run ended with "${expected.stopReason}", and ends with "${output.stopReason}" now.`);
  if (expected.text !== output.text)
    sentences.push(`The answer was ${shown(expected.text)}, and is ${shown(output.text)} now.`);
  return sentences;
}

const askedWords = {
  approved: "a person approved it",
  rejected: "a person rejected it",
  open: "it waited for a person",
  none: "no person was asked",
} as const;

function callDifferences(before: RecordedToolCall, now: RecordedToolCall, index: number): string[] {
  const call = `Call ${index + 1}, ${nameOf(before)}:`;
  if (before.tool !== now.tool) return [`${call} now ${nameOf(now)} is called in its place.`];
  const sentences: string[] = [];
  const args = argsOf(now);
  if (canonicalJson(argsOf(before)) !== canonicalJson(args))
    sentences.push(`${call} the arguments are ${shown(args)} now.`);
  if (before.asked !== now.asked)
    sentences.push(`${call} ${askedWords[before.asked ?? "none"]} before; now ${askedWords[now.asked ?? "none"]}.`);
  if (before.result !== now.result)
    sentences.push(`${call} its result was "${before.result}", and is "${now.result}" now.`);
  return sentences;
}

function nameOf(call: RecordedToolCall): string {
  return `${call.tool}(${shown(argsOf(call))})`;
}

/** The arguments of a call as a value. A call that was refused before its arguments were checked has the model's text. */
function argsOf({ args }: RecordedToolCall): unknown {
  if (typeof args !== "string") return args ?? null;
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > mostShown ? `${text.slice(0, mostShown).toWellFormed()}…` : text;
}
