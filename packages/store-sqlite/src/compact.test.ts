import { DatabaseSync, backup } from "node:sqlite";
import { statSync } from "node:fs";
import { createAgentRuntime } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import { deleteRuns, driveDue } from "@bailiwick/worker";
import { expect, test } from "vitest";
import { sqliteStore, type SqliteStore } from "./sqlite-store.ts";
import { temporaryFolder } from "./temporary-store.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** Stores runs with a long input each, and ends them. */
async function fill(store: SqliteStore, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const input = `${n} `.padEnd(20_000, "long ");
    await store.create({ id: `r${n}`, agentId: "agent", definitionHash: "d", sessionId: "s", input });
    const lease = await store.acquire(`r${n}`, "o", 60_000);
    if (lease !== null) await store.release(lease, { state: "completed" });
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
}

test("compact() makes the file shorter after runs were deleted, while another process has it open [store.compact]", async () => {
  using folder = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  await using other = sqliteStore({ path: folder.file });
  await fill(store, 200);
  await store.compact();
  const full = statSync(folder.file).size;
  await other.create({ id: "kept", agentId: "agent", definitionHash: "d", sessionId: "s", input: "kept" });
  expect(await deleteRuns(store, { olderThanMs: 0 })).toMatchObject({ deleted: 200 });
  const [{ freedBytes }] = await Promise.all([
    store.compact(),
    other.create({ id: "beside", agentId: "agent", definitionHash: "d", sessionId: "s", input: "beside" }),
  ]);
  expect(freedBytes).toBeGreaterThan(full / 2);
  await store.compact();
  expect(statSync(folder.file).size).toBeLessThan(full / 2);
  expect((await other.listRuns({})).map(({ id }) => id)).toEqual(["beside", "kept"]);
  expect(await store.compact()).toEqual({ freedBytes: 0 });
});

test("compact() rewrites a file of an older version, which then shrinks step by step [store.compact]", async () => {
  using folder = temporaryFolder();
  await sqliteStore({ path: folder.file }).close();
  const raw = new DatabaseSync(folder.file);
  raw.exec("PRAGMA auto_vacuum = NONE; VACUUM");
  raw.close();
  await using store = sqliteStore({ path: folder.file });
  await fill(store, 100);
  await deleteRuns(store, { olderThanMs: 0 });
  expect((await store.compact()).freedBytes).toBeGreaterThan(1_000_000);
  const reader = new DatabaseSync(folder.file, { readOnly: true });
  expect(reader.prepare("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
  expect(reader.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  reader.close();
});

test("a copy that is made while runs are driven opens, is complete, and its runs can be driven [store.backup]", async () => {
  using folder = temporaryFolder();
  using target = temporaryFolder();
  await using store = sqliteStore({ path: folder.file });
  const agent = (on: SqliteStore) =>
    createAgentRuntime({ name: "agent", model: scriptedModel(() => "Done."), store: on, logger: quiet });
  for (let n = 0; n < 60; n += 1) await agent(store).enqueue(`${n}`);
  const driving = driveDue({ agents: [agent(store)], store, logger: quiet });
  const source = new DatabaseSync(folder.file, { readOnly: true });
  await backup(source, target.file, { rate: 5 });
  source.close();
  await driving;
  const check = new DatabaseSync(target.file);
  expect(check.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  // Runs that were driven during the copy are in the state after a crash, on a machine whose leases ended.
  check.exec("UPDATE runs SET expires_at = 0 WHERE state = 'running'");
  check.close();
  await using copy = sqliteStore({ path: target.file });
  await driveDue({ agents: [agent(copy)], store: copy, logger: quiet });
  const states = (await copy.listRuns({ limit: 100 })).map(({ state }) => state);
  expect(states).toEqual(Array.from({ length: 60 }, () => "completed"));
});
