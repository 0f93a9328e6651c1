import type { RunState } from "../../journal/run-state.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Part } from "../part.ts";
import type { Run } from "../run.ts";

/** Default number of equal turns in a row that count as a loop. */
const defaultTurns = 3;

/** Maximum number of different turns that count as a loop when they follow each other again and again. */
const longestCycle = 4;

/** The part that stops a run whose last turns were the same, or repeat the same few turns. */
export function loopDetectionPart(turns: number = defaultTurns): Part<Run> {
  return {
    name: "loop detection",
    afterTurn: async ({ journal: { state } }, { answered }) =>
      !answered && isLooping(state, turns) ? { reason: "loop_detected" } : undefined,
  };
}

/** True if the last turns are a cycle of the same calls with the same input and the same results, `times` times. */
function isLooping(state: RunState, times: number): boolean {
  const known = new Map<number, string>();
  const signed = (turn: number): string => {
    const made = known.get(turn) ?? signature(state, turn);
    known.set(turn, made);
    return made;
  };
  for (let length = 1; length <= longestCycle && length * times <= state.turn; length += 1)
    if (isCycle(signed, state.turn, length, times)) return true;
  return false;
}

function isCycle(signed: (turn: number) => string, last: number, length: number, times: number): boolean {
  for (let turn = last; turn > last - length * times; turn -= 1) {
    if (signed(turn) === "[]") return false;
    if (turn > last - length * (times - 1) && signed(turn) !== signed(turn - length)) return false;
  }
  return true;
}

function signature(state: RunState, turn: number): string {
  const calls: unknown[] = [];
  for (let index = 0; ; index += 1) {
    const call = state.calls.get(`t${turn}/c${index}`);
    if (call === undefined) break;
    const result = call.result?.result;
    calls.push([call.toolName, result?.input, result?.isError === true ? result.error?.message : result?.output]);
  }
  return canonicalJson(calls);
}
