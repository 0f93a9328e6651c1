import type { Label, LabelId, RecalledMemory } from "@bailiwick/core";

import type { FlowState } from "./flow-state.ts";
import { isTrusted } from "./lattice.ts";

/**
 * [flow.r7.never-system] Whether recalled text may stand in the system prompt: only what is trusted may.
 *
 * @param label - Label of the memory, as it was kept with the write.
 * @example
 * ```ts
 * import { mayEnterSystemPrompt } from "@bailiwick/security";
 *
 * console.log(mayEnterSystemPrompt({ integrity: "untrusted" })); // false
 * ```
 */
export function mayEnterSystemPrompt(label: Pick<Label, "integrity">): boolean {
  return isTrusted(label.integrity);
}

/** [flow.r7] The label of a memory that is recalled: the one that it was kept with. No leaf of it spares the control label. */
export function recalledLabel(
  { id, integrity, readers }: Pick<RecalledMemory, "id" | "integrity" | "readers">,
  { graph }: FlowState,
): LabelId {
  const level = { integrity, control: integrity, readers: graph.sets.intern(readers) };
  return graph.add(level, { kind: "memory", entryId: id }, []);
}
