-- A file as a version with journals of format 1 wrote it. Never changed.
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
    ) STRICT;
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
INSERT INTO runs (n, id, agent_id, definition_hash, session_id, tenant_id, user_id, parent, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, wake_at, created_at, updated_at) VALUES (1, 'eae9c24b-a7a5-452c-b725-2e393573d634', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 's', NULL, NULL, NULL, '"Which colour?"', NULL, NULL, 'done', 1, NULL, 0, 9, 'f53a2f887559137958d077a56a0408ef9da765b9db757e84045e927919e4e9e2', 0, NULL, NULL, 1795790739678, 1795790739956);
INSERT INTO runs (n, id, agent_id, definition_hash, session_id, tenant_id, user_id, parent, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, wake_at, created_at, updated_at) VALUES (2, '5b9616b9-d639-4f83-818c-68fe531122d0', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 't', NULL, NULL, NULL, '"Pay 5."', NULL, NULL, 'waiting', 1, NULL, 0, 7, '324d1e335e72d72abea2cc10b18c877dac4fe30248b57ae630bbba3f52e0df88', 0, '["5547f546-31c3-4baf-84bb-81ded746c18f"]', NULL, 1795790740111, 1795790740234);
INSERT INTO events (n, run, seq, key, hash, text) VALUES (1, 1, 1, 'run/start', X'37a0b075c48d62892b5b3f9b94dfded445b20a9e2f98f78409028dc79f866fea', '{"type":"run.start","version":1,"runId":"eae9c24b-a7a5-452c-b725-2e393573d634","agentName":"desk","sessionId":"s","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"history":[],"input":[{"id":"793f000c-cb2d-4f94-9b1a-ef33195538ad","role":"user","content":"Which colour?","timestamp":1795790739748}],"sessionState":{},"seq":1,"at":1795790739749,"key":"run/start","label":"user"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (2, 1, 2, 't1/model/intent/a1', X'988d78be128821717c3f324ed0f3b95cfd76a6324a56cda695f6c7e614bd050c', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"d0b2a2083315f09b9be20c11519e35d14dbb8ad1ccc321ac4e55eed3039ed953","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795790739758,"key":"t1/model/intent/a1","label":"system","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (3, 1, 3, 't1/model', X'c5e72d4ba1d79ccbe86af3534abd11d547d90366f59b943d577347824897985c', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795790739782},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":32,"retries":0,"seq":3,"at":1795790739783,"key":"t1/model","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (4, 1, 4, 't1/c0/call', X'0c3404c7422c2e757f041599e625b308130d78fad52d9da3caa126d3b12c28bc', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","args":{},"argsHash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","definitionHash":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","needsApproval":false,"seq":4,"at":1795790739789,"key":"t1/c0/call","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (5, 1, 5, 't1/c0/outcome', X'e028e2ba2245644f3b67b0130d42ec0acd25a286ad61b4ffb96128319ac5763d', '{"type":"tool.outcome","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","attempt":1,"output":"blue","durationMs":1,"seq":5,"at":1795790739792,"key":"t1/c0/outcome","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (6, 1, 6, 't1/c0/result', X'bf69eaacb13f43756cca12b5b101c3cd089afad45f165c222d6aa5177534b1ac', '{"type":"tool.result","turn":1,"index":0,"message":{"role":"tool","id":"be236e14-3521-42fe-b344-08842630f81e","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795790739821},"result":{"toolCallId":"call_1_0","toolName":"look","input":{},"output":"blue","isError":false,"durationMs":1},"seq":6,"at":1795790739821,"key":"t1/c0/result","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (7, 1, 7, 't2/model/intent/a1', X'711b5d8a81d2468e52e9d123347409315a91e40d4ef00f05ba3477da30180ac8', '{"type":"model.intent","turn":2,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"d368e993a7da85376d4a89b18746809ce26ac10b43714ac0dc21bafe5a48ce3e","hostedWriters":[],"tools":["look","pay"],"seq":7,"at":1795790739940,"key":"t2/model/intent/a1","label":"system","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (8, 1, 8, 't2/model', X'15c1622d8b2eb15488fe8c239490f3c5f941ae351681832c13c064ab6f9d5ce7', '{"type":"model.result","turn":2,"attempt":1,"message":{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795790739945},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"finishReason":"stop","responseId":"scripted-1-response-2","warnings":[],"durationMs":11,"retries":0,"seq":8,"at":1795790739945,"key":"t2/model","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (9, 1, 9, 'run/end', X'f53a2f887559137958d077a56a0408ef9da765b9db757e84045e927919e4e9e2', '{"type":"run.end","status":"completed","stopReason":"completed","text":"It is blue.","durationMs":264,"seq":9,"at":1795790739949,"key":"run/end","label":"untrusted","runId":"eae9c24b-a7a5-452c-b725-2e393573d634"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (10, 2, 1, 'run/start', X'a320fef9f78e874ad2536bc8ed0eff2af625dcfa274ffb5e4b348ff5fabe8ee2', '{"type":"run.start","version":1,"runId":"5b9616b9-d639-4f83-818c-68fe531122d0","agentName":"desk","sessionId":"t","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"history":[],"input":[{"id":"63487b26-eba2-4721-ae13-0f2b832feb8e","role":"user","content":"Pay 5.","timestamp":1795790740142}],"sessionState":{},"seq":1,"at":1795790740142,"key":"run/start","label":"user"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (11, 2, 2, 't1/model/intent/a1', X'b52ccb5521670ebf0f01794cb89b5ae38922e1c9483d66035c3445879cd1c798', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"ab8108df47aba95d5d011dcccd0a4f63f0a3f4b7ccd31c8aaed0016a16846c39","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795790740143,"key":"t1/model/intent/a1","label":"system","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (12, 2, 3, 't1/model', X'87681c4abb3add186ef2a473fa863c40d830819670ba522900165b974bf9b2ac', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"pay","arguments":"{\"n\":5}","input":{"n":5}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"timestamp":1795790740224},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":82,"retries":0,"seq":3,"at":1795790740224,"key":"t1/model","label":"untrusted","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (13, 2, 4, 't1/c0/call', X'472b8a51e214ffe3bb77ffbc6318abaef9b6df6535f92fce95e60a2def6dc919', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","needsApproval":true,"seq":4,"at":1795790740226,"key":"t1/c0/call","label":"untrusted","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (14, 2, 5, 't1/c0/approval', X'4e3e70995dcb4b9d2b8d56ce083e0fcb10f64403a0bc79999846a07c6697fa05', '{"type":"tool.approval.requested","turn":1,"index":0,"interruption":{"kind":"approval","id":"5547f546-31c3-4baf-84bb-81ded746c18f","runId":"5b9616b9-d639-4f83-818c-68fe531122d0","agentName":"desk","agentPath":["desk"],"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"reason":"\"pay\" needs approval.","origins":[],"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","approvalHash":"2670fb75a709b3916b6633fca6619fb91622fd1325dbfae2791ca8492f9a3cf8","requestedAt":1795790740227,"expiresAt":1796395540227},"seq":5,"at":1795790740228,"key":"t1/c0/approval","label":"system","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (15, 2, 6, 'run.suspended#1', X'65f35aeab691fb0053f06e37b49d21f65657cb2b61133d9ca8027877eab9370b', '{"type":"run.suspended","reason":"awaiting_approval","interruptionIds":["5547f546-31c3-4baf-84bb-81ded746c18f"],"seq":6,"at":1795790740233,"key":"run.suspended#1","label":"system","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO events (n, run, seq, key, hash, text) VALUES (16, 2, 7, 'run/end', X'324d1e335e72d72abea2cc10b18c877dac4fe30248b57ae630bbba3f52e0df88', '{"type":"run.end","status":"suspended","stopReason":"awaiting_approval","text":"","durationMs":92,"seq":7,"at":1795790740233,"key":"run/end","label":"untrusted","runId":"5b9616b9-d639-4f83-818c-68fe531122d0"}');
INSERT INTO sessions (n, id, tenant_id, state, updated_at, changes) VALUES (1, 's', NULL, '{}', 1795790739956, 2);
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 0, '793f000c-cb2d-4f94-9b1a-ef33195538ad', '{"id":"793f000c-cb2d-4f94-9b1a-ef33195538ad","role":"user","content":"Which colour?","timestamp":1795790739748}', 'which colour?');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 1, 'scripted-1-message-1', '{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795790739782}', '');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 2, 'be236e14-3521-42fe-b344-08842630f81e', '{"role":"tool","id":"be236e14-3521-42fe-b344-08842630f81e","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795790739821}', 'blue');
INSERT INTO session_messages (session, position, id, text, search) VALUES (1, 3, 'scripted-1-message-2', '{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795790739945}', 'it is blue.');
INSERT INTO session_appends (session, run_id, seq) VALUES (1, 'eae9c24b-a7a5-452c-b725-2e393573d634', 9);
CREATE UNIQUE INDEX runs_by_idempotency_key
      ON runs (tenant_id IS NULL, ifnull(tenant_id, ''), idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX runs_by_state ON runs (state, expires_at);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE UNIQUE INDEX events_by_seq ON events (run, seq);
CREATE UNIQUE INDEX events_by_key ON events (run, key);
CREATE INDEX blob_uses_by_run ON blob_uses (run);
CREATE UNIQUE INDEX sessions_by_id ON sessions (tenant_id IS NULL, ifnull(tenant_id, ''), id);
CREATE INDEX ledger_by_expiry ON ledger (expires_at);
CREATE UNIQUE INDEX memory_scopes_by_owner
      ON memory_scopes (tenant_id IS NULL, ifnull(tenant_id, ''), user_id IS NULL, ifnull(user_id, ''));
CREATE INDEX memories_by_age ON memories (scope, recorded_at);
CREATE INDEX memories_by_name ON memories (scope, name) WHERE name IS NOT NULL;
CREATE INDEX memories_by_successor ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memory_sources_by_memory ON memory_sources (memory);
CREATE INDEX runs_by_parent ON runs (json_extract(parent, '$.runId')) WHERE parent IS NOT NULL;
CREATE INDEX awaited_blobs_by_time ON awaited_blobs (until);
PRAGMA application_id = 1113018955;
PRAGMA user_version = 4;
