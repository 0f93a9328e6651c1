import { storeConformance } from "@bailiwick/testing/conformance";
import { describe, expect, test } from "vitest";
import { sqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

describe.each([true, false])("the store in a SQLite file, with a thread: %j", (thread) => {
  const cases = storeConformance(() => {
    const folder = temporaryFolder();
    const store = sqliteStore({ path: folder.file, thread });
    return {
      store,
      again: () => sqliteStore({ path: folder.file, thread }),
      async dispose() {
        await store.close();
        folder[Symbol.dispose]();
      },
    };
  });
  for (const one of cases) test(`${one.name} (sqlite${thread ? "" : ", in this thread"})`, one.run);
});

test.each([
  [{ file: "runs.db" }, `"file" is not an option of sqliteStore()`],
  [{}, `sqliteStore() needs the "path" of its file, or ":memory:".`],
  [{ path: "runs.db", processes: "two" }, `sqliteStore() takes "one" or "many" as "processes", not "two".`],
  [{ path: "runs.db", lockTimeoutMs: "1s" }, `sqliteStore() takes a whole number from 0 as "lockTimeoutMs", not 1s.`],
  [{ path: "runs.db", thread: 1 }, `sqliteStore() takes true or false as "thread", not 1.`],
  [{ path: "runs.db", clock: { now: Date.now } }, `takes a "clock" only with "thread: false"`],
  [{ path: "runs.db", clock: {}, thread: false }, `takes a "clock" with a function "now"`],
  ["runs.db", "Write sqliteStore() with { path"],
])("invalid options, %j, are refused before a file is opened", (options, message) => {
  expect(() => sqliteStore(options as never)).toThrow(message);
});

test("a clock of the caller decides about leases and due times, also in a file that others wrote [store.clock]", async () => {
  using folder = temporaryFolder();
  let now = Date.UTC(2030, 0, 1);
  const clock = { now: () => now };
  const record = { agentId: "a", definitionHash: "h", sessionId: "s", input: "Go." };
  {
    await using usual = sqliteStore({ path: folder.file });
    await usual.create({ id: "r0", ...record });
  }
  await using store = sqliteStore({ path: folder.file, thread: false, clock });
  const created = await store.create({ id: "r1", ...record, dueAt: now + 3_600_000 }, { owner: "one", ttlMs: 1_000 });
  expect(created.run.createdAt).toBe(now);
  expect(created.lease?.expiresAt).toBe(now + 1_000);
  expect(await store.acquire("r1", "two", 1_000)).toBeNull();
  now += 1_000;
  expect(await store.acquire("r1", "two", 1_000)).toMatchObject({ owner: "two", epoch: 2, expiresAt: now + 1_000 });
});

test("opening in this thread fails with the same errors", () => {
  expect(() => sqliteStore({ path: "/nowhere/at/all/runs.db", thread: false })).toThrow(
    expect.objectContaining({ code: "STORE_FOLDER_MISSING" }),
  );
});
