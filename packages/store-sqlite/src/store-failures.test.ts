import {
  chmodSync,
  closeSync,
  copyFileSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Lease, RunStore } from "@bailiwick/core";
import { expect, test } from "vitest";
import { createGroupCommit } from "./database/group-commit.ts";
import { journalModeFor, openDatabase } from "./database/open-database.ts";
import { note, record } from "./records.fixture.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { storeInThisThread } from "./store-in-this-thread.fixture.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

async function leased(store: Pick<RunStore, "create" | "acquire">, id = "r1"): Promise<Lease> {
  await store.create(record(id));
  const lease = await store.acquire(id, "me", 60_000);
  if (lease === null) throw new Error("The lease is not free.");
  return lease;
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
    return "nothing was thrown";
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
};

test("the error for a file that cannot be opened gives the reason and the remedy", () => {
  using folder = temporaryFolder();
  const text = join(folder.path, "notes.txt");
  writeFileSync(text, "This is a text file that is not a database at all. ".repeat(50));
  const foreign = join(folder.path, "foreign.db");
  const other = new DatabaseSync(foreign);
  other.exec("CREATE TABLE customers (id INTEGER)");
  other.close();
  mkdirSync(join(folder.path, "folder"));
  expect(codeOf(() => sqliteStore({ path: join(folder.path, "missing", "runs.db") }))).toBe("STORE_FOLDER_MISSING");
  expect(codeOf(() => sqliteStore({ path: join(folder.path, "folder") }))).toBe("STORE_CANNOT_OPEN");
  expect(codeOf(() => sqliteStore({ path: text }))).toBe("STORE_NOT_A_DATABASE");
  expect(codeOf(() => sqliteStore({ path: foreign }))).toBe("STORE_FOREIGN");
  expect(readFileSync(text, "utf8")).toContain("not a database");
  const unchanged = new DatabaseSync(foreign);
  expect(unchanged.prepare("SELECT count(*) AS n FROM sqlite_schema").get()).toEqual({ n: 1 });
  unchanged.close();
});

test("a full disk has its own error, nothing of the write is kept, and the run continues when there is free space [effects.journal-unavailable]", async () => {
  using folder = temporaryFolder();
  const { database, store } = storeInThisThread(folder.file);
  const held = await leased(store);
  const after = { ...held, head: await store.append(held, [note("r1", 1)]) };
  const pages = (database.prepare("PRAGMA page_count").get() as { readonly page_count: number }).page_count;
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const big = "x".repeat(200_000);
  await expect(store.append(after, [note("r1", 2, big)])).rejects.toMatchObject({
    code: "STORE_FULL",
    message: expect.stringContaining("free space"),
  });
  await expect(store.putBlob(new Uint8Array(200_000))).rejects.toMatchObject({ code: "STORE_FULL" });
  expect(await store.load("r1")).toHaveLength(1);
  database.exec("PRAGMA max_page_count = 1000000");
  await store.append(after, [note("r1", 2, big)]);
  expect(await store.load("r1")).toHaveLength(2);
  await store.close();
});

test("a full disk fails the write that needs the space, or all of its transaction, but never a part of it", async () => {
  using folder = temporaryFolder();
  const { database, store } = storeInThisThread(folder.file);
  const leases = await Promise.all(["r1", "r2", "r3"].map((id) => leased(store, id)));
  const pages = (database.prepare("PRAGMA page_count").get() as { readonly page_count: number }).page_count;
  database.exec(`PRAGMA max_page_count = ${pages + 2}`);
  const results = await Promise.allSettled(
    leases.map((lease, n) =>
      store.append(lease, [note(lease.runId, 1), note(lease.runId, 2, "x".repeat(n === 1 ? 100_000 : 10))]),
    ),
  );
  for (const [n, { status }] of results.entries()) {
    expect(await store.load(`r${n + 1}`)).toHaveLength(status === "fulfilled" ? 2 : 0);
  }
  expect(results[1]?.status).toBe("rejected");
  await store.close();
});

test("a database that cannot be written reports it when it is opened or written", async () => {
  using folder = temporaryFolder();
  const { database, store } = storeInThisThread(folder.file);
  const held = await leased(store);
  database.exec("PRAGMA query_only = ON");
  await expect(store.append(held, [note("r1", 1)])).rejects.toMatchObject({ code: "STORE_READ_ONLY" });
  expect(await store.load("r1")).toEqual([]);
  database.exec("PRAGMA query_only = OFF");
  await store.append(held, [note("r1", 1)]);
  await store.close();
  chmodSync(folder.file, 0o444);
  // The superuser may write every file.
  if (process.getuid?.() !== 0) expect(codeOf(() => sqliteStore({ path: folder.file }))).toBe("STORE_READ_ONLY");
});

test("a changed, missing or reordered record in the file is found, with its place [journal.hash-chain]", async () => {
  using folder = temporaryFolder();
  for (const [change, seq] of [
    ["UPDATE events SET text = replace(text, 'text', 'Text') WHERE seq = 2", 2],
    ["DELETE FROM events WHERE seq = 2", 2],
    ["DELETE FROM events WHERE seq = 3", 3],
    ["UPDATE events SET text = (SELECT text FROM events WHERE seq = 1) WHERE seq = 3", 3],
    ["DELETE FROM events", 1],
  ] as const) {
    const file = join(folder.path, `${seq}-${change.length}.db`);
    const store = sqliteStore({ path: file });
    await store.append(await leased(store), [note("r1", 1), note("r1", 2), note("r1", 3)]);
    expect(await store.load("r1")).toHaveLength(3);
    await store.close();
    const database = new DatabaseSync(file);
    database.exec(change);
    database.close();
    await using damaged = sqliteStore({ path: file });
    await expect(damaged.load("r1"), change).rejects.toMatchObject({ code: "JOURNAL_TAMPERED", seq });
  }
});

test("a long journal is read in pieces, and each of them is proved [journal.hash-chain]", async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, "long.db");
  const store = sqliteStore({ path: file });
  const records = Array.from({ length: 600 }, (_, index) => note("r1", index + 1));
  await store.append(await leased(store), records);
  expect(await store.load("r1")).toEqual(records);
  expect(await store.load("r1", 300)).toEqual(records.slice(300));
  expect(await store.load("r1", 600)).toEqual([]);
  await store.close();
  for (const [change, seq] of [
    ["UPDATE events SET text = replace(text, 'text', 'Text') WHERE seq = 600", 600],
    ["DELETE FROM events WHERE seq = 400", 400],
    ["DELETE FROM events WHERE seq > 256", 257],
    ["DELETE FROM events WHERE seq > 512", 513],
  ] as const) {
    const copy = join(folder.path, `${seq}.db`);
    copyFileSync(file, copy);
    const database = new DatabaseSync(copy);
    database.exec(change);
    database.close();
    await using damaged = sqliteStore({ path: copy });
    await expect(damaged.load("r1"), change).rejects.toMatchObject({ code: "JOURNAL_TAMPERED", seq });
  }
});

test("a damaged file has its own error", async () => {
  using folder = temporaryFolder();
  const store = sqliteStore({ path: folder.file });
  let held = await leased(store);
  for (let seq = 1; seq <= 40; seq += 1)
    held = { ...held, head: await store.append(held, [note("r1", seq, "x".repeat(3_000))]) };
  await store.close();
  const file = openSync(folder.file, "r+");
  // The last pages, which contain records, but not the page with the list of tables.
  const pages = fstatSync(file).size / 4_096;
  for (let page = pages - 30; page < pages; page += 1)
    writeSync(file, Buffer.alloc(4_096, 0xee), 0, 4_096, page * 4_096);
  closeSync(file);
  await using damaged = sqliteStore({ path: folder.file });
  await expect(damaged.load("r1")).rejects.toMatchObject({
    code: "STORE_CORRUPT",
    message: expect.stringContaining("backup"),
  });
});

test("a write-ahead log that was torn by a power cut loses only unanswered writes", async () => {
  using folder = temporaryFolder();
  const store = sqliteStore({ path: folder.file });
  let held = await leased(store);
  for (let seq = 1; seq <= 5; seq += 1) held = { ...held, head: await store.append(held, [note("r1", seq)]) };
  const copy = join(folder.path, "copy.db");
  writeFileSync(copy, readFileSync(folder.file));
  const log = readFileSync(`${folder.file}-wal`);
  // The last transaction was being written: half of its last page is valid, then noise.
  writeFileSync(`${copy}-wal`, Buffer.concat([log, Buffer.alloc(3_000, 0x5a)]));
  await using torn = sqliteStore({ path: copy });
  expect(await torn.load("r1")).toHaveLength(5);
  const cut = join(folder.path, "cut.db");
  writeFileSync(cut, readFileSync(folder.file));
  writeFileSync(`${cut}-wal`, log);
  truncateSync(`${cut}-wal`, log.length - 2_000);
  await using shorter = sqliteStore({ path: cut });
  const left = await shorter.load("r1");
  expect(left.map(({ seq }) => seq)).toEqual(Array.from({ length: left.length }, (_, index) => index + 1));
  expect(left.length).toBeGreaterThanOrEqual(4);
  await store.close();
});

test("a lock of another process is waited for, and reported if it lasts too long", async () => {
  using folder = temporaryFolder();
  await using patient = sqliteStore({ path: folder.file, lockTimeoutMs: 60_000 });
  await using store = sqliteStore({ path: folder.file, lockTimeoutMs: 150 });
  const held = await leased(patient);
  const other = new DatabaseSync(folder.file);
  other.exec("BEGIN IMMEDIATE");
  const waited = patient.append(held, [note("r1", 1)]);
  setTimeout(() => other.exec("COMMIT"), 30);
  const after = { ...held, head: await waited };
  other.exec("BEGIN IMMEDIATE");
  await expect(store.append(after, [note("r1", 2)])).rejects.toMatchObject({
    code: "STORE_LOCKED",
    message: expect.stringContaining("150 ms"),
  });
  expect(await store.load("r1")).toHaveLength(1);
  other.exec("COMMIT");
  other.close();
  await patient.append(after, [note("r1", 2)]);
});

test.each(["BEGIN DEFERRED", "BEGIN IMMEDIATE"])(
  "%s that many other connections keep from beginning is retried, and reported if it lasts too long",
  async (sql) => {
    using folder = temporaryFolder();
    const options = { path: folder.file, processes: "many", lockTimeoutMs: 0, warn: () => undefined } as const;
    const { database } = openDatabase(options, "sqlite:test");
    const prepare = database.prepare.bind(database);
    let refusals = 3;
    database.prepare = (text: string) => {
      const statement = prepare(text);
      if (text !== sql) return statement;
      const run = statement.run.bind(statement);
      statement.run = () => {
        refusals -= 1;
        // The number of SQLITE_PROTOCOL.
        if (refusals >= 0)
          throw Object.assign(new Error("locking protocol"), { code: "ERR_SQLITE_ERROR", errcode: 15 });
        return run();
      };
      return statement;
    };
    const runs = prepare("SELECT count(*) AS n FROM runs");
    const patient = createGroupCommit(database, "sqlite:test", 120_000);
    const ask = (group: typeof patient) =>
      sql === "BEGIN DEFERRED" ? group.read(() => runs.get()) : group.write(() => runs.get());
    expect(await ask(patient)).toEqual({ n: 0 });
    expect(refusals).toBe(-1);
    refusals = 1_000_000;
    await expect(ask(createGroupCommit(database, "sqlite:test", 20))).rejects.toMatchObject({
      failure: { code: "STORE_LOCKED" },
    });
    database.close();
  },
);

test('processes: "one" keeps others out until it is closed [seams.store.session-in-transaction]', async () => {
  using folder = temporaryFolder();
  const first = sqliteStore({ path: folder.file, processes: "one" });
  await leased(first);
  expect(codeOf(() => sqliteStore({ path: folder.file, lockTimeoutMs: 50 }))).toBe("STORE_LOCKED");
  expect(codeOf(() => sqliteStore({ path: folder.file, lockTimeoutMs: 50, processes: "one" }))).toBe("STORE_LOCKED");
  await first.close();
  await using second = sqliteStore({ path: folder.file });
  expect(await second.getRun("r1")).toBeDefined();
});

test("a closed store reports it, and closing waits for open writes", async () => {
  using folder = temporaryFolder();
  const store = sqliteStore({ path: folder.file });
  const held = await leased(store);
  const writing = store.append(held, [note("r1", 1)]);
  await store.close();
  await store.close();
  expect((await writing).seq).toBe(1);
  await expect(store.load("r1")).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await expect(store.signal("r1", { name: "cancel", id: "1", payload: null })).rejects.toMatchObject({
    code: "STORE_CLOSED",
  });
});

test("the journal mode is a write-ahead log only if it is safe", () => {
  expect(journalModeFor("3.51.2", "many")).toBe("truncate");
  expect(journalModeFor("3.47.1", "many")).toBe("truncate");
  expect(journalModeFor("3.51.3", "many")).toBe("wal");
  expect(journalModeFor("3.53.0", "many")).toBe("wal");
  expect(journalModeFor("4.0", "many")).toBe("wal");
  expect(journalModeFor("3.47.1", "one")).toBe("wal");
});

test("the writes of one turn of the event loop share a transaction, and a failed one is undone separately [store.append.group-commit]", async () => {
  using folder = temporaryFolder();
  const { database } = openDatabase(
    { path: folder.file, processes: "many", lockTimeoutMs: 1_000, warn: () => undefined },
    "sqlite:test",
  );
  database.exec("CREATE TABLE things (name TEXT UNIQUE)");
  let commits = 0;
  const prepare = database.prepare.bind(database);
  database.prepare = (sql: string) => {
    const statement = prepare(sql);
    if (sql !== "COMMIT") return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      commits += 1;
      return run();
    };
    return statement;
  };
  const group = createGroupCommit(database, "sqlite:test", 1_000);
  const insert = prepare("INSERT INTO things (name) VALUES (?)");
  const results = await Promise.allSettled(["a", "b", "a", "c"].map((name) => group.write(() => insert.run(name))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(commits).toBe(1);
  expect(prepare("SELECT group_concat(name) AS names FROM things").get()).toEqual({ names: "a,b,c" });
  await group.write(() => insert.run("d"));
  expect(commits).toBe(2);
  await group.close();
  database.close();
});
