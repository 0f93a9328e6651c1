import type { Clock } from "../contracts/ports/clock.ts";
import type { Ledger, LedgerKey, LedgerRow } from "../contracts/ports/ledger.ts";
import { systemClock } from "./system-clock.ts";

/**
 * A ledger in memory.
 *
 * @param options - `clock` decides what has expired; default the system's.
 * @example
 * ```ts
 * import { memoryLedger } from "@bailiwick/core";
 *
 * export const ledger = memoryLedger();
 * ```
 */
export function memoryLedger(options: { readonly clock?: Clock | undefined } = {}): Ledger {
  const clock = options.clock ?? systemClock;
  const rows = new Map<string, LedgerRow>();
  const live = (key: LedgerKey): LedgerRow | undefined => {
    const id = rowId(key);
    const row = rows.get(id);
    if (row === undefined || row.expiresAt > clock.now()) return row;
    rows.delete(id);
    return undefined;
  };
  return {
    get: async (key) => live(key),
    async reserve(row) {
      const known = live(row);
      const own = known?.state === "reserved" && known.runId === row.runId && known.callKey === row.callKey;
      if (known !== undefined && !own) return { reserved: false, row: known };
      rows.set(rowId(row), row);
      return { reserved: true };
    },
    async put(row) {
      rows.set(rowId(row), row);
    },
    async release(key, runId) {
      const row = live(key);
      if (row?.state === "reserved" && row.runId === runId) rows.delete(rowId(key));
    },
  };
}

function rowId({ kind, scope, toolName, key }: LedgerKey): string {
  return JSON.stringify([kind, scope, toolName, key]);
}
