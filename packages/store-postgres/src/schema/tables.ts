import { quoted } from "./open-schema.ts";

/**
 * The store's clock in SQL: current milliseconds since the epoch, not those of the transaction's start. Leases never
 * use callers' clocks.
 */
export const now = "floor(extract(epoch FROM clock_timestamp()) * 1000)::double precision";

/** A row with the time, for statements that write it to several columns: `clock_timestamp()` changes between them. */
export const moment: string = `(SELECT ${now} AS at OFFSET 0) AS moment`;

/** Names of the tables as SQL. */
export interface Tables {
  readonly runs: string;
  readonly events: string;
  readonly inbox: string;
  readonly ledger: string;
  readonly blobs: string;
  readonly blobUses: string;
  readonly sessions: string;
  readonly messages: string;
  readonly appends: string;
  readonly writes: string;
  readonly former: string;
  readonly deletedRuns: string;
  readonly memories: string;
  readonly outbox: string;
  /** The next number of a change of a session. */
  readonly nextChange: string;
}

export function tablesIn(schema: string): Tables {
  const place = quoted(schema);
  return {
    runs: `${place}.runs`,
    events: `${place}.events`,
    inbox: `${place}.inbox`,
    ledger: `${place}.ledger`,
    blobs: `${place}.blobs`,
    blobUses: `${place}.blob_uses`,
    sessions: `${place}.sessions`,
    messages: `${place}.session_messages`,
    appends: `${place}.session_appends`,
    writes: `${place}.session_writes`,
    former: `${place}.session_former`,
    deletedRuns: `${place}.deleted_runs`,
    memories: `${place}.memories`,
    outbox: `${place}.outbox`,
    nextChange: `nextval('${place.replaceAll("'", "''")}.session_changes')`,
  };
}
