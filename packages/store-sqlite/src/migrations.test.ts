import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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

test("a file of the first format is migrated with everything that is in it [journal.versioned]", async () => {
  using folder = temporaryFolder();
  writeFirstFormat(folder.file);
  await using store = sqliteStore({ path: folder.file });
  const events = await readJournal(store, "run-1", { hasher: defaultHasher() });
  const state = restoreState("run-1", events);
  expect(state.usage).toMatchObject({ inputTokens: 10, outputTokens: 2, totalTokens: 12 });
  expect(state.turnCalls).toEqual(["t1/c0"]);
  expect(state.calls.get("t1/c0")).toMatchObject({ toolName: "act", toolCallId: "c1" });
  expect(await store.getRun("run-2")).toMatchObject({
    state: "suspended",
    waitingOn: ["i1"],
    tenantId: "t1",
    input: { text: "hi" },
  });
  expect(await store.getRun("run-1")).toMatchObject({ state: "running", priority: 0, inSession: false });
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
        userId: "u1",
        idempotencyKey: "key-1",
      })
    ).run.id,
  ).toBe("run-1");
  expect((await store.sessions.load("session-1", { userId: "u1" })).state).toEqual({ lang: "en" });
  expect((await store.sessions.search("tulip", { userId: "u1" })).map(({ message }) => message.id)).toEqual(["m0"]);
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

test("stored runs get the status words of outputs: a done run is completed, stopped or cancelled by its stop reason [format.state-words]", async () => {
  using folder = temporaryFolder();
  writeFirstFormat(folder.file);
  const database = new DatabaseSync(folder.file);
  const ends = [
    ["ready", undefined, "queued"],
    ["waiting", undefined, "suspended"],
    ["sleeping", undefined, "sleeping"],
    ["running", undefined, "running"],
    ["failed", "failed", "failed"],
    ["done", "completed", "completed"],
    ["done", "stopped_by_tool", "completed"],
    ["done", "max_turns", "stopped"],
    ["done", "aborted", "cancelled"],
    ["done", undefined, "completed"],
  ] as const;
  for (const [index, [state, stopReason]] of ends.entries()) {
    const { lastInsertRowid } = database
      .prepare(
        `INSERT INTO runs (id, agent_id, definition_hash, session_id, input, state, epoch, expires_at, head_seq, head_hash, attempts,
           created_at, updated_at) VALUES (?, 'a', 'd', 's', '""', ?, 1, 0, ?, '', 0, 1, 1)`,
      )
      .run(`w${index}`, state, stopReason === undefined ? 0 : 1);
    if (stopReason !== undefined)
      database
        .prepare("INSERT INTO events (run, seq, key, hash, text) VALUES (?, 1, 'end', x'', ?)")
        .run(lastInsertRowid, JSON.stringify({ type: "run.end", stopReason }));
  }
  database.close();
  await using store = sqliteStore({ path: folder.file });
  for (const [index, [, , state]] of ends.entries())
    expect([index, (await store.getRun(`w${index}`))?.state]).toEqual([index, state]);
  const request = { owner: "w", ttlMs: 1_000, limit: 5, agents: [{ agentId: "a" }], maxAttempts: 9, suspects: false };
  expect((await store.claim(request)).runs.map(({ run }) => run.id).sort()).toEqual(["w0", "w3"]);
});

test("a migration that fails half-way leaves the file in its old format, and the next opening migrates it [journal.versioned]", async () => {
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
  expect(await store.sessions.search("tulip", { userId: "u1" })).toHaveLength(1);
});

test("a file of a later format is refused with its number, and is unchanged [journal.versioned]", async () => {
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

test("the migration gives a session the only user of its runs, shares the others in their tenant, and lists those [owner.migration] [format.owners.migration]", async () => {
  using folder = temporaryFolder();
  writeFirstFormat(folder.file);
  const database = new DatabaseSync(folder.file);
  const runs = [
    ["one", "t1", "ana"],
    ["one", "t1", "ana"],
    ["one", "t2", "bob"],
    ["mixed", "t1", "ana"],
    ["mixed", "t1", null],
    ["several", "t1", "ana"],
    ["several", "t1", "bob"],
    ["none", null, null],
  ] as const;
  for (const [index, [session, tenant, user]] of runs.entries())
    database
      .prepare(
        `INSERT INTO runs (id, agent_id, definition_hash, session_id, tenant_id, user_id, input, state, epoch, expires_at,
           head_seq, head_hash, attempts, created_at, updated_at) VALUES (?, 'a', 'd', ?, ?, ?, '""', 'done', 1, 0, 0, '', 0, 1, 1)`,
      )
      .run(`m${index}`, session, tenant, user);
  const sessions = [
    ["one", "t1"],
    ["one", "t2"],
    ["mixed", "t1"],
    ["several", "t1"],
    ["none", null],
    ["unused", "t1"],
  ] as const;
  for (const [index, [id, tenant]] of sessions.entries())
    database
      .prepare("INSERT INTO sessions (id, tenant_id, state, updated_at, changes) VALUES (?, ?, ?, 1, ?)")
      .run(id, tenant, JSON.stringify({ was: `${id} ${tenant}` }), index + 2);
  database.close();
  const warnings: string[] = [];
  const quiet = () => undefined;
  const logger = { debug: quiet, info: quiet, error: quiet, warn: (text: string) => void warnings.push(text) };
  await using store = sqliteStore({ path: folder.file, logger });
  const state = async (id: string, tenantId?: string, userId?: string) =>
    (await store.sessions.loadState(id, { tenantId, userId }))["was"];
  expect(await state("one", "t1", "ana")).toBe("one t1");
  expect(await state("one", "t1", "bob")).toBeUndefined();
  expect(await state("one", "t2", "bob")).toBe("one t2");
  expect(await state("one", "t1")).toBeUndefined();
  expect(await state("mixed", "t1", "ana")).toBe("mixed t1");
  expect(await state("mixed", "t1", "bob")).toBeUndefined();
  for (const user of ["ana", "bob", "eve", undefined]) expect(await state("several", "t1", user)).toBe("several t1");
  expect(await state("several", "t2", "ana")).toBeUndefined();
  expect(await state("none", undefined, "ana")).toBe("none null");
  expect(await state("unused", "t1", "ana")).toBe("unused t1");
  const [warning] = warnings.filter((text) => text.includes("format"));
  expect(warning).toContain("3 sessions had no user or several");
  expect(warning).toContain('"several" of tenant "t1", "none", "unused" of tenant "t1".');
});

test("a new file can be read by its owner alone, and so can its log [format.file-mode]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  await store.create({ id: "r1", agentId: "a", definitionHash: "d", sessionId: "s", input: "" });
  const files = readdirSync(dirname(folder.file)).filter((name) => name.startsWith(basename(folder.file)));
  expect(files.length).toBeGreaterThan(1);
  for (const name of files) expect(statSync(join(dirname(folder.file), name)).mode & 0o777).toBe(0o600);
});
