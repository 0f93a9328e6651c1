/**
 * Texts of ids and keys are compared byte by byte, in any locale of the database. Records and messages are texts, not
 * `jsonb`: the hash chain covers the written bytes.
 */
export function createFirstFormat(schema: string): string {
  return `CREATE TABLE ${schema}.store_format (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format integer NOT NULL
);
CREATE TABLE ${schema}.runs (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  agent_id text COLLATE "C" NOT NULL,
  definition_hash text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  user_id text COLLATE "C",
  parent text,
  parent_run text COLLATE "C",
  input text NOT NULL,
  deadline_at double precision,
  idempotency_key text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  epoch bigint NOT NULL,
  owner text COLLATE "C",
  expires_at double precision NOT NULL,
  head_seq bigint NOT NULL,
  head_hash text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  waiting_on text,
  wake_at double precision,
  created_at double precision NOT NULL,
  updated_at double precision NOT NULL,
  mark text COLLATE "C" NOT NULL
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX runs_by_idempotency_key ON ${schema}.runs (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_state ON ${schema}.runs (state, n) WHERE state IN ('ready', 'running', 'sleeping');
CREATE INDEX runs_by_parent ON ${schema}.runs (parent_run) WHERE parent_run IS NOT NULL;
CREATE INDEX runs_by_session ON ${schema}.runs (tenant, session_id);
CREATE INDEX runs_by_time ON ${schema}.runs (tenant, created_at DESC, n DESC);
CREATE TABLE ${schema}.events (
  run bigint NOT NULL REFERENCES ${schema}.runs (n) ON DELETE CASCADE,
  seq bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (run, seq)
);
CREATE UNIQUE INDEX events_by_key ON ${schema}.events (run, key);
CREATE TABLE ${schema}.inbox (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL REFERENCES ${schema}.runs (n) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  payload text,
  taken boolean NOT NULL DEFAULT false,
  UNIQUE (run, id)
);
CREATE INDEX inbox_unread ON ${schema}.inbox (run, n) WHERE NOT taken;
CREATE TABLE ${schema}.ledger (
  kind text COLLATE "C" NOT NULL,
  scope text COLLATE "C" NOT NULL,
  tool_name text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  call_key text COLLATE "C" NOT NULL,
  input_hash text COLLATE "C" NOT NULL,
  outcome text,
  expires_at double precision NOT NULL,
  PRIMARY KEY (kind, scope, tool_name, key)
);
CREATE INDEX ledger_by_expiry ON ${schema}.ledger (expires_at);
CREATE TABLE ${schema}.blobs (
  hash text COLLATE "C" PRIMARY KEY,
  bytes bytea NOT NULL
);
CREATE TABLE ${schema}.blob_uses (
  hash text COLLATE "C" NOT NULL REFERENCES ${schema}.blobs (hash),
  run bigint NOT NULL REFERENCES ${schema}.runs (n) ON DELETE CASCADE,
  PRIMARY KEY (hash, run)
);
CREATE INDEX blob_uses_by_run ON ${schema}.blob_uses (run);
CREATE SEQUENCE ${schema}.session_changes;
CREATE TABLE ${schema}.sessions (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  updated_at double precision NOT NULL,
  changes bigint NOT NULL,
  mark text COLLATE "C" NOT NULL,
  UNIQUE (tenant, id)
);
CREATE INDEX sessions_by_change ON ${schema}.sessions (tenant, changes DESC);
CREATE TABLE ${schema}.session_messages (
  session bigint NOT NULL REFERENCES ${schema}.sessions (n) ON DELETE CASCADE,
  position bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  text text NOT NULL,
  search text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, position)
);
CREATE INDEX session_messages_by_id ON ${schema}.session_messages (session, id);
CREATE TABLE ${schema}.session_appends (
  session bigint NOT NULL REFERENCES ${schema}.sessions (n) ON DELETE CASCADE,
  run_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (session, run_id, seq)
);`;
}

/** If the extension `pg_trgm` is installed, searches use an index. The store does not install it. */
export function addTrigramIndex(schema: string): string {
  return `DO $step$
DECLARE place text;
BEGIN
  SELECT quote_ident(nspname) INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm';
  IF place IS NOT NULL THEN
    EXECUTE 'CREATE INDEX session_messages_by_trigram ON ${schema}.session_messages USING gin (search ' || place || '.gin_trgm_ops)';
  END IF;
END
$step$;`;
}

/** Deleting a run keeps the blobs that were put for records that are still expected. */
export function addAwaitedBlobs(schema: string): string {
  return `ALTER TABLE ${schema}.blobs ADD COLUMN awaited integer NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.blobs ADD COLUMN awaited_until double precision NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.blobs ADD COLUMN deleted boolean NOT NULL DEFAULT false;
CREATE INDEX blobs_awaited ON ${schema}.blobs (awaited_until) WHERE awaited > 0;`;
}

/**
 * The user becomes part of the identity of sessions and of a run's idempotency key. An owner is '' for no user, '=' and
 * the user's id, or '*' for a session that its tenant shares. A session gets the user of its runs if there is only one;
 * the others are shared.
 */
export function addOwners(schema: string): string {
  return `DROP INDEX ${schema}.runs_by_idempotency_key;
CREATE UNIQUE INDEX runs_by_idempotency_key ON ${schema}.runs (tenant, (user_id IS NULL), coalesce(user_id, ''), idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_owner ON ${schema}.runs (tenant, user_id, created_at DESC, n DESC);
ALTER TABLE ${schema}.sessions ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT '*';
UPDATE ${schema}.sessions AS known SET owner = (
  SELECT CASE WHEN count(DISTINCT user_id) = 1 THEN '=' || max(user_id) ELSE '*' END
  FROM ${schema}.runs AS runs WHERE runs.tenant = known.tenant AND runs.session_id = known.id
);
ALTER TABLE ${schema}.sessions DROP CONSTRAINT sessions_tenant_id_key;
ALTER TABLE ${schema}.sessions ADD UNIQUE (tenant, owner, id);
DROP INDEX ${schema}.sessions_by_change;
CREATE INDEX sessions_by_change ON ${schema}.sessions (tenant, owner, changes DESC);
CREATE TABLE ${schema}.session_writes (
  session bigint NOT NULL REFERENCES ${schema}.sessions (n) ON DELETE CASCADE,
  run_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (session, run_id, name)
);
ALTER TABLE ${schema}.runs RENAME COLUMN wake_at TO due_at;
ALTER TABLE ${schema}.runs ADD COLUMN enqueued_at double precision NOT NULL DEFAULT 0;
UPDATE ${schema}.runs SET enqueued_at = created_at;
ALTER TABLE ${schema}.runs ADD COLUMN priority integer NOT NULL DEFAULT 0;
ALTER TABLE ${schema}.runs ADD COLUMN session_order bigint;
ALTER TABLE ${schema}.runs ADD COLUMN settled_at double precision;
UPDATE ${schema}.runs SET settled_at = updated_at WHERE state IN ('waiting', 'done', 'failed');
CREATE INDEX runs_by_settling ON ${schema}.runs (settled_at, n) WHERE settled_at IS NOT NULL AND parent_run IS NULL;
CREATE INDEX runs_ready ON ${schema}.runs (agent_id, priority DESC, n) WHERE state = 'ready' AND due_at IS NULL AND parent_run IS NULL;
CREATE INDEX runs_by_due ON ${schema}.runs (agent_id, due_at) WHERE state IN ('ready', 'sleeping') AND due_at IS NOT NULL AND parent_run IS NULL;
CREATE INDEX runs_by_expiry ON ${schema}.runs (agent_id, expires_at) WHERE state = 'running' AND parent_run IS NULL;
CREATE INDEX runs_by_session_order ON ${schema}.runs (tenant, session_id, session_order) WHERE session_order IS NOT NULL AND state IN ('ready', 'running');`;
}
