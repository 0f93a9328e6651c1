import type { RunState } from "./run-state.ts";

/**
 * The calls whose effect may have happened without being recorded: a writer's intent is on disk, its outcome is not.
 *
 * @param state - The run as this process sees it.
 * @param durableSeq - The last record that is on disk.
 */
export function uncertainCalls(
  state: RunState,
  durableSeq: number,
): readonly { readonly toolCallId: string; readonly toolName: string }[] {
  const uncertain = [];
  for (const { intent, outcome, result, toolCallId, toolName } of state.calls.values()) {
    if (intent === undefined || intent.seq > durableSeq) continue;
    if (intent.sideEffectClass === "pure" || intent.sideEffectClass === "read-only") continue;
    const known = [outcome, result].some((event) => event !== undefined && event.seq <= durableSeq);
    if (!known) uncertain.push({ toolCallId, toolName });
  }
  return uncertain;
}
