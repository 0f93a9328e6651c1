import type { DatabaseSync } from "node:sqlite";
import { readPlain, writePlain } from "@bailiwick/core";
import type { Ledger, LedgerKey, LedgerRow } from "@bailiwick/core";
import type { GroupCommit } from "./group-commit.ts";
import { now } from "./store-clock.ts";

/** A ledger whose rows can be written inside another write. */
export interface SqliteLedger extends Ledger {
  /** Inside a write. */
  putRow(row: LedgerRow): void;
}

const identity = "kind = ? AND scope = ? AND tool_name = ? AND key = ?";

export function createLedger(database: DatabaseSync, commits: GroupCommit): SqliteLedger {
  const select = database.prepare(`SELECT * FROM ledger WHERE ${identity} AND expires_at > ${now}`);
  const upsert = database.prepare(
    `INSERT INTO ledger (kind, scope, tool_name, key, state, run_id, call_key, input_hash, outcome, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET state = excluded.state, run_id = excluded.run_id, call_key = excluded.call_key,
       input_hash = excluded.input_hash, outcome = excluded.outcome, expires_at = excluded.expires_at`,
  );
  const remove = database.prepare(`DELETE FROM ledger WHERE ${identity} AND state = 'reserved' AND run_id = ?`);
  const prune = database.prepare(`DELETE FROM ledger WHERE expires_at <= ${now}`);

  const find = (key: LedgerKey): LedgerRow | undefined => {
    const row = select.get(key.kind, key.scope, key.toolName, key.key);
    return row === undefined ? undefined : toRow(row);
  };
  const putRow = (row: LedgerRow): void => {
    const outcome = row.outcome === undefined ? null : JSON.stringify(writePlain(row.outcome));
    upsert.run(
      row.kind,
      row.scope,
      row.toolName,
      row.key,
      row.state,
      row.runId,
      row.callKey,
      row.inputHash,
      outcome,
      row.expiresAt,
    );
  };
  return {
    putRow,
    get: (key) => commits.read(() => find(key)),
    reserve: (row) =>
      commits.write(() => {
        prune.run();
        const known = find(row);
        const own = known?.state === "reserved" && known.runId === row.runId && known.callKey === row.callKey;
        if (known !== undefined && !own) return { reserved: false, row: known };
        putRow(row);
        return { reserved: true };
      }),
    put: (row) => commits.write(() => putRow(row)),
    async release(key, runId) {
      await commits.write(() => remove.run(key.kind, key.scope, key.toolName, key.key, runId));
    },
  };
}

function toRow(row: Record<string, unknown>): LedgerRow {
  return {
    kind: row["kind"] as LedgerRow["kind"],
    scope: row["scope"] as string,
    toolName: row["tool_name"] as string,
    key: row["key"] as string,
    state: row["state"] as LedgerRow["state"],
    runId: row["run_id"] as string,
    callKey: row["call_key"] as string,
    inputHash: row["input_hash"] as string,
    ...(row["outcome"] !== null && { outcome: readPlain(JSON.parse(row["outcome"] as string)) as unknown }),
    expiresAt: row["expires_at"] as number,
  };
}
