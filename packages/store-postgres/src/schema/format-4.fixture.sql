BEGIN;
CREATE SCHEMA "bailiwick";
CREATE TABLE "bailiwick".store_format (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  format integer NOT NULL
);
CREATE TABLE "bailiwick".runs (
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
CREATE UNIQUE INDEX runs_by_idempotency_key ON "bailiwick".runs (tenant, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_state ON "bailiwick".runs (state, n) WHERE state IN ('ready', 'running', 'sleeping');
CREATE INDEX runs_by_parent ON "bailiwick".runs (parent_run) WHERE parent_run IS NOT NULL;
CREATE INDEX runs_by_session ON "bailiwick".runs (tenant, session_id);
CREATE INDEX runs_by_time ON "bailiwick".runs (tenant, created_at DESC, n DESC);
CREATE TABLE "bailiwick".events (
  run bigint NOT NULL REFERENCES "bailiwick".runs (n) ON DELETE CASCADE,
  seq bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  text text NOT NULL,
  PRIMARY KEY (run, seq)
);
CREATE UNIQUE INDEX events_by_key ON "bailiwick".events (run, key);
CREATE TABLE "bailiwick".inbox (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run bigint NOT NULL REFERENCES "bailiwick".runs (n) ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  payload text,
  taken boolean NOT NULL DEFAULT false,
  UNIQUE (run, id)
);
CREATE INDEX inbox_unread ON "bailiwick".inbox (run, n) WHERE NOT taken;
CREATE TABLE "bailiwick".ledger (
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
CREATE INDEX ledger_by_expiry ON "bailiwick".ledger (expires_at);
CREATE TABLE "bailiwick".blobs (
  hash text COLLATE "C" PRIMARY KEY,
  bytes bytea NOT NULL
);
CREATE TABLE "bailiwick".blob_uses (
  hash text COLLATE "C" NOT NULL REFERENCES "bailiwick".blobs (hash),
  run bigint NOT NULL REFERENCES "bailiwick".runs (n) ON DELETE CASCADE,
  PRIMARY KEY (hash, run)
);
CREATE INDEX blob_uses_by_run ON "bailiwick".blob_uses (run);
CREATE SEQUENCE "bailiwick".session_changes;
CREATE TABLE "bailiwick".sessions (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  updated_at double precision NOT NULL,
  changes bigint NOT NULL,
  mark text COLLATE "C" NOT NULL,
  UNIQUE (tenant, id)
);
CREATE INDEX sessions_by_change ON "bailiwick".sessions (tenant, changes DESC);
CREATE TABLE "bailiwick".session_messages (
  session bigint NOT NULL REFERENCES "bailiwick".sessions (n) ON DELETE CASCADE,
  position bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  text text NOT NULL,
  search text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, position)
);
CREATE INDEX session_messages_by_id ON "bailiwick".session_messages (session, id);
CREATE TABLE "bailiwick".session_appends (
  session bigint NOT NULL REFERENCES "bailiwick".sessions (n) ON DELETE CASCADE,
  run_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (session, run_id, seq)
);
DO $step$
DECLARE place text;
BEGIN
  SELECT quote_ident(nspname) INTO place FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace WHERE extname = 'pg_trgm';
  IF place IS NOT NULL THEN
    EXECUTE 'CREATE INDEX session_messages_by_trigram ON "bailiwick".session_messages USING gin (search ' || place || '.gin_trgm_ops)';
  END IF;
END
$step$;
CREATE TABLE "bailiwick".memories (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  owner text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  agent_id text COLLATE "C",
  namespace text COLLATE "C",
  kind text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  entry text NOT NULL,
  data text,
  words text[] COLLATE "C" NOT NULL,
  length integer NOT NULL,
  valid_from double precision NOT NULL,
  valid_to double precision,
  recorded_at double precision NOT NULL,
  superseded_by text COLLATE "C",
  superseded_at double precision,
  superseded_from double precision,
  sources text[] COLLATE "C" NOT NULL,
  model text COLLATE "C",
  dims integer,
  vector real[],
  mark text COLLATE "C" NOT NULL,
  UNIQUE (tenant, owner, id)
);
CREATE INDEX memories_by_age ON "bailiwick".memories (tenant, owner, recorded_at DESC);
CREATE INDEX memories_by_words ON "bailiwick".memories USING gin (words);
CREATE INDEX memories_by_sources ON "bailiwick".memories USING gin (sources);
CREATE INDEX memories_by_successor ON "bailiwick".memories (tenant, superseded_by) WHERE superseded_by IS NOT NULL;
ALTER TABLE "bailiwick".blobs ADD COLUMN awaited integer NOT NULL DEFAULT 0;
ALTER TABLE "bailiwick".blobs ADD COLUMN awaited_until double precision NOT NULL DEFAULT 0;
ALTER TABLE "bailiwick".blobs ADD COLUMN deleted boolean NOT NULL DEFAULT false;
CREATE INDEX blobs_awaited ON "bailiwick".blobs (awaited_until) WHERE awaited > 0;
INSERT INTO "bailiwick".store_format (format) VALUES (4) ON CONFLICT (one) DO UPDATE SET format = excluded.format;
COMMIT;
