import type { Ledger, LedgerKey, LedgerRow } from "../contracts/ports/ledger.ts";
import type { Sealer } from "../contracts/ports/security.ts";
import { openValue, sealValue, type Place } from "./sealed-record.ts";

/** The content of a row. Owner, purpose and lifetime stay readable, because stores search by them. */
type Content = Pick<LedgerRow, "inputHash" | "outcome">;

function placeOf({ kind, scope, toolName, key }: LedgerKey): Place {
  return ["result", kind, scope, toolName, key];
}

/** Seals the content of a row; without a sealer the row is returned unchanged. */
export async function sealRow(row: LedgerRow, sealer: Sealer | undefined): Promise<LedgerRow> {
  if (sealer === undefined) return row;
  const { inputHash, outcome } = row;
  return {
    ...row,
    inputHash: "",
    outcome: await sealValue({ inputHash, outcome } satisfies Content, sealer, placeOf(row)),
  };
}

/**
 * Opens a row from `sealRow`; a row from before there was a key is returned unchanged.
 *
 * @throws SealKeyMissingError if it is sealed and there is no key.
 */
async function openRow(row: LedgerRow, sealer: Sealer | undefined): Promise<LedgerRow> {
  const content = await openValue(row.outcome, sealer, placeOf(row), `The kept result of "${row.toolName}"`);
  return content === row.outcome ? row : { ...row, ...(content as Content) };
}

/** A ledger whose results cannot be read in the store. */
export function sealedLedger(ledger: Ledger, sealer: Sealer | undefined): Ledger {
  return {
    async get(key: LedgerKey) {
      const row = await ledger.get(key);
      return row === undefined ? undefined : openRow(row, sealer);
    },
    async reserve(row) {
      const claimed = await ledger.reserve(await sealRow(row, sealer));
      return claimed.reserved ? claimed : { reserved: false, row: await openRow(claimed.row, sealer) };
    },
    put: async (row) => ledger.put(await sealRow(row, sealer)),
    release: (key, runId) => ledger.release(key, runId),
  };
}
