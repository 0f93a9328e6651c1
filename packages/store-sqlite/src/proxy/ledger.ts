import type { Ledger, LedgerKey, LedgerRow } from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { LedgerColumns, LedgerIdentity } from "../thread/service.ts";
import { fromText, toText } from "./plain-text.ts";

/** The ledger of a store. */
export function ledgerOf(link: DatabaseLink): Ledger {
  return {
    async get(key) {
      const row = await link.call("getLedgerRow", identityOf(key));
      return row && toLedgerRow(row);
    },
    async reserve(row) {
      const known = await link.call("reserveLedgerRow", toLedgerColumns(row));
      return known === undefined ? { reserved: true } : { reserved: false, row: toLedgerRow(known) };
    },
    put: async (row) => link.call("putLedgerRow", toLedgerColumns(row)),
    release: async (key, runId) => link.call("releaseLedgerRow", identityOf(key), runId),
  };
}

export function toLedgerColumns(row: LedgerRow): LedgerColumns {
  return {
    identity: identityOf(row),
    state: row.state,
    runId: row.runId,
    callKey: row.callKey,
    inputHash: row.inputHash,
    outcome: row.outcome === undefined ? null : toText(row.outcome),
    expiresAt: row.expiresAt,
  };
}

const identityOf = ({ kind, scope, toolName, key }: LedgerKey): LedgerIdentity => [kind, scope, toolName, key];

function toLedgerRow({ identity: [kind, scope, toolName, key], outcome, ...row }: LedgerColumns): LedgerRow {
  return {
    kind: kind as LedgerRow["kind"],
    scope,
    toolName,
    key,
    state: row.state as LedgerRow["state"],
    runId: row.runId,
    callKey: row.callKey,
    inputHash: row.inputHash,
    ...(outcome !== null && { outcome: fromText<unknown>(outcome) }),
    expiresAt: row.expiresAt,
  };
}
