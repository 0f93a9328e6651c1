import type { Clock } from "../contracts/ports/clock.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import { lateMethods } from "../loading/lazy-part.ts";
import { memoryPart, type MemoryPart } from "./memory-part.ts";
import type { RunLedger } from "./memory/ledger.ts";
import { systemClock } from "./default-ports.ts";

/**
 * A ledger in memory. Expired rows are removed.
 *
 * @param options - `clock` decides which rows have expired; default the system's.
 * @example
 * ```ts
 * import { memoryLedger } from "@bailiwick/core";
 *
 * export const ledger = memoryLedger();
 * ```
 */
export function memoryLedger(options: { readonly clock?: Clock | undefined } = {}): Ledger {
  const { forget: _forget, ...ledger } = runLedger(options.clock ?? systemClock);
  return ledger;
}

/** The ledger of a store in memory, which forgets the rows of runs with the runs. */
export function runLedger(clock: Clock): RunLedger {
  return lateMethods<MemoryPart, RunLedger, keyof RunLedger>(
    memoryPart,
    ["get", "reserve", "put", "release", "forget"],
    ({ ledgerRows }) => ledgerRows(clock),
  );
}
