import { randomUUID } from "node:crypto";
import { createAgentRuntime, tool } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";
import * as fc from "fast-check";
import { Client, Pool } from "pg";
import { expect, test } from "vitest";
import { z } from "zod";
import { postgresStore } from "./postgres-store.ts";
import { heldRun, message, note, record } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** A connection in which another program keeps a transaction open. */
async function otherProgram(): Promise<Client & AsyncDisposable> {
  const client = new Client({ connectionString: testUrl });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test("a journal and a session that another process writes to are read as they were at one moment [feature:X097] [store.queries]", async () => {
  await using place = temporarySchema();
  await using here = postgresStore({ url: testUrl, schema: place.schema });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  let held = await heldRun(here, "busy");
  let writing = true;
  let reads = 0;
  async function readOn(): Promise<void> {
    for (; writing; reads += 1) {
      const events = await there.load("busy");
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
      const { messages, state } = await there.sessions.load("s");
      expect(messages).toHaveLength(2 * Number(state["turns"] ?? 0));
    }
  }
  async function writeOn(): Promise<void> {
    for (let seq = 1; seq <= 150; seq += 1) {
      held = { ...held, head: await here.append(held, [note("busy", seq)]) };
      await here.sessions.append("s", [message(`u${seq}`), message(`a${seq}`)], {
        runId: "busy",
        seq,
        state: { turns: seq },
      });
    }
  }
  await Promise.all([readOn(), readOn(), writeOn().finally(() => (writing = false))]);
  expect(reads).toBeGreaterThan(1);
  expect(await there.load("busy")).toHaveLength(150);
});

test("a signal from another process that arrives during a release wakes the run, each time [feature:X097] [store.signal]", async () => {
  await using place = temporarySchema();
  await using here = postgresStore({ url: testUrl, schema: place.schema });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  for (let n = 0; n < 60; n += 1) {
    const id = `r${n}`;
    const lease = await heldRun(here, id);
    const next =
      n % 2 === 0
        ? ({ state: "suspended", waitingOn: ["x"] } as const)
        : ({ state: "completed", unlessSignals: ["steer"] } as const);
    const [, signalled] = await Promise.all([
      here.release(lease, next),
      there.signal(id, { name: "steer", id: "s", payload: n }).then(() => true),
    ]);
    const run = await here.getRun(id);
    // A run that ended before the signal stays ended; the agent reports this to the sender.
    expect([signalled, n % 2 === 1 && run?.state === "completed" ? "queued" : run?.state]).toEqual([true, "queued"]);
  }
});

test("if several processes acquire each other's runs, each run has one owner at a time, and no record is written twice [feature:X097] [store.append.fenced]", async () => {
  await using place = temporarySchema();
  await using first = postgresStore({ url: testUrl, schema: place.schema });
  const stores = [first, ...Array.from({ length: 3 }, () => postgresStore({ url: testUrl, schema: place.schema }))];
  const ids = Array.from({ length: 6 }, (_, n) => `r${n}`);
  for (const id of ids) await first.create(record(id));
  await Promise.all(
    stores.map(async (store, owner) => {
      for (let round = 0; round < 25; round += 1) {
        const runId = ids[(round + owner) % ids.length] ?? "";
        const lease = await store.acquire(runId, `o${owner}`, 60_000);
        if (lease === null) continue;
        const { seq } = lease.head;
        const appending = store.append(lease, [note(runId, seq + 1), note(runId, seq + 2)]);
        const after = { ...lease, head: { seq: seq + 2, hash: "" } };
        const session = { sessionId: "shared", messages: [message(`${runId}.${seq}`)], state: {}, runId, seq };
        await Promise.all([appending, store.release(after, { state: "queued" }, session)]);
      }
    }),
  );
  let records = 0;
  for (const id of ids) {
    const events = await first.load(id);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    records += events.length;
  }
  const { messages } = await first.sessions.load("shared");
  expect(messages).toHaveLength(records / 2);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  for (const store of stores) await store.close();
});

test("while the server ends all connections again and again, every run continues to its end, and each effect happens once [feature:X097] [effects.at-least-once]", async () => {
  await using place = temporarySchema();
  const pool = new Pool({ connectionString: testUrl, application_name: place.schema, max: 8 });
  let running = true;
  let ended = 0;
  const recorded = async (): Promise<unknown> =>
    (await statement(`SELECT count(*) AS count FROM "${place.schema}".events`))[0]?.["count"];
  /** Repeats whenever a record was added since, however long that takes on this machine. */
  async function endConnections(): Promise<void> {
    while (running) {
      const before = await recorded();
      ended += (
        await statement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1", [
          place.schema,
        ])
      ).length;
      while (running && (await recorded()) === before) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  {
    await using store = postgresStore({ pool, schema: place.schema, timeoutMs: 120_000 });
    await store.open();
    const done: number[] = [];
    const act = tool({
      name: "act",
      description: "Acts.",
      inputSchema: z.object({ n: z.number() }),
      sideEffectClass: "external-stateful",
      execute: ({ n }) => (done.push(n), `did ${n}`),
    });
    const runOnce = async (n: number): Promise<string> => {
      let turn = 0;
      const model = scriptedModel(() =>
        (turn += 1) > 3 ? "Done." : { toolCalls: [{ name: "act", arguments: { n: n * 10 + turn } }] },
      );
      const agent = createAgentRuntime({
        name: "agent",
        model,
        tools: [act],
        store,
        session: store.sessions,
        logger: quiet,
      });
      return (await agent.run("go", { sessionId: `s${n}` })).status;
    };
    const ending = endConnections();
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, n) => runOnce(n))).finally(
      () => (running = false),
    );
    await ending;
    expect(new Set(statuses)).toEqual(new Set(["completed"]));
    expect(done).toHaveLength(36);
    expect(new Set(done).size).toBe(36);
    for (let n = 0; n < 12; n += 1) expect((await store.sessions.load(`s${n}`)).messages).toHaveLength(8);
    expect(ended).toBeGreaterThan(0);
  }
  await pool.end();
});

test("a deadlock with another program is tried again [feature:X097]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema, timeoutMs: 60_000 });
  await using other = await otherProgram();
  const lease = await heldRun(store, "r");
  await store.sessions.append("s", [message("m")], { runId: "r0", seq: 1 });
  await other.query("BEGIN");
  await other.query(`SELECT 1 FROM "${place.schema}".sessions FOR UPDATE`);
  const releasing = store.release(
    lease,
    { state: "completed" },
    { sessionId: "s", messages: [message("n")], state: {}, runId: "r", seq: 1 },
  );
  // The store holds the run now, and waits for the session.
  for (let waits = 0; waits === 0;)
    waits = (
      await statement("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1", [
        `%${place.schema}%`,
      ])
    ).length;
  // PostgreSQL detects the deadlock and aborts one of the two transactions.
  await other.query(`SELECT 1 FROM "${place.schema}".runs FOR UPDATE`).catch(() => undefined);
  await other.query("ROLLBACK");
  await releasing;
  expect(await store.getRun("r")).toMatchObject({ state: "completed" });
  expect((await store.sessions.load("s")).messages).toEqual([message("m"), message("n")]);
});

test.each([
  [{ timeoutMs: 10_000 }, "STORE_LOCKED"],
  [{ timeoutMs: 60_000, statementTimeoutMs: 500 }, "STORE_TIMEOUT"],
])(
  "a run that another program keeps locked: with %j it is %s, and nothing is written [feature:X097]",
  async (limits, code) => {
    await using place = temporarySchema();
    await using store = postgresStore({ url: testUrl, schema: place.schema });
    await using hasty = postgresStore({ url: testUrl, schema: place.schema, ...limits });
    await using other = await otherProgram();
    const lease = await heldRun(store, "r");
    await other.query("BEGIN");
    await other.query(`SELECT 1 FROM "${place.schema}".runs FOR UPDATE`);
    await expect(hasty.append(lease, [note("r", 1)])).rejects.toMatchObject({ code });
    await other.query("ROLLBACK");
    expect(await store.append(lease, [note("r", 1)])).toMatchObject({ seq: 1 });
  },
);

test("a pool whose connections are all in use gives an error with that reason, and a connection that becomes free in time is used [feature:X097]", async () => {
  await using place = temporarySchema();
  const pool = new Pool({ connectionString: testUrl, max: 1 });
  {
    await using store = postgresStore({ pool, schema: place.schema, timeoutMs: 10_000, notifications: "poll" });
    await store.open();
    const taken = await pool.connect();
    await expect(store.getRun("r")).rejects.toMatchObject({ code: "STORE_BUSY" });
    const reading = store.getRun("r");
    taken.release();
    expect(await reading).toBeUndefined();
  }
  // The application's pool belongs to the application.
  expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test("an application's parsers and settings for its database do not affect the store [feature:X097]", async () => {
  await using place = temporarySchema();
  const strange = {
    connectionString: testUrl,
    options:
      "-c default_transaction_isolation=serializable -c default_transaction_read_only=on -c synchronous_commit=off -c bytea_output=escape -c search_path=nowhere",
    types: { getTypeParser: () => () => "parsed by the application" },
  };
  const pool = new Pool(strange);
  {
    await using store = postgresStore({ pool, schema: place.schema });
    const lease = await heldRun(store, "r");
    const hash = await store.putBlob(new Uint8Array([0, 255]));
    await store.append(lease, [note("r", 1)]);
    expect(await store.load("r")).toEqual([note("r", 1)]);
    expect(await store.getBlob(hash)).toEqual(new Uint8Array([0, 255]));
    expect(await store.getRun("r")).toMatchObject({ state: "running", epoch: 1, deadlineAt: undefined });
  }
  await pool.end();
});

test("a blob whose record never arrived is removed after its time, if a run with the same bytes was deleted [feature:X097] [store.queries]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const bytes = new Uint8Array([1]);
  const lease = await heldRun(store, "r");
  const hash = await store.putBlob(bytes);
  const alone = await store.putBlob(new Uint8Array([2]));
  await store.append(lease, [{ ...note("r", 1), text: `read ${hash}` } as ReturnType<typeof note>]);
  await store.putBlob(bytes);
  await store.deleteRun("r");
  expect(await store.getBlob(hash)).toEqual(bytes);
  await statement(`UPDATE "${place.schema}".blobs SET awaited_until = 1`);
  await store.putBlob(new Uint8Array([3]));
  await expect(store.getBlob(hash)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
  expect(await store.getBlob(alone)).toEqual(new Uint8Array([2]));
});

test("blobs that some processes put and name while others delete their runs exist in the end [feature:X097] [store.queries]", async () => {
  await using place = temporarySchema();
  await using here = postgresStore({ url: testUrl, schema: place.schema });
  await using there = postgresStore({ url: testUrl, schema: place.schema });
  const bytes = new Uint8Array([1]);
  const naming = async (store: typeof here, id: string): Promise<string> => {
    const lease = await heldRun(store, id);
    const $blob = await store.putBlob(bytes);
    const named = { ...note(id, 1), refs: [{ $blob, kind: "bytes" }] };
    await store.append(lease, [named]);
    return $blob;
  };
  for (let round = 0; round < 20; round += 1) {
    await naming(here, `old ${round}`);
    const [hash] = await Promise.all([naming(there, `new ${round}`), here.deleteRun(`old ${round}`)]);
    expect(await here.getBlob(hash)).toEqual(bytes);
    await there.deleteRun(`new ${round}`);
    await expect(here.getBlob(hash)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
  }
});

/** Sessions take only ids that every store can tell apart. */
const isId = (text: string): boolean => text !== "" && text.isWellFormed();

test("names of any characters are kept apart [feature:X097]", async () => {
  await using place = temporarySchema();
  await using store = postgresStore({ url: testUrl, schema: place.schema });
  const name = fc.oneof(
    fc.string({ unit: "binary", maxLength: 12 }),
    fc
      .array(fc.constantFrom("\\", "\0", "\ud800", "\udc00", "u", "0", "a", "'", '"', "%", "_", "{", ",", "NULL"), {
        maxLength: 6,
      })
      .map((parts) => parts.join("")),
  );
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 4 }), async (names) => {
      const tenantId = randomUUID();
      const tenants = names.map((one) => `${tenantId} ${one}`);
      for (const [n, one] of names.entries()) {
        const id = tenants[n] ?? "";
        const { lease } = await store.create(
          { ...record(id), tenantId: id, sessionId: one, userId: one, idempotencyKey: one },
          { owner: one, ttlMs: 60_000 },
        );
        await store.signal(id, { name: one, id: one, payload: one });
        const joined = store.sessions.append(one, [message(one, one)], {
          runId: one,
          seq: 1,
          tenantId: id,
          userId: one,
        });
        if (isId(one)) await joined;
        else await expect(joined).rejects.toMatchObject({ code: "INVALID_INPUT" });
        expect(await store.takeSignals(lease ?? never())).toEqual([{ name: one, id: one, payload: one }]);
        await store.append(lease ?? never(), [{ ...note(id, 1, one), key: one }]);
      }
      for (const [n, one] of names.entries()) {
        const tenant = tenants[n] ?? "";
        expect(await store.listRuns({ tenantId: tenant, userId: one, sessionId: one })).toMatchObject([
          { id: tenant, sessionId: one, userId: one, idempotencyKey: one },
        ]);
        expect(await store.get(tenant, one)).toMatchObject({ key: one, hook: one });
        if (!isId(one)) continue;
        expect(await store.sessions.list({ tenantId: tenant, userId: one })).toMatchObject([{ id: one }]);
        expect((await store.sessions.load(one, { tenantId: tenant, userId: one })).messages).toEqual([
          message(one, one),
        ]);
        const words = one
          .toLowerCase()
          .split(/\s+/u)
          .filter((word) => word !== "");
        expect(await store.sessions.search(one, { tenantId: tenant, userId: one })).toHaveLength(
          words.length === 0 ? 0 : 1,
        );
      }
    }),
    { numRuns: 15 },
  );
});

function never(): never {
  throw new Error("There is no lease.");
}
