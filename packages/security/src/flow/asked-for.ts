import type { CallView } from "./call-view.ts";
import { plannedFor } from "./flow-state.ts";

/**
 * [questions.level] Tells if the user's words, or the grants of the agent or the run, ask for a call of this tool at all,
 * whatever its values; `undefined` if no planner has read the words.
 */
export function isAskedFor({
  isPlanned,
  state,
  tool,
}: Pick<CallView, "isPlanned" | "state" | "tool">): boolean | undefined {
  // [flow.chosen-by] A program's call has the mandate of the developer, unless a value decided about it.
  if (isPlanned !== undefined) return isPlanned;
  const newest = state.userWords.at(-1)?.id;
  const isFor = (name: string): boolean => name === tool.name;
  const isGranted = state.grants.some(
    ({ grant, source, messageId }) => isFor(grant.tool) && (source !== "planner" || messageId === newest),
  );
  if (isGranted) return true;
  // The grants that a run was started with say what it is for.
  if (state.grants.some(({ source }) => source === "user")) return false;
  return plannedFor(state, tool.name)?.mandates?.some(({ asked }) => asked);
}
