import type { FlowState, RecordedCall } from "./flow-state.ts";

/** The call of this run that a reference names; none for a reference of another run. */
export function callBehind(call: string | undefined, state: FlowState): RecordedCall | undefined {
  if (call?.startsWith(state.mark) !== true) return undefined;
  return state.calls.get(call.slice(state.mark.length));
}
