import type { CallState, RunState } from "../journal/run-state.ts";

/**
 * Returns true if a question of the current turn is open, and the journal has no model call or writer that is running. A
 * reader that runs is not in the journal: the batch of calls looks for it.
 *
 * @param waitsInside - Tells if a run inside a call is driven here and only waits for a person.
 */
export function waitsForPerson(
  { openModelCall, turnCalls, calls }: RunState,
  waitsInside: (toolCallId: string) => boolean,
): boolean {
  if (openModelCall !== undefined) return false;
  const open = turnCalls.flatMap((key) => calls.get(key) ?? []).filter(({ outcome, result }) => !outcome && !result);
  const asks = (call: CallState): boolean => isAsked(call) || waitsInside(call.toolCallId);
  return open.some(asks) && open.every((call) => call.intent === undefined || asks(call));
}

function isAsked({ approval, question, child }: CallState): boolean {
  if (question !== undefined) return true;
  if (approval !== undefined && approval.decision === undefined) return true;
  return child !== undefined && child.interruptions.length > 0 && child.decisions.length === 0;
}
