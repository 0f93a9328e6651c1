import { StoreError } from "@bailiwick/core";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { plainServer } from "./plain-server.fixture.ts";
import type { Failing } from "./plain-server.fixture.ts";
import { postgresStore } from "./postgres-store.ts";

/** Time for which temporary errors are retried. */
const passing: ReadonlySet<string> = new Set(["53300", "57P01", "57P03", "40001"]);

/** The store's error for this failure of a server. */
async function said(failing: Failing): Promise<unknown> {
  await using server = await plainServer(failing);
  const soon = failing.at === "never" || passing.has(failing.sqlState);
  await using store = postgresStore({ url: server.url, timeoutMs: soon ? 4_000 : 60_000 });
  return await store.open().catch((error: unknown) => error);
}

test.each([
  ["25006", "STORE_READ_ONLY", "Give the address of the primary"],
  ["42501", "STORE_FORBIDDEN", "Grant it USAGE on the schema"],
  ["42P01", "STORE_FORMAT", "its schema was changed or dropped"],
  ["53100", "STORE_FULL", "free space, then resume the run"],
  ["53200", "STORE_FAILED", "ran out of memory"],
  ["53300", "STORE_BUSY", `Lower "maxConnections"`],
  ["54000", "STORE_TOO_LONG", "Use a shorter one"],
  ["55P03", "STORE_LOCKED", "Look for one that holds a transaction open"],
  ["57014", "STORE_TIMEOUT", `"statementTimeoutMs"`],
  ["57P01", "STORE_UNREACHABLE", "runs can be resumed when it answers again"],
  ["58030", "STORE_IO", "Check the disk"],
  ["40001", "STORE_CONFLICT", "runs can be resumed"],
  ["XX001", "STORE_CORRUPT", "restore a backup"],
  ["22P02", "STORE_FAILED", "Runs can be resumed when it works again"],
])("the server's error (%s) becomes %s, with the remedy", async (sqlState, code, text) => {
  const error = await said({ at: "statement", sqlState, says: "the server's words" });
  expect(error).toBeInstanceOf(StoreError);
  expect(error).toMatchObject({ code, cause: { code: sqlState } });
  const { message } = error as StoreError;
  expect(message).toMatch(/^The store "postgres:\/\/127\.0\.0\.1:\d+\/app\/bailiwick" /);
  expect(message).toContain(text);
  expect(message).toContain("the server's words");
  expect(message).not.toContain("secret");
});

test.each([
  ["28P01", "STORE_CANNOT_OPEN"],
  ["28000", "STORE_CANNOT_OPEN"],
  ["3D000", "STORE_CANNOT_OPEN"],
  ["57P03", "STORE_UNREACHABLE"],
  ["53300", "STORE_BUSY"],
])("a server that refuses to begin (%s) is %s", async (sqlState, code) => {
  expect(await said({ at: "start", sqlState, says: "no" })).toMatchObject({ code });
});

test("a server that does not respond counts as unreachable", async () => {
  expect(await said({ at: "never" })).toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("without a listening server, the store reports it at the timeout", async () => {
  const server = await plainServer({ at: "never" });
  await server[Symbol.asyncDispose]();
  await using store = postgresStore({ url: server.url, timeoutMs: 200 });
  await expect(store.getRun("r")).rejects.toMatchObject({ code: "STORE_UNREACHABLE" });
});

test("a store with a closed pool throws an error with that reason", async () => {
  const pool = new Pool();
  await using store = postgresStore({ pool });
  await pool.end();
  await expect(store.getRun("r")).rejects.toMatchObject({
    code: "STORE_CLOSED",
    message: expect.stringContaining("its pool was ended") as string,
  });
});

test("a closed store throws an error that names the cause; closing it twice has no further effect", async () => {
  const store = postgresStore({ url: "postgres://127.0.0.1:1/app" });
  await store.close();
  await store.close();
  await expect(store.getRun("r")).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await expect(store.putBlob(new Uint8Array())).rejects.toMatchObject({ code: "STORE_CLOSED" });
  await expect(
    store.append({ runId: "r", owner: "o", epoch: 1, head: { seq: 0, hash: "" }, expiresAt: 0 }, []),
  ).rejects.toMatchObject({ code: "STORE_CLOSED" });
});
