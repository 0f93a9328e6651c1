-- A store in the first format, as its first version wrote it. Never changed: the migrations start from here.
CREATE TABLE runs (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  definition_hash TEXT NOT NULL,
  session_id TEXT NOT NULL,
  tenant_id TEXT,
  user_id TEXT,
  parent TEXT,
  input TEXT NOT NULL,
  deadline_at INTEGER,
  idempotency_key TEXT,
  state TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  owner TEXT,
  expires_at INTEGER NOT NULL,
  head_seq INTEGER NOT NULL,
  head_hash TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  waiting_on TEXT,
  wake_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX runs_by_idempotency_key
  ON runs (tenant_id IS NULL, ifnull(tenant_id, ''), idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_state ON runs (state, expires_at);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE TABLE events (
  n INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  hash BLOB NOT NULL,
  text TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX events_by_seq ON events (run, seq);
CREATE UNIQUE INDEX events_by_key ON events (run, key);
CREATE TABLE inbox (
  n INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  payload TEXT,
  taken INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run, id)
) STRICT;
CREATE TABLE ledger (
  kind TEXT NOT NULL,
  scope TEXT NOT NULL,
  tool_name TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  run_id TEXT NOT NULL,
  call_key TEXT NOT NULL,
  input_hash TEXT NOT NULL,
  outcome TEXT,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (kind, scope, tool_name, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE blobs (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
CREATE TABLE blob_uses (
  hash TEXT NOT NULL REFERENCES blobs (hash),
  run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
  PRIMARY KEY (hash, run)
) STRICT, WITHOUT ROWID;
CREATE INDEX blob_uses_by_run ON blob_uses (run);
CREATE TABLE sessions (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  tenant_id TEXT,
  state TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  changes INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sessions_by_id ON sessions (tenant_id IS NULL, ifnull(tenant_id, ''), id);
CREATE TABLE session_messages (
  session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  id TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (session, position)
) STRICT;
CREATE TABLE session_appends (
  session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (session, run_id, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO runs VALUES (1, 'run-1', 'acting', 'd1', 'session-1', NULL, 'u1', NULL, '"Act on order 1042."', NULL, 'key-1', 'running', 1, 'owner-1', 1763700030000, 3, '3ee65c19b23ff91b60738f024908f314be768cd785efc95b21ab13f230819659', 0, NULL, NULL, 1763700000000, 1763700000003);
INSERT INTO runs VALUES (2, 'run-2', 'acting', 'd1', 'session-1', 't1', NULL, NULL, '{"text":"hi"}', NULL, NULL, 'waiting', 1, NULL, 0, 0, '', 0, '["i1"]', NULL, 1763700000000, 1763700000003);
INSERT INTO events VALUES (1, 1, 1, 'run/start', X'6710029c6c8dd5948d7a90dc3ea9c8ee3a9907c04067129f746061bd630eda8a', '{"type":"run.start","seq":1,"at":1763700000001,"key":"run/start","label":"user","runId":"run-1","version":1,"agentName":"acting","sessionId":"session-1","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"d1","tools":{"act":"h1"},"history":[],"input":[{"id":"m1","role":"user","content":"Act on order 1042."}],"sessionState":{}}');
INSERT INTO events VALUES (2, 1, 2, 't1/model/intent/a1', X'490350822fd8402fe448713a071e62c2c82f7a04b136f0905cc896e20258c6b5', '{"type":"model.intent","seq":2,"at":1763700000002,"key":"t1/model/intent/a1","label":"system","runId":"run-1","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"r1","hostedWriters":[],"tools":["act"]}');
INSERT INTO events VALUES (3, 1, 3, 't1/model', X'3ee65c19b23ff91b60738f024908f314be768cd785efc95b21ab13f230819659', '{"type":"model.result","seq":3,"at":1763700000003,"key":"t1/model","label":"untrusted","runId":"run-1","turn":1,"attempt":1,"message":{"id":"m2","role":"assistant","content":[{"type":"tool-call","toolCallId":"c1"}],"toolCalls":[{"id":"c1","name":"act","arguments":"{\"order\":\"1042\"}","input":{"order":"1042"}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"}},"usage":{"promptTokens":10,"completionTokens":2,"totalTokens":12},"finishReason":"tool_calls","warnings":[],"durationMs":5,"retries":0}');
INSERT INTO inbox (n, run, id, name, payload, taken) VALUES (1, 1, 's1', 'steer', '{"id":"m9","role":"user","content":"Hurry."}', 0);
INSERT INTO ledger VALUES ('idempotency', 'tenant:t1', 'act', 'k1', 'done', 'run-0', 't1/c0', 'h', '{"output":1}', 99999999999999);
INSERT INTO blobs VALUES ('4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a', X'01');
INSERT INTO sessions VALUES (1, 'session-1', NULL, '{"lang":"en"}', 1763700000000, 1);
INSERT INTO session_messages VALUES (1, 0, 'm0', '{"id":"m0","role":"user","content":"The Tulip order never came."}');
INSERT INTO session_messages VALUES (1, 1, 'm0a', '{"id":"m0a","role":"assistant","content":[{"type":"text","text":"Which order?"}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"}}');
INSERT INTO session_appends VALUES (1, 'run-0', 7);
PRAGMA application_id = 1113018955;
PRAGMA user_version = 1;
