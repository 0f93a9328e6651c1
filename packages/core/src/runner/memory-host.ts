import type { MemoryHost } from "../contracts/ports/memory-store.ts";
import type { ActiveRun } from "./active-run.ts";

/** What a memory is given for a run. */
export function memoryHost({ definition, logger, clock, journal }: ActiveRun): MemoryHost {
  const { name, hasher, sealer } = definition;
  return { agentName: name, logger, clock, hasher, sealer, seq: () => journal.state.seq };
}
