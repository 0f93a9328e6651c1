import { readFileSync } from "node:fs";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { postgresSchemaSql, postgresStore } from "./index.ts";

const url = "postgres://localhost/app";

test.each([
  [{ path: "runs.db" }, `"path" is not an option of postgresStore()`],
  [undefined, `postgresStore() needs the "url" of a database or a "pool" of connections, and takes one of them.`],
  [{}, `postgresStore() needs the "url" of a database or a "pool" of connections, and takes one of them.`],
  [
    { url, pool: {} },
    `postgresStore() needs the "url" of a database or a "pool" of connections, and takes one of them.`,
  ],
  [{ url: "mysql://localhost/app" }, `postgresStore() takes a URL such as`],
  [{ pool: {} }, `postgresStore() takes a Pool of pg, or an object with its methods, as "pool".`],
  [{ url, schema: "pg_mine" }, `as "schema", not beginning with a digit or "pg_"; not "pg_mine".`],
  [{ url, schema: 'a"; DROP' }, `takes a name of at most 48 letters`],
  [{ url, migrate: "no" }, `postgresStore() takes true or false as "migrate", not no.`],
  [{ url, notifications: "push" }, `postgresStore() takes "listen" or "poll" as "notifications", not "push".`],
  [{ url, maxConnections: 0 }, `postgresStore() takes a whole number from 1 as "maxConnections", not 0.`],
  [{ url, maxConnections: 1 }, `postgresStore() needs at least 2 connections, because one listens for notifications`],
  [{ url, timeoutMs: 1.5 }, `postgresStore() takes a whole number from 1 as "timeoutMs", not 1.5.`],
  [{ url, statementTimeoutMs: "1s" }, `postgresStore() takes a whole number from 1 as "statementTimeoutMs", not 1s.`],
  [{ url, pollMs: 1 }, `postgresStore() takes a whole number from 10 as "pollMs", not 1.`],
  ["postgres://localhost/app", "Write postgresStore() with {"],
])("invalid options, %j, are refused before anything is connected", (options, message) => {
  expect(() => postgresStore(options as never)).toThrow(message);
});

test("connections of an application's pool are limited by the pool", async () => {
  const pool = new Pool();
  expect(() => postgresStore({ pool, maxConnections: 3 })).toThrow(`set "max" of the pool instead`);
  await pool.end();
});

test("the SQL of the tables is the released one [journal.versioned]", () => {
  const released = readFileSync(new URL("schema/format-4.fixture.sql", import.meta.url), "utf8");
  const tables = released.slice(0, released.indexOf('INSERT INTO "bailiwick".store_format'));
  expect(postgresSchemaSql().slice(0, tables.length)).toBe(tables);
  expect(postgresSchemaSql("mine")).toBe(postgresSchemaSql().replaceAll('"bailiwick"', '"mine"'));
  expect(() => postgresSchemaSql("1")).toThrow(`postgresSchemaSql() takes a name`);
});

test("the name of a store has its address, and not its user", async () => {
  await using store = postgresStore({
    url: "postgres://ann:secret@db.example:5433/app?sslmode=require",
    schema: "desk",
  });
  expect(store.name).toBe("postgres://db.example:5433/app/desk");
});
