import type { Database } from "./database.ts";

/** A row for each event that waits for its delivery. A settled one has no time, and stays to refuse its repetition. */
export function addOutbox(database: Database): void {
  database.exec(`
    CREATE TABLE outbox (
      queue TEXT NOT NULL,
      id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      at INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      due_at INTEGER,
      PRIMARY KEY (queue, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX outbox_due ON outbox (queue, due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX outbox_settled ON outbox (queue, at) WHERE due_at IS NULL;
  `);
}
