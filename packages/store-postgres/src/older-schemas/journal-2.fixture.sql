-- A schema as a version with journals of format 2 wrote it. Never changed.
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
    due_at double precision,
    created_at double precision NOT NULL,
    updated_at double precision NOT NULL,
    mark text NOT NULL COLLATE pg_catalog."C",
    enqueued_at double precision DEFAULT 0 NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    session_order bigint,
    settled_at double precision,
    cost_usd double precision,
    tokens bigint DEFAULT 0 NOT NULL,
    model_calls bigint DEFAULT 0 NOT NULL,
    tool_calls bigint DEFAULT 0 NOT NULL,
    tools text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    stop_reason text COLLATE pg_catalog."C",
    words text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
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
CREATE TABLE older.session_writes (
    session bigint NOT NULL,
    run_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL
);
CREATE TABLE older.sessions (
    n bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    updated_at double precision NOT NULL,
    changes bigint NOT NULL,
    mark text NOT NULL COLLATE pg_catalog."C",
    owner text DEFAULT '*'::text NOT NULL COLLATE pg_catalog."C"
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
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 1, 'run/start', '\xd097e3c7c91a9dc1f1c311bb3f0b86710030391038cb87df16e9a4a3a19539c3', '{"type":"run.start","version":2,"runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4","agentName":"desk","sessionId":"s","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"writers":["pay"],"history":[],"input":[{"id":"2875ef62-fc2b-4ff3-8f1a-41b2e307007a","role":"user","content":"Which colour?","timestamp":1795798731798}],"sessionState":{},"seq":1,"at":1795798731799,"key":"run/start","label":"user"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 2, 't1/model/intent/a1', '\x62b4c34acdee5e0bb87d8065ee47134573cbc3f86f710550bc7d59e601a26fed', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"d5688780ac718d7165f744c11034e8454c78705c96153d8184d6b835ecab08a8","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795798731812,"key":"t1/model/intent/a1","label":"system","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 3, 't1/model', '\xf901c17d3e1cb73291f9ddb183d8c1ff906db8d6003c70be6b9ec68e1d7ce2ff', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795798731851},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":54,"retries":0,"seq":3,"at":1795798731856,"key":"t1/model","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 4, 't1/c0/call', '\x5fd5883eee0ce9ff30470b6a8b53eeef5792f76a7bbd04b1f0ff438a6dff42d8', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","args":{},"argsHash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","definitionHash":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","needsApproval":false,"seq":4,"at":1795798731869,"key":"t1/c0/call","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 5, 't1/c0/outcome', '\xe94833b19a063a64e1e9eadfe562c6bb7f6f18e98944fff28fe36d86a7e16eb5', '{"type":"tool.outcome","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"look","attempt":1,"output":"blue","durationMs":6,"seq":5,"at":1795798731878,"key":"t1/c0/outcome","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 6, 't1/c0/result', '\x543dadd88c715fa9a8cb37c4eb92c7b84d3a3952b96c79797cdf416d1b41b75b', '{"type":"tool.result","turn":1,"index":0,"message":{"role":"tool","id":"a2ffd475-e5dd-42e4-9c1c-7fd2590702ac","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795798732282},"result":{"toolCallId":"call_1_0","toolName":"look","input":{},"output":"blue","isError":false,"durationMs":6},"seq":6,"at":1795798732282,"key":"t1/c0/result","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 7, 't2/model/intent/a1', '\xae8caab1b215028bf8b53640bf5f29cc2a14b9a9b5002650c438f4b8b5992391', '{"type":"model.intent","turn":2,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"a5d3a003df60faed9f6f646144a6be3d6d9397e0e0cc95b2fa87db795c54dfd1","hostedWriters":[],"tools":["look","pay"],"seq":7,"at":1795798732303,"key":"t2/model/intent/a1","label":"system","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 8, 't2/model', '\x908e57a6664b41a7fde238ae16b1ce4cb2ba6b649457aba7b1f7fe7ccae6a440', '{"type":"model.result","turn":2,"attempt":1,"message":{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795798732326},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"finishReason":"stop","responseId":"scripted-1-response-2","warnings":[],"durationMs":26,"retries":0,"seq":8,"at":1795798732327,"key":"t2/model","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (1, 9, 'run/end', '\xa3d4d90f2004c5dfa784d2b62cec94802437a4749ab0fd5179df7602c156aff4', '{"type":"run.end","status":"completed","stopReason":"completed","text":"It is blue.","durationMs":567,"seq":9,"at":1795798732333,"key":"run/end","label":"untrusted","runId":"a25f7d16-8349-4f74-9762-33ec38ce4dd4"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 1, 'run/start', '\x191b879789d69946fc67d3057b73c0a201d41d340e3d584fab722ac226254f74', '{"type":"run.start","version":2,"runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc","agentName":"desk","sessionId":"t","metadata":{},"model":"scripted-1","modelProvider":"scripted","definitionHash":"ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d","tools":{"look":"918facf2eb3a68e3533ad9985f7fdb6b5304c2149cbff3184293205ba063c95a","pay":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","read_result":"dea00c4b61a93e3919decdc00ca3b8bdfe4f4356f3659a376533a093c1529705"},"writers":["pay"],"history":[],"input":[{"id":"4799465d-0cfe-42ab-9b4e-e695ca3a3c66","role":"user","content":"Pay 5.","timestamp":1795798732399}],"sessionState":{},"seq":1,"at":1795798732399,"key":"run/start","label":"user"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 2, 't1/model/intent/a1', '\x3afb9194af06e8b4cdc6769fe034a1fc67d65f138ba0f1068b3b97f76428537a', '{"type":"model.intent","turn":1,"attempt":1,"model":"scripted-1","modelProvider":"scripted","requestHash":"34c6136fef48b642e274e19f7e49cefd70c5dccc46092badb158a43c1fae8e50","hostedWriters":[],"tools":["look","pay"],"seq":2,"at":1795798732400,"key":"t1/model/intent/a1","label":"system","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 3, 't1/model', '\xc2fbe5d2d30f112c3b35993a82c226e9fa5c7a3a9f54c9846c4578d42b03c7d9', '{"type":"model.result","turn":1,"attempt":1,"message":{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"pay","arguments":"{\"n\":5}","input":{"n":5}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"timestamp":1795798732416},"usage":{"promptTokens":89,"completionTokens":3,"totalTokens":92},"finishReason":"tool_calls","responseId":"scripted-1-response-1","warnings":[],"durationMs":17,"retries":0,"seq":3,"at":1795798732416,"key":"t1/model","label":"untrusted","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 4, 't1/c0/call', '\xacbec8113bb761cda8e2b5b3202352fe597ab83fd699b695cf28625b1aae6cac', '{"type":"tool.call","turn":1,"index":0,"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"81a3e7294b1381a46337e66f7377b2571241e30b5e261b9b146235570591bad8","needsApproval":true,"seq":4,"at":1795798732418,"key":"t1/c0/call","label":"untrusted","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 5, 't1/c0/approval', '\x5063545bcf39f2ae414d8e7d2c97d2d7703d47ba45c677524b82e357c7f89ff8', '{"type":"tool.approval.requested","turn":1,"index":0,"interruption":{"kind":"approval","id":"5a335621-5cef-4302-ab65-ffc411250cf3","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc","agentName":"desk","agentPath":["desk"],"toolCallId":"call_1_0","toolName":"pay","args":{"n":5},"question":{"title":"Pay (n: 5)?","reason":"Compare the values of \"pay\" with the request.","level":"normal","request":"Pay 5.","values":[{"path":"n","name":"n","shown":"5","decides":true,"origin":{"from":"model","text":"chosen by the model","trusted":false}}],"unusual":[],"payload":{"n":5},"remember":["call","tool"],"developer":{"rules":[],"toolCallId":"call_1_0","remedy":"Change \"needsApproval\" of \"pay\" or \"approval.policy\", or approve with remember: \"tool\"."}},"batch":"3e87ae3926c15eddf0d0732cd8c1ed302cf36a8a2fa594454025a8ac9583d16d","argsHash":"11d0a8967009cbcdf468f09e5b09e73e7119b528c35a0e0b23f2ae052786b8fa","definitionHash":"ea20e27fb155774d7fb58e0fc4280975948423a0cbb16111dd81131bd4d27228","approvalHash":"444eea4bef2ef5219d5f1e84d2d904e8a1278a88a31d3a2d903a454fc0435226","requestedAt":1795798732422,"expiresAt":1796403532422},"seq":5,"at":1795798732423,"key":"t1/c0/approval","label":"system","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 6, 'run.suspended#1', '\xb8ba2d16504a06ca3e01b0b8af2920e17d982814eae76a1a897d3f8181c7a924', '{"type":"run.suspended","reason":"awaiting_approval","interruptionIds":["5a335621-5cef-4302-ab65-ffc411250cf3"],"seq":6,"at":1795798732441,"key":"run.suspended#1","label":"system","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.events (run, seq, key, hash, text) VALUES (2, 7, 'run/end', '\xd9f0baa6e6e14e6f3812501bfc8d25723dc649a0620a88690fc850e5d2437f23', '{"type":"run.end","status":"suspended","stopReason":"awaiting_approval","text":"","durationMs":46,"seq":7,"at":1795798732442,"key":"run/end","label":"untrusted","runId":"8216cf24-d849-4b39-bf76-ef3a65baf6cc"}');
INSERT INTO older.runs (n, id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, due_at, created_at, updated_at, mark, enqueued_at, priority, session_order, settled_at, cost_usd, tokens, model_calls, tool_calls, tools, stop_reason, words) OVERRIDING SYSTEM VALUE VALUES (1, 'a25f7d16-8349-4f74-9762-33ec38ce4dd4', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 's', '', NULL, NULL, NULL, '"Which colour?"', NULL, NULL, 'completed', 1, NULL, 0, 9, 'a3d4d90f2004c5dfa784d2b62cec94802437a4749ab0fd5179df7602c156aff4', 0, NULL, NULL, 1795798731754, 1795798732344, 'c7502b14-cfb0-4725-a990-62994e63cd52', 1795798731754, 0, 1795798731754148, 1795798732344, NULL, 189, 2, 1, '
look
', 'completed', 'which colour?
it is blue.');
INSERT INTO older.runs (n, id, agent_id, definition_hash, session_id, tenant, user_id, parent, parent_run, input, deadline_at, idempotency_key, state, epoch, owner, expires_at, head_seq, head_hash, attempts, waiting_on, due_at, created_at, updated_at, mark, enqueued_at, priority, session_order, settled_at, cost_usd, tokens, model_calls, tool_calls, tools, stop_reason, words) OVERRIDING SYSTEM VALUE VALUES (2, '8216cf24-d849-4b39-bf76-ef3a65baf6cc', 'desk', 'ae9752ef24fdf718771cad5c88b5c288065680a2b35e1560db7eaec993e5dd9d', 't', '', NULL, NULL, NULL, '"Pay 5."', NULL, NULL, 'suspended', 1, NULL, 0, 7, 'd9f0baa6e6e14e6f3812501bfc8d25723dc649a0620a88690fc850e5d2437f23', 0, '["5a335621-5cef-4302-ab65-ffc411250cf3"]', NULL, 1795798732388, 1795798732450, '8ef6de4c-297d-4060-91f9-fb818f226f14', 1795798732388, 0, 1795798732388179, 1795798732450, NULL, 92, 1, 1, '
pay
', 'awaiting_approval', 'pay 5.');
INSERT INTO older.session_appends (session, run_id, seq) VALUES (1, 'a25f7d16-8349-4f74-9762-33ec38ce4dd4', 9);
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 0, '2875ef62-fc2b-4ff3-8f1a-41b2e307007a', '{"id":"2875ef62-fc2b-4ff3-8f1a-41b2e307007a","role":"user","content":"Which colour?","timestamp":1795798731798}', 'which colour?');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 1, 'scripted-1-message-1', '{"id":"scripted-1-message-1","role":"assistant","content":[{"type":"tool_call","toolCallId":"call_1_0"}],"toolCalls":[{"id":"call_1_0","name":"look","arguments":"{}","input":{}}],"finishReason":"tool_calls","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":91,"completionTokens":2,"totalTokens":93},"timestamp":1795798731851}', '');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 2, 'a2ffd475-e5dd-42e4-9c1c-7fd2590702ac', '{"role":"tool","id":"a2ffd475-e5dd-42e4-9c1c-7fd2590702ac","toolCallId":"call_1_0","toolName":"look","content":"blue","timestamp":1795798732282}', 'blue');
INSERT INTO older.session_messages (session, "position", id, text, search) VALUES (1, 3, 'scripted-1-message-2', '{"id":"scripted-1-message-2","role":"assistant","content":[{"type":"text","text":"It is blue."}],"toolCalls":[],"finishReason":"stop","provenance":{"provider":"scripted","api":"in-process","model":"scripted-1"},"usage":{"promptTokens":93,"completionTokens":3,"totalTokens":96},"timestamp":1795798732326}', 'it is blue.');
INSERT INTO older.sessions (n, tenant, id, state, updated_at, changes, mark, owner) OVERRIDING SYSTEM VALUE VALUES (1, '', 's', '{}', 1795798732358, 2, 'c7502b14-cfb0-4725-a990-62994e63cd52', '');
INSERT INTO older.store_format (one, format) VALUES (true, 7);
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
ALTER TABLE ONLY older.session_writes
    ADD CONSTRAINT session_writes_pkey PRIMARY KEY (session, run_id, name);
ALTER TABLE ONLY older.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (n);
ALTER TABLE ONLY older.sessions
    ADD CONSTRAINT sessions_tenant_owner_id_key UNIQUE (tenant, owner, id);
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
CREATE INDEX runs_by_due ON older.runs USING btree (agent_id, due_at) WHERE ((state = ANY (ARRAY['queued'::text, 'sleeping'::text])) AND (due_at IS NOT NULL) AND (parent_run IS NULL));
CREATE INDEX runs_by_expiry ON older.runs USING btree (agent_id, expires_at) WHERE ((state = 'running'::text) AND (parent_run IS NULL));
CREATE UNIQUE INDEX runs_by_idempotency_key ON older.runs USING btree (tenant, ((user_id IS NULL)), COALESCE(user_id, ''::text), idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX runs_by_owner ON older.runs USING btree (tenant, user_id, created_at DESC, n DESC);
CREATE INDEX runs_by_parent ON older.runs USING btree (parent_run) WHERE (parent_run IS NOT NULL);
CREATE INDEX runs_by_session ON older.runs USING btree (tenant, session_id);
CREATE INDEX runs_by_session_order ON older.runs USING btree (tenant, session_id, session_order) WHERE ((session_order IS NOT NULL) AND (state = ANY (ARRAY['queued'::text, 'running'::text])));
CREATE INDEX runs_by_settling ON older.runs USING btree (settled_at, n) WHERE ((settled_at IS NOT NULL) AND (parent_run IS NULL));
CREATE INDEX runs_by_state ON older.runs USING btree (state, n) WHERE (state = ANY (ARRAY['ready'::text, 'running'::text, 'sleeping'::text]));
CREATE INDEX runs_by_time ON older.runs USING btree (tenant, created_at DESC, n DESC);
CREATE INDEX runs_found ON older.runs USING btree (created_at DESC, n DESC) WHERE (parent_run IS NULL);
CREATE INDEX runs_found_by_state ON older.runs USING btree (state, created_at DESC, n DESC) WHERE (parent_run IS NULL);
CREATE INDEX runs_queued ON older.runs USING btree (agent_id, priority DESC, n) WHERE ((state = 'queued'::text) AND (due_at IS NULL) AND (parent_run IS NULL));
CREATE INDEX session_messages_by_id ON older.session_messages USING btree (session, id);
CREATE INDEX sessions_by_change ON older.sessions USING btree (tenant, owner, changes DESC);
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
ALTER TABLE ONLY older.session_writes
    ADD CONSTRAINT session_writes_session_fkey FOREIGN KEY (session) REFERENCES older.sessions(n) ON DELETE CASCADE;
