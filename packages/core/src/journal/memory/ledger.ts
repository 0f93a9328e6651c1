import type { Clock } from "../../contracts/ports/clock.ts";
import type { Ledger, LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";

/** Number of rows at which expired ones are first removed; then whenever their number has doubled. */
const leastSweep = 128;

/** The rows of a ledger in memory. */
export function ledgerRows(clock: Clock): Ledger {
  const rows = new Map<string, LedgerRow>();
  let sweepAt = leastSweep;
  const live = (key: LedgerKey): LedgerRow | undefined => {
    const id = rowId(key);
    const row = rows.get(id);
    if (row === undefined || row.expiresAt > clock.now()) return row;
    rows.delete(id);
    return undefined;
  };
  const keep = (row: LedgerRow): void => {
    rows.set(rowId(row), row);
    if (rows.size < sweepAt) return;
    for (const [id, { expiresAt }] of rows) if (expiresAt <= clock.now()) rows.delete(id);
    sweepAt = Math.max(leastSweep, rows.size * 2);
  };
  return {
    get: async (key) => live(key),
    async reserve(row) {
      const known = live(row);
      const own = known?.state === "reserved" && known.runId === row.runId && known.callKey === row.callKey;
      if (known !== undefined && !own) return { reserved: false, row: known };
      keep(row);
      return { reserved: true };
    },
    async put(row) {
      keep(row);
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
