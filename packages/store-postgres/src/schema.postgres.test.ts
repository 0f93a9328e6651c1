import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { postgresSchemaSql, postgresStore } from "./index.ts";
import { heldRun, message, note, record } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

test("if many processes start at once on an empty database, each finds its tables [feature:X097] [journal.versioned]", async () => {
  await using place = temporarySchema();
  const stores = Array.from({ length: 12 }, () =>
    postgresStore({ url: testUrl, schema: place.schema, maxConnections: 2 }),
  );
  await Promise.all(stores.map((store, n) => store.create(record(`r${n}`))));
  expect(await stores[0]?.listRuns({})).toHaveLength(12);
  await Promise.all(stores.map((store) => store.close()));
});

test("a schema with tables of another program is unchanged [feature:X097]", async () => {
  await using place = temporarySchema();
  await statement(`CREATE SCHEMA "${place.schema}"`);
  await statement(`CREATE TABLE "${place.schema}".sessions (theirs text)`);
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  await expect(store.open()).rejects.toMatchObject({
    code: "STORE_FOREIGN",
    message: expect.stringContaining("tables of another program (sessions)") as string,
  });
  expect(
    await statement("SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = to_regnamespace($1)", [
      `"${place.schema}"`,
    ]),
  ).toEqual([{ relname: "sessions" }]);
  await statement(`DROP TABLE "${place.schema}".sessions`);
  // After the repair, the same store opens.
  await store.open();
});

test("tables of a newer version are refused with their format, those of an older one are migrated [feature:X097] [journal.versioned]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const lease = await heldRun(store, "r");
  await store.append(lease, [note("r", 1)]);
  await statement(`UPDATE "${place.schema}".store_format SET format = 99`);
  await using newer = postgresStore({ url: testUrl, schema: place.schema });
  await expect(newer.open()).rejects.toMatchObject({
    code: "STORE_FORMAT",
    message: expect.stringContaining("format 99") as string,
  });
  // Like the first format: later fields are missing.
  await statement(`DROP TABLE "${place.schema}".memories;
    ALTER TABLE "${place.schema}".blobs DROP COLUMN awaited, DROP COLUMN awaited_until, DROP COLUMN deleted;
    DROP INDEX "${place.schema}".runs_by_owner;
    ALTER TABLE "${place.schema}".sessions DROP COLUMN owner;
    ALTER TABLE "${place.schema}".sessions ADD UNIQUE (tenant, id);
    CREATE INDEX sessions_by_change ON "${place.schema}".sessions (tenant, changes DESC);
    DROP TABLE "${place.schema}".session_writes, "${place.schema}".session_former, "${place.schema}".deleted_runs;
    ALTER TABLE "${place.schema}".sessions DROP COLUMN version;
    ALTER TABLE "${place.schema}".session_messages DROP COLUMN version;
    DROP INDEX "${place.schema}".ledger_by_run;
    DROP INDEX "${place.schema}".runs_by_expiry, "${place.schema}".runs_by_due, "${place.schema}".runs_queued, "${place.schema}".runs_by_session_order,
      "${place.schema}".runs_by_settling;
    ALTER TABLE "${place.schema}".runs RENAME COLUMN due_at TO wake_at;
    ALTER TABLE "${place.schema}".runs DROP COLUMN enqueued_at, DROP COLUMN priority, DROP COLUMN session_order, DROP COLUMN settled_at,
      DROP COLUMN cost_usd, DROP COLUMN tokens, DROP COLUMN model_calls, DROP COLUMN tool_calls, DROP COLUMN tools, DROP COLUMN stop_reason, DROP COLUMN words, DROP COLUMN turn, DROP COLUMN claimed_at;
    DROP TABLE "${place.schema}".outbox;
    DROP INDEX "${place.schema}".runs_found, "${place.schema}".runs_found_by_state;
    UPDATE "${place.schema}".store_format SET format = 1`);
  await using older = postgresStore({ url: testUrl, schema: place.schema });
  expect(await older.load("r")).toEqual([note("r", 1)]);
  expect(await older.memories.models({ tenantId: undefined, userId: undefined })).toEqual([]);
  expect(await statement(`SELECT format FROM "${place.schema}".store_format`)).toEqual([{ format: 9 }]);
});

test("the migration gives a session to the only user of its runs, shares the others in their tenant, and lists those [owner.migration] [format.owners.migration]", async () => {
  await using place = temporarySchema();
  const format4 = readFileSync(new URL("schema/format-4.fixture.sql", import.meta.url), "utf8");
  await statement(format4.replaceAll('"bailiwick"', `"${place.schema}"`));
  const runs = [
    ["one", "=t1", "ana"],
    ["one", "=t1", "ana"],
    ["one", "=t2", "bob"],
    ["mixed", "=t1", "ana"],
    ["mixed", "=t1", null],
    ["several", "=t1", "ana"],
    ["several", "=t1", "bob"],
    ["none", "", null],
  ] as const;
  for (const [index, [session, tenant, user]] of runs.entries())
    await statement(
      `INSERT INTO "${place.schema}".runs (id, agent_id, definition_hash, session_id, tenant, user_id, input, state, epoch, expires_at,
         head_seq, head_hash, attempts, created_at, updated_at, mark) VALUES ($1, 'a', 'd', $2, $3, $4, '""', 'done', 1, 0, 0, '', 0, 1, 1, '')`,
      [`m${index}`, session, tenant, user],
    );
  const sessions = [
    ["one", "=t1"],
    ["one", "=t2"],
    ["mixed", "=t1"],
    ["several", "=t1"],
    ["none", ""],
    ["unused", "=t1"],
  ] as const;
  for (const [id, tenant] of sessions)
    await statement(
      `INSERT INTO "${place.schema}".sessions (id, tenant, state, updated_at, changes, mark) VALUES ($1, $2, $3, 1, 1, '')`,
      [id, tenant, JSON.stringify({ was: `${id} ${tenant}` })],
    );
  const warnings: string[] = [];
  const logger = { warn: (text: string) => void warnings.push(text) };
  await using store = postgresStore({ url: testUrl, schema: place.schema, logger });
  const state = async (id: string, tenantId?: string, userId?: string) =>
    (await store.sessions.loadState(id, { tenantId, userId }))["was"];
  expect(await state("one", "t1", "ana")).toBe("one =t1");
  expect(await state("one", "t1", "bob")).toBeUndefined();
  expect(await state("one", "t2", "bob")).toBe("one =t2");
  expect(await state("one", "t1")).toBeUndefined();
  expect(await state("mixed", "t1", "ana")).toBe("mixed =t1");
  expect(await state("mixed", "t1", "bob")).toBeUndefined();
  for (const user of ["ana", "bob", "eve", undefined]) expect(await state("several", "t1", user)).toBe("several =t1");
  expect(await state("several", "t2", "ana")).toBeUndefined();
  expect(await state("none", undefined, "ana")).toBe("none ");
  expect(await state("unused", "t1", "ana")).toBe("unused =t1");
  const [warning] = warnings.filter((text) => text.includes("format"));
  expect(warning).toContain("3 sessions had no user or several");
  expect(warning).toContain('"several" of tenant "t1", "none", "unused" of tenant "t1".');
});

test("stored runs get the status words of outputs: a done run is completed, stopped or cancelled by its stop reason [format.state-words]", async () => {
  await using place = temporarySchema();
  const format4 = readFileSync(new URL("schema/format-4.fixture.sql", import.meta.url), "utf8");
  await statement(format4.replaceAll('"bailiwick"', `"${place.schema}"`));
  const ends = [
    ["ready", undefined, "queued"],
    ["waiting", undefined, "suspended"],
    ["failed", "failed", "failed"],
    ["done", "completed", "completed"],
    ["done", "stopped_by_tool", "completed"],
    ["done", "max_turns", "stopped"],
    ["done", "aborted", "cancelled"],
    ["done", undefined, "completed"],
  ] as const;
  for (const [index, [state, stopReason]] of ends.entries()) {
    const [row] = await statement(
      `INSERT INTO "${place.schema}".runs (id, agent_id, definition_hash, session_id, tenant, input, state, epoch, expires_at,
         head_seq, head_hash, attempts, created_at, updated_at, mark) VALUES ($1, 'a', 'd', 's', '', '""', $2, 1, 0, 0, '', 0, 1, 1, '') RETURNING n`,
      [`w${index}`, state],
    );
    if (stopReason !== undefined)
      await statement(
        `INSERT INTO "${place.schema}".events (run, seq, key, hash, text) VALUES ($1, 1, 'end', ''::bytea, $2)`,
        [row?.["n"], JSON.stringify({ type: "run.end", stopReason })],
      );
  }
  await using store = postgresStore({ url: testUrl, schema: place.schema, logger: { warn: () => undefined } });
  for (const [index, [, , state]] of ends.entries())
    expect([index, (await store.getRun(`w${index}`))?.state]).toEqual([index, state]);
  const request = { owner: "w", ttlMs: 1_000, limit: 5, agents: [{ agentId: "a" }], maxAttempts: 9, suspects: false };
  expect((await store.claim(request)).runs.map(({ run }) => run.id)).toEqual(["w0"]);
});

test("with `migrate: false` no table is created, and a user with read and write rights is enough [feature:X097]", async () => {
  await using place = temporarySchema();
  await using early = postgresStore({ url: testUrl, schema: place.schema, migrate: false });
  await expect(early.open()).rejects.toMatchObject({
    code: "STORE_FORMAT",
    message: expect.stringContaining("postgresSchemaSql()") as string,
  });
  expect(await statement("SELECT to_regnamespace($1) IS NULL AS none", [`"${place.schema}"`])).toEqual([
    { none: true },
  ]);

  await statement(postgresSchemaSql(place.schema));
  const role = `role_${randomUUID().replaceAll("-", "")}`;
  await statement(`CREATE ROLE ${role} LOGIN PASSWORD 'secret';
    GRANT USAGE ON SCHEMA "${place.schema}" TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${place.schema}" TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA "${place.schema}" TO ${role}`);
  try {
    const url = new URL(testUrl);
    url.username = role;
    url.password = "secret";
    {
      await using store = postgresStore({ url: url.href, schema: place.schema, migrate: false });
      const lease = await heldRun(store, "r");
      await store.append(lease, [note("r", 1)]);
      await store.release(
        { ...lease, head: { seq: 1, hash: "" } },
        { state: "completed" },
        { sessionId: "s", messages: [message("m")], state: {}, runId: "r", seq: 1 },
      );
      await store.deleteRun("r");
      await statement(`REVOKE INSERT ON "${place.schema}".runs FROM ${role}`);
      await expect(store.create(record("r2"))).rejects.toMatchObject({ code: "STORE_FORBIDDEN" });
      await using elsewhere = postgresStore({ url: url.href, schema: `${place.schema}x` });
      await expect(elsewhere.open()).rejects.toMatchObject({ code: "STORE_FORBIDDEN" });
    }
  } finally {
    await statement(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test("tables that are dropped while a store is open cause an error with that reason [feature:X097]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  await store.open();
  await statement(`DROP SCHEMA "${place.schema}" CASCADE`);
  await expect(store.getRun("r")).rejects.toMatchObject({ code: "STORE_FORMAT" });
  await expect(store.create(record("r"))).rejects.toMatchObject({ code: "STORE_FORMAT" });
});

/** The address of a new database. */
async function temporaryDatabase(settings: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await statement(`CREATE DATABASE ${name} TEMPLATE template0 ${settings}`);
  const url = new URL(testUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: () => statement(`DROP DATABASE ${name} WITH (FORCE)`).then(() => undefined),
  };
}

test("a database that cannot hold every text is refused [feature:X097]", async () => {
  await using database = await temporaryDatabase("ENCODING 'LATIN1' LOCALE 'C'");
  await using store = postgresStore({ url: database.url });
  await expect(store.open()).rejects.toMatchObject({
    code: "STORE_ENCODING",
    message: expect.stringContaining("LATIN1") as string,
  });
});

test("searches find parts of words in every script, with an index of trigrams if the extension is installed [feature:X097] [memory.session-store.delete]", async () => {
  await using database = await temporaryDatabase("ENCODING 'UTF8'");
  await statement("CREATE EXTENSION pg_trgm", [], database.url);
  await using store = postgresStore({ url: database.url });
  const texts = ["The Tulip password", "Пароль тюльпан", "郁金香的密码", "100% of_all \\ it"];
  for (const [n, text] of texts.entries())
    await store.sessions.append(`s${n}`, [message(`m${n}`, text)], { runId: `r${n}`, seq: 1 });
  const found = async (query: string) => (await store.sessions.search(query)).map(({ id }) => id);
  expect(await found("TULIP pass")).toEqual(["s0"]);
  expect(await found("ТЮЛЬП")).toEqual(["s1"]);
  expect(await found("金香 密码")).toEqual(["s2"]);
  expect(await found("100% _all \\")).toEqual(["s3"]);
  expect(await found("100_")).toEqual([]);
  const plan = await statement(
    `SET enable_seqscan = off; EXPLAIN SELECT 1 FROM bailiwick.session_messages WHERE search LIKE '%tulip%' AND search LIKE '%pass%'`,
    [],
    database.url,
  );
  expect(JSON.stringify(plan)).toContain("session_messages_by_trigram");
});
