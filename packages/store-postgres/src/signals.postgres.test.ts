import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "pg";
import { expect, test } from "vitest";
import { postgresStore } from "./postgres-store.ts";
import { heldRun } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";
import { transactionPooler } from "./transaction-pooler.fixture.ts";

/** Longer than any test: a run noticed this way is noticed too late. */
const neverMs = 3_600_000;

test("anyone who subscribes hears of another process's signal, without looking for it [feature:X097] [store.signal]", async () => {
  await using place = temporarySchema();
  await using here = postgresStore({ url: testUrl, schema: place.schema, pollMs: neverMs });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  const lease = await heldRun(here, "r");
  await heldRun(here, "other");
  let calls = 0;
  const called = new Promise<void>((resolve) => {
    here.subscribe?.("r", () => ((calls += 1), resolve()));
  });
  here.subscribe?.("other", () => (calls += 100));
  await there.signal("r", { name: "cancel", id: "c", payload: "enough" });
  await called;
  expect(await here.takeSignals(lease)).toEqual([{ name: "cancel", id: "c", payload: "enough" }]);
  expect(calls).toBe(1);
});

test("a notification wakes a waiting worker of another process, without a poll [store.on-ready]", async () => {
  await using place = temporarySchema();
  await using here = postgresStore({ url: testUrl, schema: place.schema, pollMs: neverMs });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  let called = (): void => undefined;
  const next = (): Promise<void> => new Promise((resolve) => (called = resolve));
  const listening = next();
  const forget = here.onReady?.(() => called());
  // The first call means that the store listens from now on.
  await listening;
  const woken = next();
  await there.create({ id: "r", agentId: "a", definitionHash: "d", sessionId: "s", input: "go" });
  await woken;
  forget?.();
});

test("a listener whose connection ended listens again, and receives the signals in between [feature:X097] [store.signal]", async () => {
  await using place = temporarySchema();
  await using pool = endingPool(place.schema);
  // Checked at intervals: a lost listener is noticed at the next check.
  await using here = postgresStore({ pool: pool.pool, schema: place.schema, pollMs: 50 });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  await heldRun(here, "r");
  for (const id of ["a", "b", "c"]) {
    const called = new Promise<void>((resolve) => {
      const end = here.subscribe?.("r", () => (end?.(), resolve()));
    });
    await statement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
      place.schema,
    ]);
    await there.signal("r", { name: "steer", id, payload: id });
    await called;
  }
});

function endingPool(name: string): { readonly pool: Pool } & AsyncDisposable {
  const pool = new Pool({ connectionString: testUrl, application_name: name });
  return { pool, [Symbol.asyncDispose]: () => pool.end() };
}

test.each([
  ["poll" as const, "looks for them"],
  ["listen" as const, "does not hear anything, and looks for them"],
])(
  "behind a pooler that gives each transaction another connection, a store with the option to %s %s [feature:X097] [store.signal]",
  async (notifications, _how) => {
    await using place = temporarySchema();
    await using pool = transactionPooler(testUrl);
    await using here = postgresStore({ pool, schema: place.schema, notifications, pollMs: 50 });
    await using there = postgresStore({ url: testUrl, schema: place.schema });
    await heldRun(here, "r");
    let calls = 0;
    const called = new Promise<void>((resolve) => {
      here.subscribe?.("r", () => ((calls += 1), resolve()));
    });
    await there.signal("r", { name: "steer", id: "a", payload: 1 });
    await called;
    expect(calls).toBe(1);
  },
);

test("a process that does not close its store ends when no work is left, also while the store listens [feature:X097]", async () => {
  await using place = temporarySchema();
  const program = fileURLToPath(new URL("left-open.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, ["--conditions=@bailiwick/source", program, place.schema], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  child.stdout.on("data", (data: Buffer) => (said += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect([code, said]).toEqual([0, "over"]);
});
