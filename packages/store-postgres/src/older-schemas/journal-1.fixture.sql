-- A schema as a version with journals of format 1 wrote it. Never changed.
CREATE SCHEMA older;
CREATE TABLE older.blob_uses (
    hash text NOT NULL COLLATE pg_catalog."C",
    run bigint NOT NULL
);
CREATE TABLE older.blobs (
    hash text NOT NULL COLLATE pg_catalog."C",
    bytes bytea NOT NULL,
    awaited integer DEFAULT 0 NOT NULL,
    awaited_until double precision DEFAULT 0 NOT NULL,
    deleted boolean DEFAULT false NOT NULL
);
CREATE TABLE older.events (
    run bigint NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    hash bytea NOT NULL,
    text text NOT NULL
);
CREATE TABLE older.inbox (
    n bigint NOT NULL,
    run bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    payload text,
    taken boolean DEFAULT false NOT NULL
);
ALTER TABLE older.inbox ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME older.inbox_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE older.ledger (
    kind text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    tool_name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    run_id text NOT NULL COLLATE pg_catalog."C",
    call_key text NOT NULL COLLATE pg_catalog."C",
    input_hash text NOT NULL COLLATE pg_catalog."C",
    outcome text,
    expires_at double precision NOT NULL
);
CREATE TABLE older.memories (
    n bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    agent_id text COLLATE pg_catalog."C",
    namespace text COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    entry text NOT NULL,
    data text,
    words text[] NOT NULL COLLATE pg_catalog."C",
    length integer NOT NULL,
    valid_from double precision NOT NULL,
    valid_to double precision,
    recorded_at double precision NOT NULL,
    superseded_by text COLLATE pg_catalog."C",
    superseded_at double precision,
    superseded_from double precision,
    sources text[] NOT NULL COLLATE pg_catalog."C",
    model text COLLATE pg_catalog."C",
    dims integer,
    vector real[],
    mark text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE older.memories ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME older.memories_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE older.runs (
    n bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    agent_id text NOT NULL COLLATE pg_catalog."C",
    definition_hash text NOT NULL COLLATE pg_catalog."C",
    session_id text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    user_id text COLLATE pg_catalog."C",
    parent text,
    parent_run text COLLATE pg_catalog."C",
    input text NOT NULL,
    deadline_at double precision,
    idempotency_key text COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    epoch bigint NOT NULL,
    owner text COLLATE pg_catalog."C",
    expires_at double precision NOT NULL,
    head_seq bigint NOT NULL,
    head_hash text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    waiting_on text,
    wake_at double precision,
    created_at double precision NOT NULL,
    updated_at double precision NOT NULL,
    mark text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='80');
ALTER TABLE older.runs ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME older.runs_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE older.session_appends (
    session bigint NOT NULL,
    run_id text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL
);
CREATE SEQUENCE older.session_changes
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE older.session_messages (
    session bigint NOT NULL,
    "position" bigint NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL,
    search text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE older.sessions (
    n bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    updated_at double precision NOT NULL,
    changes bigint NOT NULL,
    mark text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE older.sessions ALTER COLUMN n ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME older.sessions_n_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE older.store_format (
    one boolean DEFAULT true NOT NULL,
    format integer NOT NULL,
    CONSTRAINT store_format_one_check CHECK (one)
);
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 1, 'run/start', '\x930ce5c24426a956e89752762c31a2f50ed0568b587402e1246c753178a0f9b2', '{"type":"run.start","version":1,"runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0","agentName":"desk","sessionId":"s","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"history":[],"input":[{"id":"b401d59f-3f03-4097-b450-2d50dc055389","role":"user","content":"Which colour?","timestamp":1795800021345}],"sessionState":{},"seq":1,"at":1795800021345,"key":"run/start","label":"user"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 2, 't1/model/intent/a1', '\xdcfc6bd987a35b004d449acb8ac61ff36a8937535fbf2616862a3c21e2db1170', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"1d734cb391ab3025a50fb9fdead6d56763de27a8ad920af85babcf5294bcba3f","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795800021361,"key":"t1/model/intent/a1","label":"system","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 3, 't1/model', '\xff370731e65a8df59a9e6e828b9c45776d4c72bfc4a13b8b785ffda8802cb585', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795800021474},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":128,"retries":0,"seq":3,"at":1795800021475,"key":"t1/model","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 4, 't1/c0/call', '\x57671ac1f57d686108fbcbe894eb38d113eac3f129fc7343016633eed9d26914', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","args":{},"argsHash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","definitionHash":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","needsApproval":false,"seq":4,"at":1795800021538,"key":"t1/c0/call","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 5, 't1/c0/outcome', '\x7c21e402573bfc82cd5fc7dc86487ea352a53d5cecb901d29bd6bca2764dfa88', '{"type":"tool.outcome","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","attempt":1,"output":"blue","durationMs":11,"seq":5,"at":1795800021550,"key":"t1/c0/outcome","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 6, 't1/c0/result', '\xa7ff698554fec0524f8c73892dd7792a1acf0586adcd0acda2a58f1e3f069b52', '{"type":"tool.result","turn":1,"index":0,"message":{"role":"tool","id":"04843827-38ac-4580-bcba-3a6ec529aba1","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795800021706},"result":{"toolCallId":"call_1_0","toolName":"look","input":{},"output":"blue","isError":false,"durationMs":11},"seq":6,"at":1795800021706,"key":"t1/c0/result","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 7, 't2/model/intent/a1', '\x955a9413282d9a7cc3b88df84d2dc6efc3fc2b707cb801fa078899772d6b6ac1', '{"type":"model.intent","turn":2,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"04d7bbbe793c6834370c53273853f7affb166da881bb29883e436ef64a0aed05","hostedWriters":[],"tools":["look","pay"],"seq":7,"at":1795800021789,"key":"t2/model/intent/a1","label":"system","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 8, 't2/model', '\xecf874b0df3e08208c8527b177c2d1c271987267b57b5b82a4f1203e4d504164', '{"type":"model.result","turn":2,"attempt":1,"message":{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795800021850},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"finishReason":"stop","responseId":"scripted-1-response-2","warnings":[],"durationMs":63,"retries":0,"seq":8,"at":1795800021850,"key":"t2/model","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 9, 'run/end', '\x74dec77dcfe6a3fd7528da6cdfc3f0d6b4d17f323966ca9e96121e91a3ec7981', '{"type":"run.end","status":"completed","stopReason":"completed","text":"It is blue.","durationMs":927,"seq":9,"at":1795800021852,"key":"run/end","label":"untrusted","runId":"8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 1, 'run/start', '\x524e9dcb22234b5f1383f7bc1b123c6beb9f4540cb73e0aaa627b91fc7517917', '{"type":"run.start","version":1,"runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624","agentName":"desk","sessionId":"t","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"history":[],"input":[{"id":"bc61bbe9-4419-402e-878a-5991a538a0a2","role":"user","content":"Pay 5.","timestamp":1795800021947}],"sessionState":{},"seq":1,"at":1795800021947,"key":"run/start","label":"user"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 2, 't1/model/intent/a1', '\xc064c93e1edad9211f842ae6583c248a930a008326e4928207424f4072c6d03a', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"e71b19310119a2701f8ae5ae5f467d2914637b898e7e549cd62f03bdaa65c037","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795800021948,"key":"t1/model/intent/a1","label":"system","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 3, 't1/model', '\x354bc5a5f72bac60d7740cc65608b87e948f38a2506ce6c7f4dc8f19cb620734', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"pay","arguments":"{\"n\":5}","input":{"n":5}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"timestamp":1795800021981},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":34,"retries":0,"seq":3,"at":1795800021981,"key":"t1/model","label":"untrusted","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 4, 't1/c0/call', '\xbf3b30db0c5e4d938f7295969891f9b6e165661387d410cf74c44d11a96e76a5', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","needsApproval":true,"seq":4,"at":1795800021982,"key":"t1/c0/call","label":"untrusted","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 5, 't1/c0/approval', '\xf13649f82cf485b0e5da38119b4947a743a87428894977ff6bf5e8baaa78cd0a', '{"type":"tool.approval.requested","turn":1,"index":0,"interruption":{"kind":"approval","id":"0cc58c61-9d90-471f-b540-d34e0d8a6547","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624","agentName":"desk","agentPath":["desk"],"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"reason":"\"pay\" needs approval.","origins":[],"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","approvalHash":"2670fb75a709b3916b6633fca6619fb91622fd1325dbfae2791ca8492f9a3cf8","requestedAt":1795800021983,"expiresAt":1796404821983},"seq":5,"at":1795800021984,"key":"t1/c0/approval","label":"system","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 6, 'run.suspended#1', '\xa337d9f9e60e39406f3f673915860389168ba2e2b3deb2057336233c1b7867e2', '{"type":"run.suspended","reason":"awaiting_approval","interruptionIds":["0cc58c61-9d90-471f-b540-d34e0d8a6547"],"seq":6,"at":1795800022025,"key":"run.suspended#1","label":"system","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 7, 'run/end', '\x485178b59fb9c824ae5637a9ddef771fe5e107655c33f310a6597d809b3773bf', '{"type":"run.end","status":"suspended","stopReason":"awaiting_approval","text":"","durationMs":82,"seq":7,"at":1795800022025,"key":"run/end","label":"untrusted","runId":"bc41a462-cba1-4e2b-acb9-f1c9696d3624"}');
INSERT INTO older.runs (n, id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, wake_at, created_at, updated_at, mark) OVERRIDING SYSTEM VALUE VALUES (1, '8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 's', '', NULL, NULL, NULL, '"Which colour?"', NULL, NULL, 'done', 1, NULL, 0, 9, '74dec77dcfe6a3fd7528da6cdfc3f0d6b4d17f323966ca9e96121e91a3ec7981', 0, NULL, NULL, 1795800020893, 1795800021872, '92952fa0-6ecb-4a78-a8c2-86e11ab9b76d');
INSERT INTO older.runs (n, id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, wake_at, created_at, updated_at, mark) OVERRIDING SYSTEM VALUE VALUES (2, 'bc41a462-cba1-4e2b-acb9-f1c9696d3624', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 't', '', NULL, NULL, NULL, '"Pay 5."', NULL, NULL, 'waiting', 1, NULL, 0, 7, '485178b59fb9c824ae5637a9ddef771fe5e107655c33f310a6597d809b3773bf', 0, '["0cc58c61-9d90-471f-b540-d34e0d8a6547"]', NULL, 1795800021932, 1795800022033, 'dfd5a4c2-f37e-4ed4-bf74-a117709570bb');
INSERT INTO older.session_appends (session, run_id, seq) VALUES (1, '8d34cbaa-29b1-41dc-a3d6-cd3118d7e3f0', 9);
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 0, 'b401d59f-3f03-4097-b450-2d50dc055389', '{"id":"b401d59f-3f03-4097-b450-2d50dc055389","role":"user","content":"Which colour?","timestamp":1795800021345}', 'which colour?');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 1, 'scripted-1-message-1', '{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool-call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795800021474}', '');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 2, '04843827-38ac-4580-bcba-3a6ec529aba1', '{"role":"tool","id":"04843827-38ac-4580-bcba-3a6ec529aba1","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795800021706}', 'blue');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 3, 'scripted-1-message-2', '{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795800021850}', 'it is blue.');
INSERT INTO older.sessions (n, tenant, id, state, updated_at, changes, mark) OVERRIDING SYSTEM VALUE VALUES (1, '', 's', '{}', 1795800021891, 2, '92952fa0-6ecb-4a78-a8c2-86e11ab9b76d');
INSERT INTO older.store_format (one, format) VALUES (true, 4);
SELECT pg_catalog.setval('older.inbox_n_seq', 1, false);
SELECT pg_catalog.setval('older.memories_n_seq', 1, false);
SELECT pg_catalog.setval('older.runs_n_seq', 2, true);
SELECT pg_catalog.setval('older.session_changes', 2, true);
SELECT pg_catalog.setval('older.sessions_n_seq', 1, true);
ALTER TABLE ONLY older.blob_uses
    ADD CONSTRAINT blob_uses_pkey PRIMARY KEY (hash, run);
ALTER TABLE ONLY older.blobs
    ADD CONSTRAINT blobs_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY older.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (run, seq);
ALTER TABLE ONLY older.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (n);
ALTER TABLE ONLY older.inbox
    ADD CONSTRAINT inbox_run_id_key UNIQUE (run, id);
ALTER TABLE ONLY older.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (kind, scope, tool_name, key);
ALTER TABLE ONLY older.memories
    ADD CONSTRAINT memories_pkey PRIMARY KEY (n);
ALTER TABLE ONLY older.memories
    ADD CONSTRAINT memories_tenant_owner_id_key UNIQUE (tenant, owner, id);
ALTER TABLE ONLY older.runs
    ADD CONSTRAINT runs_id_key UNIQUE (id);
ALTER TABLE ONLY older.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (n);
ALTER TABLE ONLY older.session_appends
    ADD CONSTRAINT session_appends_pkey PRIMARY KEY (session, run_id, seq);
ALTER TABLE ONLY older.session_messages
    ADD CONSTRAINT session_messages_pkey PRIMARY KEY (session, "position");
ALTER TABLE ONLY older.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (n);
ALTER TABLE ONLY older.sessions
    ADD CONSTRAINT sessions_tenant_id_key UNIQUE (tenant, id);
ALTER TABLE ONLY older.store_format
    ADD CONSTRAINT store_format_pkey PRIMARY KEY (one);
CREATE INDEX blob_uses_by_run ON older.blob_uses USING btree (run);
CREATE INDEX blobs_awaited ON older.blobs USING btree (awaited_until) WHERE (awaited > 0);
CREATE UNIQUE INDEX events_by_key ON older.events USING btree (run, key);
CREATE INDEX inbox_unread ON older.inbox USING btree (run, n) WHERE (NOT taken);
CREATE INDEX ledger_by_expiry ON older.ledger USING btree (expires_at);
CREATE INDEX memories_by_age ON older.memories USING btree (tenant, owner, recorded_at DESC);
CREATE INDEX memories_by_sources ON older.memories USING gin (sources);
CREATE INDEX memories_by_successor ON older.memories USING btree (tenant, superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX memories_by_words ON older.memories USING gin (words);
CREATE UNIQUE INDEX runs_by_idempotency_key ON older.runs USING btree (tenant, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX runs_by_parent ON older.runs USING btree (parent_run) WHERE (parent_run IS NOT NULL);
CREATE INDEX runs_by_session ON older.runs USING btree (tenant, session_id);
CREATE INDEX runs_by_state ON older.runs USING btree (state, n) WHERE (state = ANY (ARRAY['ready'::text, 'running'::text, 'sleeping'::text]));
CREATE INDEX runs_by_time ON older.runs USING btree (tenant, created_at DESC, n DESC);
CREATE INDEX session_messages_by_id ON older.session_messages USING btree (session, id);
CREATE INDEX sessions_by_change ON older.sessions USING btree (tenant, changes DESC);
ALTER TABLE ONLY older.blob_uses
    ADD CONSTRAINT blob_uses_hash_fkey FOREIGN KEY (hash) REFERENCES older.blobs(hash);
ALTER TABLE ONLY older.blob_uses
    ADD CONSTRAINT blob_uses_run_fkey FOREIGN KEY (run) REFERENCES older.runs(n) ON DELETE CASCADE;
ALTER TABLE ONLY older.events
    ADD CONSTRAINT events_run_fkey FOREIGN KEY (run) REFERENCES older.runs(n) ON DELETE CASCADE;
ALTER TABLE ONLY older.inbox
    ADD CONSTRAINT inbox_run_fkey FOREIGN KEY (run) REFERENCES older.runs(n) ON DELETE CASCADE;
ALTER TABLE ONLY older.session_appends
    ADD CONSTRAINT session_appends_session_fkey FOREIGN KEY (session) REFERENCES older.sessions(n) ON DELETE CASCADE;
ALTER TABLE ONLY older.session_messages
    ADD CONSTRAINT session_messages_session_fkey FOREIGN KEY (session) REFERENCES older.sessions(n) ON DELETE CASCADE;
