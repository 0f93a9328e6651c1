import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { postgresSchemaSql, postgresStore } from "./index.ts";
import { heldRun, message, note, record } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

vi.setConfig({ testTimeout: 180_000 });

test("feature:X097 [journal.versioned] of many processes that start at once on an empty database, each finds its tables", async () => {
  await using place = temporarySchema();
  const stores = Array.from({ length: 12 }, () =>
    postgresStore({ url: testUrl, schema: place.schema, maxConnections: 2 }),
  );
  await Promise.all(stores.map((store, n) => store.create(record(`r${n}`))));
  expect(await stores[0]?.listRuns({})).toHaveLength(12);
  await Promise.all(stores.map((store) => store.close()));
});

test("feature:X097 a schema with tables of another program is left as it is", async () => {
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
  // What was wrong is mended: the same store opens.
  await store.open();
});

test("feature:X097 [journal.versioned] tables of a newer version are refused with their format, those of an older one are brought to this", async () => {
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
  // As the first format was: what came after it is not there.
  await statement(`DROP TABLE "${place.schema}".memories;
    ALTER TABLE "${place.schema}".blobs DROP COLUMN awaited, DROP COLUMN awaited_until, DROP COLUMN deleted;
    UPDATE "${place.schema}".store_format SET format = 1`);
  await using older = postgresStore({ url: testUrl, schema: place.schema });
  expect(await older.load("r")).toEqual([note("r", 1)]);
  expect(await older.memories.models({ tenantId: undefined, userId: undefined })).toEqual([]);
  expect(await statement(`SELECT format FROM "${place.schema}".store_format`)).toEqual([{ format: 4 }]);
});

test("feature:X097 with `migrate: false` no table is made, and a user who may only read and write is enough", async () => {
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
        { state: "done" },
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

test("feature:X097 tables that are dropped while a store is open are an error that says so", async () => {
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

test("feature:X097 a database that cannot hold every text is refused", async () => {
  await using database = await temporaryDatabase("ENCODING 'LATIN1' LOCALE 'C'");
  await using store = postgresStore({ url: database.url });
  await expect(store.open()).rejects.toMatchObject({
    code: "STORE_ENCODING",
    message: expect.stringContaining("LATIN1") as string,
  });
});

test("feature:X097 [memory.session-store.delete] searches find parts of words in every script, with an index of trigrams where the extension is installed", async () => {
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
