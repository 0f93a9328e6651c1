import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { readJournal, restoreState } from "@bailiwick/core";
import { defaultHasher } from "@bailiwick/core/extension";
import { expect, test } from "vitest";
import { supportedFormat } from "./database/migrations.ts";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const firstFormat = readFileSync(new URL("format-1.fixture.sql", import.meta.url), "utf8");

function writeFirstFormat(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(firstFormat);
  database.close();
}

test("[journal.versioned] a file of the first format is migrated with everything that is in it", async () => {
  using folder = temporaryFolder();
  writeFirstFormat(folder.file);
  await using store = sqliteStore({ path: folder.file });
  const events = await readJournal(store, "run-1", { hasher: defaultHasher() });
  const state = restoreState("run-1", events);
  expect(state.turnCalls).toEqual(["t1/c0"]);
  expect(state.calls.get("t1/c0")).toMatchObject({ toolName: "act", toolCallId: "c1" });
  expect(await store.getRun("run-2")).toMatchObject({
    state: "waiting",
    waitingOn: ["i1"],
    tenantId: "t1",
    input: { text: "hi" },
  });
  expect((await store.listExpired(5)).map(({ id }) => id)).toEqual(["run-1"]);
  const lease = await store.acquire("run-1", "new", 60_000);
  expect(lease?.epoch).toBe(2);
  if (lease !== null)
    expect(await store.takeSignals(lease)).toMatchObject([{ id: "s1", payload: { content: "Hurry." } }]);
  expect(
    (
      await store.create({
        id: "x",
        agentId: "acting",
        definitionHash: "d",
        sessionId: "s",
        input: "",
        idempotencyKey: "key-1",
      })
    ).run.id,
  ).toBe("run-1");
  expect((await store.sessions.load("session-1")).state).toEqual({ lang: "en" });
  expect((await store.sessions.search("tulip")).map(({ message }) => message.id)).toEqual(["m0"]);
  expect(
    (await store.ledger.get({ kind: "idempotency", scope: "tenant:t1", toolName: "act", key: "k1" }))?.outcome,
  ).toEqual({ output: 1 });
  const scope = { tenantId: "t1", userId: "ana" };
  await store.memories.put({
    id: "m1",
    kind: "semantic",
    text: "Ana grows tulips.",
    scope,
    label: { integrity: "user", readers: "public" },
    validFrom: 1,
    recordedAt: 1,
    source: { runId: "run-1", seq: 1 },
  });
  expect((await store.memories.query({ scope, text: "tulip" })).map(({ entry }) => entry.id)).toEqual(["m1"]);
  expect([...(await store.getBlob("4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a"))]).toEqual([1]);
});

test("[journal.versioned] a migration that fails half-way leaves the file in its format, and the next opening migrates it", async () => {
  using folder = temporaryFolder();
  writeFirstFormat(folder.file);
  const database = new DatabaseSync(folder.file);
  database.exec("CREATE INDEX ledger_by_expiry ON ledger (key)");
  expect(() => sqliteStore({ path: folder.file })).toThrow(/ledger_by_expiry/);
  expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  expect(
    database.prepare("SELECT count(*) AS n FROM pragma_table_info('session_messages') WHERE name = 'search'").get(),
  ).toEqual({ n: 0 });
  database.exec("DROP INDEX ledger_by_expiry");
  database.close();
  await using store = sqliteStore({ path: folder.file });
  expect(await store.sessions.search("tulip")).toHaveLength(1);
});

test("[journal.versioned] a file of a later format is refused with its number, and left as it is", async () => {
  using folder = temporaryFolder();
  await sqliteStore({ path: folder.file }).close();
  const database = new DatabaseSync(folder.file);
  database.exec(`PRAGMA user_version = ${supportedFormat + 7}`);
  database.close();
  expect(() => sqliteStore({ path: folder.file })).toThrow(
    expect.objectContaining({
      code: "STORE_FORMAT",
      message: expect.stringContaining(`format ${supportedFormat + 7}`),
    }),
  );
});
