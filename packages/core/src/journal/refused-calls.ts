import type { RefusedCall } from "../contracts/run-output.ts";
import type { RunState } from "./run-state.ts";

/** The calls that the flow policy refused for good, in the order in which the model made them. */
export function refusedCalls(state: Pick<RunState, "calls">): readonly RefusedCall[] {
  return callsInOrder(state).flatMap(({ toolCallId, toolName, flow }) => {
    if (flow === undefined || !isRefusal(flow)) return [];
    const { rule, readers, explanation } = flow;
    return [{ toolCallId, toolName, rule, ...(readers !== undefined && { readers }), explanation }];
  });
}

/** True if the last call of a run was refused for good. */
export function endsRefused(state: Pick<RunState, "calls">): boolean {
  const flow = callsInOrder(state).at(-1)?.flow;
  return flow !== undefined && isRefusal(flow);
}

type Call = RunState["calls"] extends ReadonlyMap<string, infer One> ? One : never;

function callsInOrder({ calls }: Pick<RunState, "calls">): readonly Call[] {
  return [...calls.values()].toSorted((a, b) => a.turn - b.turn || a.index - b.index);
}

/** A call that the model may correct, and a decision that is only recorded, are not refusals. */
function isRefusal({ verdict, correction, shadow }: NonNullable<Call["flow"]>): boolean {
  return verdict === "deny" && correction !== true && shadow !== true;
}
