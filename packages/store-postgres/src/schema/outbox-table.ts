/** A row for each event that waits for its delivery. A settled one has no time, and stays to refuse its repetition. */
export function addOutbox(schema: string): string {
  return `CREATE TABLE ${schema}.outbox (
  queue text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  at double precision NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  due_at double precision,
  PRIMARY KEY (queue, id)
);
CREATE INDEX outbox_due ON ${schema}.outbox (queue, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_settled ON ${schema}.outbox (queue, at) WHERE due_at IS NULL;`;
}
