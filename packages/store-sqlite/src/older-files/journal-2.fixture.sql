-- A file as a version with journals of format 2 wrote it. Never changed.
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
      due_at INTEGER,
      created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL
    , enqueued_at INTEGER NOT NULL DEFAULT 0, priority INTEGER NOT NULL DEFAULT 0, session_order INTEGER, settled_at INTEGER, cost_usd REAL, tokens INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0, tool_calls INTEGER NOT NULL DEFAULT 0, tools TEXT NOT NULL DEFAULT '', stop_reason TEXT, words TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE events (
      n INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES runs (n) ON DELETE CASCADE,
      seq INTEGER NOT NULL,
      key TEXT NOT NULL,
      hash BLOB NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
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
CREATE TABLE sessions (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL,
      tenant_id TEXT,
      state TEXT NOT NULL,
      updated_at INTEGER NOT NULL,
      changes INTEGER NOT NULL
    , owner TEXT NOT NULL DEFAULT '*') STRICT;
CREATE TABLE session_messages (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL, search TEXT NOT NULL DEFAULT '',
      PRIMARY KEY (session, position)
    ) STRICT;
CREATE TABLE session_appends (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      run_id TEXT NOT NULL,
      seq INTEGER NOT NULL,
      PRIMARY KEY (session, run_id, seq)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE memory_scopes (
      n INTEGER PRIMARY KEY,
      tenant_id TEXT,
      user_id TEXT
    ) STRICT;
CREATE TABLE memories (
      n INTEGER PRIMARY KEY,
      scope INTEGER NOT NULL REFERENCES memory_scopes (n),
      id TEXT NOT NULL,
      agent_id TEXT,
      namespace TEXT,
      kind TEXT NOT NULL,
      name TEXT,
      entry TEXT NOT NULL,
      data TEXT,
      length INTEGER NOT NULL,
      valid_from REAL NOT NULL,
      valid_to REAL,
      recorded_at REAL NOT NULL,
      superseded_by TEXT,
      superseded_at REAL,
      superseded_from REAL,
      UNIQUE (scope, id)
    ) STRICT;
CREATE TABLE memory_sources (
      id TEXT NOT NULL,
      memory INTEGER NOT NULL REFERENCES memories (n) ON DELETE CASCADE,
      PRIMARY KEY (id, memory)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE memory_vectors (
      memory INTEGER PRIMARY KEY REFERENCES memories (n) ON DELETE CASCADE,
      model TEXT NOT NULL,
      dims INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;
CREATE VIRTUAL TABLE memory_words USING fts5 (scope, words, tokenize = 'unicode61 remove_diacritics 0');
CREATE TABLE awaited_blobs (
      hash TEXT PRIMARY KEY REFERENCES blobs (hash) ON DELETE CASCADE,
      times INTEGER NOT NULL,
      until INTEGER NOT NULL,
      deleted INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
CREATE TABLE session_writes (
      session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
      run_id TEXT NOT NULL,
      name TEXT NOT NULL,
      state TEXT NOT NULL,
      PRIMARY KEY (session, run_id, name)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE head (one INTEGER PRIMARY KEY, store_id TEXT NOT NULL, commits INTEGER NOT NULL) STRICT;
INSERT INTO runs (n, id, agent_id, definition_hash, session_id, tenant_id, user_id, parent, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, due_at, created_at, updated_at, enqueued_at, priority, session_order, settled_at, cost_usd, tokens, model_calls, tool_calls, tools, stop_reason, words) VALUES (1, 'b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 's', NULL, NULL, NULL, '"Which colour?"', NULL, NULL, 'completed', 1, NULL, 0, 9, '626799bd5f7098593db9c9bc014130254ab89d4a3a559bf4d84093ec6bd65c9c', 0, NULL, NULL, 1795790730983, 1795790731302, 1795790730983, 0, 1, 1795790731302, NULL, 189, 2, 1, '
look
', 'completed', 'which colour?
it is blue.');
INSERT INTO runs (n, id, agent_id, definition_hash, session_id, tenant_id, user_id, parent, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, due_at, created_at, updated_at, enqueued_at, priority, session_order, settled_at, cost_usd, tokens, model_calls, tool_calls, tools, stop_reason, words) VALUES (2, '02869071-d9ee-46bb-ade5-97af58af16e4', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 't', NULL, NULL, NULL, '"Pay 5."', NULL, NULL, 'suspended', 1, NULL, 0, 7, 'f67436acd2b9f793a6e525b557a06999a4d04cfb7796de98e5e3f6ddd9479747', 0, '["0ee64fe6-8e19-4595-a741-10cb1316aed5"]', NULL, 1795790731313, 1795790731352, 1795790731313, 0, 2, 1795790731352, NULL, 92, 1, 1, '
pay
', 'awaiting_approval', 'pay 5.');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (1, 1, 1, 'run/start', X'ae3da444f6d098d05cfd4e3333b84c005c6d8f0e9e0a2cd9bfd8b96a2ee32fb1', '{"type":"run.start","version":2,"runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5","agentName":"desk","sessionId":"s","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"writers":["pay"],"history":[],"input":[{"id":"48fee915-c81c-4d88-bf0b-ac470779555f","role":"user","content":"Which colour?","timestamp":1795790731050}],"sessionState":{},"seq":1,"at":1795790731050,"key":"run/start","label":"user"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (2, 1, 2, 't1/model/intent/a1', X'230b46640bdb8e09ef0b05d3349df8c493e3ce2d5881436b7df644d82ed26be4', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"3aaef2711a3f24e5746237fe4a0501fcd3fe7e005cef6830aa49024020af1470","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795790731063,"key":"t1/model/intent/a1","label":"system","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (3, 1, 3, 't1/model', X'ab65672ae7e02fcfd0d8d2551f60b0b7d2fb6400d8b90ad34f41b61c37c3876e', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795790731086},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":27,"retries":0,"seq":3,"at":1795790731087,"key":"t1/model","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (4, 1, 4, 't1/c0/call', X'f87bef8440172ab012ef7cdce12a9af51915fcd2b08a1cbe5ba23a57ad30ccb4', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","args":{},"argsHash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","definitionHash":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","needsApproval":false,"seq":4,"at":1795790731108,"key":"t1/c0/call","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (5, 1, 5, 't1/c0/outcome', X'f04567bee0678be7f289dd7858617316a4738e050b6bc1bc4d7e4cb76a64e870', '{"type":"tool.outcome","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","attempt":1,"output":"blue","durationMs":0,"seq":5,"at":1795790731113,"key":"t1/c0/outcome","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (6, 1, 6, 't1/c0/result', X'a6077de3ded25df5e62e3b1796339ac839aa7ad5335026a58a255783e709d7a9', '{"type":"tool.result","turn":1,"index":0,"message":{"role":"tool","id":"4e81cd60-b099-4777-9f58-1f852bf95251","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795790731252},"result":{"toolCallId":"call_1_0","toolName":"look","input":{},"output":"blue","isError":false,"durationMs":0},"seq":6,"at":1795790731252,"key":"t1/c0/result","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (7, 1, 7, 't2/model/intent/a1', X'1ce07dea20f297cc2b1f0bfb07e80a2e2f64be8650024afb819b8f1b45a87cc3', '{"type":"model.intent","turn":2,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"49812dc72a7b9ce370bd9b66e2f258fc89e324d0415eb4c145a23a8c1228f8d2","hostedWriters":[],"tools":["look","pay"],"seq":7,"at":1795790731271,"key":"t2/model/intent/a1","label":"system","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (8, 1, 8, 't2/model', X'2ec680b00f79207a28b1df1f2ac8f63a08743225eb98d784987858433a86a7c8', '{"type":"model.result","turn":2,"attempt":1,"message":{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795790731292},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"finishReason":"stop","responseId":"scripted-1-response-2","warnings":[],"durationMs":23,"retries":0,"seq":8,"at":1795790731292,"key":"t2/model","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (9, 1, 9, 'run/end', X'626799bd5f7098593db9c9bc014130254ab89d4a3a559bf4d84093ec6bd65c9c', '{"type":"run.end","status":"completed","stopReason":"completed","text":"It is blue.","durationMs":251,"seq":9,"at":1795790731294,"key":"run/end","label":"untrusted","runId":"b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (10, 2, 1, 'run/start', X'c473be3e2560d04759bdd19c944e84128d5708459cf4fc6858eb8b391b4e14d2', '{"type":"run.start","version":2,"runId":"02869071-d9ee-46bb-ade5-97af58af16e4","agentName":"desk","sessionId":"t","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"writers":["pay"],"history":[],"input":[{"id":"22d9423a-6899-4ad9-963f-cb9e8ba93c4f","role":"user","content":"Pay 5.","timestamp":1795790731321}],"sessionState":{},"seq":1,"at":1795790731321,"key":"run/start","label":"user"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (11, 2, 2, 't1/model/intent/a1', X'4c9b472eb0817e3bf09ea8df6f7938cdce85547159a46f53ba60c12accb0c076', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"a8952ab047c3edea23f7ad5f6abaa589c19d84e3bfd2658dfe04b84fef535bed","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795790731322,"key":"t1/model/intent/a1","label":"system","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (12, 2, 3, 't1/model', X'c1c9c944ff4bdc5ac336e3b0cb3cc3268dafa8cba3c4a0ec6f80bc5b6c5f7fca', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"pay","arguments":"{\"n\":5}","input":{"n":5}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"timestamp":1795790731332},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":10,"retries":0,"seq":3,"at":1795790731332,"key":"t1/model","label":"untrusted","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (13, 2, 4, 't1/c0/call', X'a111c2f15b52f7256c2fa4cc68213be1deb5b5694cbba1f0c87ddf2346f5e740', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","needsApproval":true,"seq":4,"at":1795790731334,"key":"t1/c0/call","label":"untrusted","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (14, 2, 5, 't1/c0/approval', X'075cdadaed50b17bb52a686656e9f0af480a56c5f0b286b38eb4d3afa3d1201a', '{"type":"tool.approval.requested","turn":1,"index":0,"interruption":{"kind":"approval","id":"0ee64fe6-8e19-4595-a741-10cb1316aed5","runId":"02869071-d9ee-46bb-ade5-97af58af16e4","agentName":"desk","agentPath":["desk"],"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"question":{"title":"Pay (n: 5)?","reason":"Compare the values of \"pay\" with the request.","level":"normal","request":"Pay 5.","values":[{"path":"n","name":"n","shown":"5","decides":true,"origin":{"from":"model","text":"chosen by the model","trusted":false}}],"unusual":[],"payload":{"n":5},"remember":["call","tool"],"developer":{"rules":[],"toolCallId":"call_1_0","remedy":"Change \"needsApproval\" of \"pay\" or \"approval.policy\", or approve with remember: \"tool\"."}},"batch":"22a3fd1bd7fed81a19dccb4fba4037ee5407c3753852afc2310f61cd1848e2fa","argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"2490298c25bf178515076b8963d61afe6903f99abafe7c64ff4fa706721f1ee6","approvalHash":"444eea4bef2ef5219d5f1e84d2d904e8a1278a88a31d3a2d903a454fc0435226","requestedAt":1795790731340,"expiresAt":1796395531340},"seq":5,"at":1795790731341,"key":"t1/c0/approval","label":"system","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (15, 2, 6, 'run.suspended#1', X'fe6916673c91b625f75729bb618ed06036f3bb5d110ec0233aae18cbba3e1b75', '{"type":"run.suspended","reason":"awaiting_approval","interruptionIds":["0ee64fe6-8e19-4595-a741-10cb1316aed5"],"seq":6,"at":1795790731350,"key":"run.suspended#1","label":"system","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (16, 2, 7, 'run/end', X'f67436acd2b9f793a6e525b557a06999a4d04cfb7796de98e5e3f6ddd9479747', '{"type":"run.end","status":"suspended","stopReason":"awaiting_approval","text":"","durationMs":30,"seq":7,"at":1795790731350,"key":"run/end","label":"untrusted","runId":"02869071-d9ee-46bb-ade5-97af58af16e4"}');
INSERT INTO sessions (n, id, tenant_id, state, updated_at, changes, owner) VALUES (1, 's', NULL, '{}', 1795790731302, 2, '');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 0, '48fee915-c81c-4d88-bf0b-ac470779555f', '{"id":"48fee915-c81c-4d88-bf0b-ac470779555f","role":"user","content":"Which colour?","timestamp":1795790731050}', 'which colour?');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 1, 'scripted-1-message-1', '{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795790731086}', '');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 2, '4e81cd60-b099-4777-9f58-1f852bf95251', '{"role":"tool","id":"4e81cd60-b099-4777-9f58-1f852bf95251","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795790731252}', 'blue');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 3, 'scripted-1-message-2', '{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795790731292}', 'it is blue.');
INSERT INTO session_appends (session, run_id, seq) VALUES (1, 'b5b4bc3d-9c80-4ec5-a60c-ae9aee0e8ea5', 9);
INSERT INTO head (one, store_id, commits) VALUES (1, 'e454525fd8c5a27fb5fef8b845f38331', 9);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE UNIQUE INDEX events_by_seq ON events (run, seq);
CREATE UNIQUE INDEX events_by_key ON events (run, key);
CREATE INDEX blob_uses_by_run ON blob_uses (run);
CREATE INDEX ledger_by_expiry ON ledger (expires_at);
CREATE UNIQUE INDEX memory_scopes_by_owner
      ON memory_scopes (tenant_id IS NULL, ifnull(tenant_id, ''), user_id IS NULL, ifnull(user_id, ''));
CREATE INDEX memories_by_age ON memories (scope, recorded_at);
CREATE INDEX memories_by_name ON memories (scope, name) WHERE name IS NOT NULL;
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_sources_by_memory ON memory_sources (memory);
CREATE INDEX runs_by_parent ON runs (json_extract(parent, '$.runId')) WHERE parent IS NOT NULL;
CREATE INDEX awaited_blobs_by_time ON awaited_blobs (until);
CREATE UNIQUE INDEX runs_by_idempotency_key
      ON runs (tenant_id IS NULL, ifnull(tenant_id, ''), user_id IS NULL, ifnull(user_id, ''), idempotency_key)
      WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_owner ON runs (tenant_id, user_id, created_at DESC, n DESC);
CREATE UNIQUE INDEX sessions_by_id ON sessions (tenant_id IS NULL, ifnull(tenant_id, ''), owner, id);
CREATE INDEX sessions_by_change ON sessions (tenant_id, owner, changes DESC);
CREATE INDEX runs_by_settling ON runs (settled_at, n) WHERE settled_at IS NOT NULL AND parent IS NULL;
CREATE INDEX runs_by_expiry ON runs (agent_id, expires_at) WHERE state = 'running' AND parent IS NULL;
CREATE INDEX runs_by_time ON runs (created_at DESC, n DESC) WHERE parent IS NULL;
CREATE INDEX runs_by_state_and_time ON runs (state, created_at DESC, n DESC) WHERE parent IS NULL;
CREATE INDEX runs_queued ON runs (agent_id, priority DESC, n) WHERE state = 'queued' AND due_at IS NULL AND parent IS NULL;
CREATE INDEX runs_by_due ON runs (agent_id, due_at) WHERE state IN ('queued', 'sleeping') AND due_at IS NOT NULL AND parent IS NULL;
CREATE INDEX runs_by_session_order ON runs (session_id, session_order)
      WHERE session_order IS NOT NULL AND state IN ('queued', 'running');
CREATE INDEX runs_by_tenant_and_time ON runs (tenant_id, created_at DESC, n DESC) WHERE parent IS NULL;
PRAGMA application_id = 1113018955;
PRAGMA user_version = 8;
