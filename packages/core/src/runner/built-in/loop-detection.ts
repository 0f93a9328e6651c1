import type { RunState } from "../../journal/run-state.ts";
import { canonicalJson } from "../../json/canonical-json.ts";
import type { Part } from "../part.ts";
import type { Run } from "../run.ts";

/** Default number of equal turns in a row that count as a loop. */
const defaultTurns = 3;

/** The part that stops a run whose last turns were the same. */
export function loopDetectionPart(turns: number = defaultTurns): Part<Run> {
  return {
    name: "loop detection",
    afterTurn: async ({ journal: { state } }, { answered }) =>
      !answered && isLooping(state, turns) ? { reason: "loop_detected" } : undefined,
  };
}

/** True if the last turns were the same calls with the same input and the same results. */
function isLooping(state: RunState, times: number): boolean {
  if (state.turn < times) return false;
  const last = signature(state, state.turn);
  if (last === "[]") return false;
  for (let turn = state.turn - 1; turn > state.turn - times; turn -= 1)
    if (signature(state, turn) !== last) return false;
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
