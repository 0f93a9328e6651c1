import type { Clock } from "../../contracts/ports/clock.ts";
import type { Ledger, LedgerKey, LedgerRow } from "../../contracts/ports/ledger.ts";

/** Number of rows at which expired ones are first removed; then whenever their number has doubled. */
const leastSweep = 128;

/** A ledger in memory that can forget the rows of a run. */
export interface RunLedger extends Ledger {
  readonly forget: (runId: string) => Promise<void>;
}

/** The rows of a ledger in memory. */
export function ledgerRows(clock: Clock): RunLedger {
  const rows = new Map<string, LedgerRow>();
  /** Ids of rows, by run. */
  const ofRuns = new Map<string, Set<string>>();
  let sweepAt = leastSweep;
  const live = (key: LedgerKey): LedgerRow | undefined => {
    const id = rowId(key);
    const row = rows.get(id);
    if (row === undefined || row.expiresAt > clock.now()) return row;
    drop(id);
    return undefined;
  };
  function drop(id: string): void {
    const runId = rows.get(id)?.runId;
    rows.delete(id);
    if (runId === undefined) return;
    const own = ofRuns.get(runId);
    own?.delete(id);
    if (own?.size === 0) ofRuns.delete(runId);
  }
  const keep = (row: LedgerRow): void => {
    const id = rowId(row);
    drop(id);
    rows.set(id, row);
    const own = ofRuns.get(row.runId) ?? new Set();
    ofRuns.set(row.runId, own.add(id));
    if (rows.size < sweepAt) return;
    for (const [old, { expiresAt }] of rows) if (expiresAt <= clock.now()) drop(old);
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
      if (row?.state === "reserved" && row.runId === runId) drop(rowId(key));
    },
    async forget(runId) {
      for (const id of ofRuns.get(runId) ?? []) rows.delete(id);
      ofRuns.delete(runId);
    },
  };
}

function rowId({ kind, scope, toolName, key }: LedgerKey): string {
  return JSON.stringify([kind, scope, toolName, key]);
}
