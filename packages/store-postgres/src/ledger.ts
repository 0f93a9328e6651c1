import type { Ledger, LedgerKey, LedgerRow } from "@bailiwick/core/store";
import type { Database } from "./connection/database.ts";
import { fromColumn, toColumn } from "./connection/names.ts";
import { number, text } from "./connection/statements.ts";
import type { Ask, Row } from "./connection/statements.ts";
import { fromText, toText } from "./plain-text.ts";
import { now } from "./schema/tables.ts";
import type { Tables } from "./schema/tables.ts";

const columns = "kind, scope, tool_name, key, state, run_id, call_key, input_hash, outcome, expires_at";
const identified = "kind = $1 AND scope = $2 AND tool_name = $3 AND key = $4";
const replaced =
  "state = excluded.state, run_id = excluded.run_id, call_key = excluded.call_key, input_hash = excluded.input_hash, outcome = excluded.outcome, expires_at = excluded.expires_at";
/** Number of expired rows that one reservation removes, so that no call pays for all of them. */
const mostPruned = 100;

/** Results kept beyond one run. */
export function ledgerOf(database: Database, tables: Tables): Ledger {
  const { ledger } = tables;
  const select = `SELECT ${columns} FROM ${ledger} WHERE ${identified} AND expires_at > ${now}`;
  const reserve = `INSERT INTO ${ledger} AS known (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (kind, scope, tool_name, key) DO UPDATE SET ${replaced}
    WHERE known.expires_at <= ${now} OR (known.state = 'reserved' AND known.run_id = excluded.run_id AND known.call_key = excluded.call_key)
    RETURNING state`;
  // Rows that another process is removing are left to it.
  const prune = `DELETE FROM ${ledger} WHERE ctid IN (SELECT ctid FROM ${ledger} WHERE expires_at <= ${now} LIMIT ${mostPruned} FOR UPDATE SKIP LOCKED)`;
  return {
    async get(key) {
      const [row] = await database.read(select, identityOf(key));
      return row && toLedgerRow(row);
    },
    reserve: (row) =>
      database.write(async ({ ask }) => {
        await ask(prune);
        for (;;) {
          if ((await ask(reserve, columnsOf(row))).length > 0) return { reserved: true };
          const [known] = await ask(select, identityOf(row));
          if (known !== undefined) return { reserved: false, row: toLedgerRow(known) };
          // The conflicting row was released or expired in the meantime: try again.
        }
      }),
    put: (row) => database.write(({ ask }) => putRows(ask, tables, [row])),
    async release(key, runId) {
      await database.write(({ ask }) =>
        ask(`DELETE FROM ${ledger} WHERE ${identified} AND state = 'reserved' AND run_id = $5`, [
          ...identityOf(key),
          toColumn(runId),
        ]),
      );
    },
  };
}

/** Inside a transaction: writes rows; of several with one identity, the last. */
export async function putRows(ask: Ask, { ledger }: Tables, rows: readonly LedgerRow[]): Promise<void> {
  if (rows.length === 0) return;
  // In the same order in all processes, to avoid deadlocks.
  const byIdentity = new Map(rows.map((row) => [JSON.stringify(identityOf(row)), columnsOf(row)]));
  const sorted = [...byIdentity].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, values]) => values);
  const types = [...Array.from({ length: 9 }, () => "text"), "double precision"];
  const given = types.map((type, column) => `$${column + 1}::${type}[]`).join(", ");
  await ask(
    `INSERT INTO ${ledger} (${columns}) SELECT * FROM unnest(${given}) ON CONFLICT (kind, scope, tool_name, key) DO UPDATE SET ${replaced}`,
    types.map((_type, column) => sorted.map((values) => values[column])),
  );
}

const identityOf = ({ kind, scope, toolName, key }: LedgerKey): unknown[] => [kind, scope, toolName, key].map(toColumn);

function columnsOf(row: LedgerRow): unknown[] {
  return [
    ...identityOf(row),
    row.state,
    toColumn(row.runId),
    toColumn(row.callKey),
    toColumn(row.inputHash),
    row.outcome === undefined ? null : toText(row.outcome),
    row.expiresAt,
  ];
}

function toLedgerRow(row: Row): LedgerRow {
  const { outcome } = row;
  return {
    kind: text(row, "kind") as LedgerRow["kind"],
    scope: fromColumn(text(row, "scope")),
    toolName: fromColumn(text(row, "tool_name")),
    key: fromColumn(text(row, "key")),
    state: text(row, "state") as LedgerRow["state"],
    runId: fromColumn(text(row, "run_id")),
    callKey: fromColumn(text(row, "call_key")),
    inputHash: fromColumn(text(row, "input_hash")),
    ...(typeof outcome === "string" && { outcome: fromText<unknown>(outcome) }),
    expiresAt: number(row, "expires_at"),
  };
}
