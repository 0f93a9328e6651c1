import type { LabelId, RecalledMemory } from "@bailiwick/core";

import type { FlowState } from "./flow-state.ts";

/** [flow.r7] The label of a memory that is recalled: the one that it was kept with. No leaf of it spares the control label. */
export function recalledLabel(
  { id, integrity, readers }: Pick<RecalledMemory, "id" | "integrity" | "readers">,
  { graph }: FlowState,
): LabelId {
  const level = { integrity, control: integrity, readers: graph.sets.intern(readers) };
  return graph.add(level, { kind: "memory", entryId: id }, []);
}
