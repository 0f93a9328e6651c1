import type { Clock } from "../contracts/ports/clock.ts";
import type { Ledger } from "../contracts/ports/ledger.ts";
import { lateMethods } from "../loading/lazy-part.ts";
import { memoryPart, type MemoryPart } from "./memory-part.ts";
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
  return lateMethods<MemoryPart, Ledger, keyof Ledger>(
    memoryPart,
    ["get", "reserve", "put", "release"],
    ({ ledgerRows }) => ledgerRows(options.clock ?? systemClock),
  );
}
