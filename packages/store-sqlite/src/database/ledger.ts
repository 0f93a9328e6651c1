import type { Database } from "./database.ts";
import type { DatabaseService, LedgerColumns, LedgerIdentity } from "../thread/service.ts";
import type { GroupCommit } from "./group-commit.ts";
import { now } from "./store-clock.ts";

type LedgerCalls = Pick<DatabaseService, "getLedgerRow" | "reserveLedgerRow" | "putLedgerRow" | "releaseLedgerRow">;

/** The ledger, whose rows can be written inside another write. */
export interface LedgerTable {
  readonly calls: LedgerCalls;
  /** Inside a write. */
  putRow(row: LedgerColumns): void;
}

const identified = "kind = ? AND scope = ? AND tool_name = ? AND key = ?";

export function ledgerTable(database: Database, commits: GroupCommit): LedgerTable {
  const select = database.prepare(`SELECT * FROM ledger WHERE ${identified} AND expires_at > ${now}`);
  const upsert = database.prepare(
    `INSERT INTO ledger (kind, scope, tool_name, key, state, run_id, call_key, input_hash, outcome, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET state = excluded.state, run_id = excluded.run_id, call_key = excluded.call_key,
       input_hash = excluded.input_hash, outcome = excluded.outcome, expires_at = excluded.expires_at`,
  );
  const remove = database.prepare(`DELETE FROM ledger WHERE ${identified} AND state = 'reserved' AND run_id = ?`);
  const prune = database.prepare(`DELETE FROM ledger WHERE expires_at <= ${now}`);

  const find = (identity: LedgerIdentity): LedgerColumns | undefined => {
    const row = select.get(...identity);
    return row === undefined ? undefined : toColumns(identity, row);
  };
  const putRow = ({ identity, state, runId, callKey, inputHash, outcome, expiresAt }: LedgerColumns): void => {
    upsert.run(...identity, state, runId, callKey, inputHash, outcome, expiresAt);
  };
  return {
    putRow,
    calls: {
      getLedgerRow: (identity) => commits.read(() => find(identity)),
      reserveLedgerRow: (row) =>
        commits.write(() => {
          prune.run();
          const known = find(row.identity);
          const own = known?.state === "reserved" && known.runId === row.runId && known.callKey === row.callKey;
          if (known !== undefined && !own) return known;
          putRow(row);
          return undefined;
        }),
      putLedgerRow: (row) => commits.write(() => putRow(row)),
      async releaseLedgerRow(identity, runId) {
        await commits.write(() => remove.run(...identity, runId));
      },
    },
  };
}

function toColumns(identity: LedgerIdentity, row: Record<string, unknown>): LedgerColumns {
  return {
    identity,
    state: row["state"] as string,
    runId: row["run_id"] as string,
    callKey: row["call_key"] as string,
    inputHash: row["input_hash"] as string,
    outcome: row["outcome"] as string | null,
    expiresAt: row["expires_at"] as number,
  };
}
