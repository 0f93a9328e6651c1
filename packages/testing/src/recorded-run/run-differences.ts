import type { RunOutput } from "@bailiwick/core";
import { canonicalJson } from "@bailiwick/core/extension";
import type { RecordedToolCall, RunRecording } from "./run-recording.ts";

/** A difference between a recorded run and its replay. */
export interface RunDifference {
  /** Index of the call in the run, from 0; `undefined` for the end of the run, and for a call that is missing or new. */
  readonly call?: number | undefined;
  /**
   * `asked`: a person is asked now. `notAsked`: a person was asked, and is not now. `refused`: a call that ran is refused
   * now. `allowed`: the reverse. `arguments`: other arguments or another call. `result`: another result. `end`: another
   * answer, reason of the end, or number of calls.
   */
  readonly kind: "asked" | "notAsked" | "refused" | "allowed" | "arguments" | "result" | "end";
  /** The value in the recorded run, such as `rejected` or `policy_denied`. */
  readonly before: unknown;
  /** The value in the replay. */
  readonly after: unknown;
  /** The difference as a sentence. */
  readonly text: string;
}

/** Maximum length of a value in a sentence. */
const mostShown = 120;

/** The differences between a recorded run and its replay, in the order of the calls. */
export function differencesOf(
  { expected, results }: RunRecording,
  { output, calls }: { readonly output: RunOutput; readonly calls: readonly RecordedToolCall[] },
): readonly RunDifference[] {
  const before = expected.calls;
  const found = before.slice(0, calls.length).flatMap((call, index) => callDifferences(call, calls[index]!, index));
  for (const call of before.slice(calls.length))
    found.push({ kind: "end", before: call.tool, after: undefined, text: `${nameOf(call)} is not called now.` });
  for (const call of calls.slice(before.length)) {
    const text = `${nameOf(call)} is called now, and was not before.`;
    found.push({ kind: "end", before: undefined, after: call.tool, text });
  }
  // The replacement of a handoff ends the run, like a tool that ends it.
  const isHandedOver = output.stopReason === "stopped_by_tool" && results.some(({ endRun }) => endRun === true);
  if (expected.stopReason !== output.stopReason && !isHandedOver)
    found.push(
      ended(
        expected.stopReason,
        output.stopReason,
        `The run ended with "${expected.stopReason}", and ends with "${output.stopReason}" now.`,
      ),
    );
  if (expected.text !== output.text)
    found.push(
      ended(expected.text, output.text, `The answer was ${shown(expected.text)}, and is ${shown(output.text)} now.`),
    );
  return found;
}

function ended(before: unknown, after: unknown, text: string): RunDifference {
  return { kind: "end", before, after, text };
}

const askedWords = {
  approved: "a person approved it",
  rejected: "a person rejected it",
  open: "it waited for a person",
  none: "no person was asked",
} as const;

/** Results of calls that were executed. */
const executed: ReadonlySet<string> = new Set(["ok", "failed"]);

function callDifferences(before: RecordedToolCall, now: RecordedToolCall, index: number): RunDifference[] {
  const call = `Call ${index + 1}, ${nameOf(before)}:`;
  if (before.tool !== now.tool) {
    const text = `${call} now ${nameOf(now)} is called in its place.`;
    return [{ call: index, kind: "arguments", before: before.tool, after: now.tool, text }];
  }
  const found: RunDifference[] = [];
  const add = (kind: RunDifference["kind"], from: unknown, to: unknown, text: string): void => {
    found.push({ call: index, kind, before: from, after: to, text: `${call} ${text}` });
  };
  const [argsBefore, args] = [argsOf(before), argsOf(now)];
  if (canonicalJson(argsBefore) !== canonicalJson(args))
    add("arguments", argsBefore, args, `the arguments are ${shown(args)} now.`);
  if (before.asked !== now.asked) {
    const text = `${askedWords[before.asked ?? "none"]} before; now ${askedWords[now.asked ?? "none"]}.`;
    add(now.asked === undefined ? "notAsked" : "asked", before.asked, now.asked, text);
  }
  if (before.result !== now.result) {
    const [ran, runs] = [executed.has(before.result), executed.has(now.result)];
    const kind = ran === runs ? "result" : ran ? "refused" : "allowed";
    add(
      now.result === "open" ? "result" : kind,
      before.result,
      now.result,
      `its result was "${before.result}", and is "${now.result}" now.`,
    );
  }
  return found;
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
