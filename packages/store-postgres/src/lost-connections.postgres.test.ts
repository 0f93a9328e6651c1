import type { LedgerRow } from "@bailiwick/core";
import { describe, expect, test } from "vitest";
import { cuttingLink } from "./cutting-link.fixture.ts";
import { postgresStore } from "./postgres-store.ts";
import type { PostgresStore } from "./postgres-store.ts";
import { heldRun, message, note, record } from "./records.fixture.ts";
import { statement, temporarySchema, testUrl } from "./temporary-schema.fixture.ts";
import { drawn } from "../../testing/src/drawn-cells.fixture.ts";

/** The link carries only the requested data. */
const patient = { notifications: "poll", timeoutMs: 30_000 } as const;

const row: LedgerRow = {
  kind: "idempotency",
  scope: "s",
  toolName: "t",
  key: "k",
  state: "reserved",
  runId: "r",
  callKey: "c",
  inputHash: "",
  expiresAt: Number.POSITIVE_INFINITY,
};
const head = { seq: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string };

/**
 * Each write that would do harm if it were done twice, or reported as not done: its preconditions, its result, and the
 * stored state afterwards.
 */
const writes: Readonly<Record<string, (store: PostgresStore) => Promise<() => Promise<void>>>> = {
  "create with a holder": async (store) => async () => {
    const made = await store.create({ ...record("r"), idempotencyKey: "k" }, { owner: "o", ttlMs: 60_000 });
    expect(made).toMatchObject({ created: true, run: { state: "running", epoch: 1 }, lease: { epoch: 1, owner: "o" } });
    expect(await store.append(made.lease ?? never(), [note("r", 1)])).toEqual(head);
  },
  create: async (store) => async () => {
    expect(await store.create(record("r"))).toMatchObject({ created: true, run: { state: "queued" } });
    expect(await store.listRuns({})).toHaveLength(1);
  },
  acquire: async (store) => {
    await store.create(record("r"));
    return async () => {
      const lease = await store.acquire("r", "o", 60_000);
      expect(lease).toMatchObject({ epoch: 1 });
      expect(await store.append(lease ?? never(), [note("r", 1)])).toEqual(head);
    };
  },
  append: async (store) => {
    const lease = await heldRun(store, "r");
    return async () => {
      expect(await store.append(lease, [note("r", 1)], [row])).toEqual(head);
      expect(await store.load("r")).toEqual([note("r", 1)]);
      expect(await store.ledger.get(row)).toEqual(row);
    };
  },
  "append and release with a session": async (store) => {
    const lease = await heldRun(store, "r");
    return async () => {
      const session = { sessionId: "s", messages: [message("m")], state: {}, runId: "r", seq: 1 };
      const [appended] = await Promise.all([
        store.append(lease, [note("r", 1)]),
        store.release({ ...lease, head: { seq: 1, hash: "" } }, { state: "completed" }, session),
      ]);
      expect(appended).toEqual(head);
      expect(await store.getRun("r")).toMatchObject({ state: "completed", head: { seq: 1 } });
      expect((await store.sessions.load("s")).messages).toHaveLength(1);
    };
  },
  renew: async (store) => {
    const lease = await heldRun(store, "r");
    return async () => expect(await store.renew([lease], 60_000)).toMatchObject([{ held: true }]);
  },
  signal: async (store) => {
    const lease = await heldRun(store, "r");
    return async () => {
      await store.signal("r", { name: "steer", id: "x", payload: 1 });
      expect(await store.takeSignals(lease)).toEqual([{ name: "steer", id: "x", payload: 1 }]);
    };
  },
  "a reservation": async (store) => async () => {
    expect(await store.ledger.reserve(row)).toEqual({ reserved: true });
  },
  "append to a session": async (store) => async () => {
    await store.sessions.append("s", [message("m")], { runId: "r", seq: 1 });
    expect((await store.sessions.load("s")).messages).toHaveLength(1);
  },
  branch: async (store) => {
    await store.sessions.append("s", [message("m")], { runId: "r", seq: 1, state: { a: 1 } });
    return async () => {
      expect(await store.sessions.branch("s", { newId: "b" })).toBe("b");
      expect(await store.sessions.load("b")).toMatchObject({ id: "b", messages: [message("m")], state: { a: 1 } });
    };
  },
  "edit that changes the id": async (store) => {
    await store.sessions.append("s", [message("m")], { runId: "r", seq: 1 });
    return async () => {
      await store.sessions.edit("s", "m", message("n"));
      expect((await store.sessions.load("s")).messages).toEqual([message("n")]);
    };
  },
  import: async (store) => {
    await store.sessions.append("s", [message("m")], { runId: "r", seq: 1 });
    const text = await store.sessions.export("s");
    return async () => {
      expect(await store.sessions.import(text, { id: "i" })).toBe("i");
      expect((await store.sessions.load("i")).messages).toEqual([message("m")]);
    };
  },
  "a blob": async (store) => async () => {
    const hash = await store.putBlob(new Uint8Array([1]));
    expect(await store.getBlob(hash)).toEqual(new Uint8Array([1]));
  },
  deletion: async (store) => {
    await heldRun(store, "r");
    return async () => {
      await store.deleteRun("r");
      expect(await store.getRun("r")).toBeUndefined();
    };
  },
};

describe.each(drawn(Object.entries(writes), ([name]) => name, 3))("%s", (_name, prepare) => {
  test("after a connection breaks behind a commit, the commit is found and not repeated [feature:X097] [effects.at-least-once]", async () => {
    await using place = temporarySchema();
    await using link = await cuttingLink();
    await using store = postgresStore({ ...patient, url: link.url, schema: place.schema });
    await store.open();
    const write = await prepare(store);
    link.loseNextCommit();
    await write();
    expect(link.cuts).toBe(1);
  });

  test("the connection breaks at any of its messages: it continues over another one [feature:X097] [store.append]", async () => {
    await using place = temporarySchema();
    await using link = await cuttingLink();
    await using store = postgresStore({ ...patient, url: link.url, schema: place.schema });
    await store.open();
    for (let cut = 1; link.cuts === cut - 1 && cut <= 30; cut += 1) {
      await statement(
        `TRUNCATE ${["runs", "sessions", "ledger", "blobs"].map((table) => `"${place.schema}".${table}`).join()} CASCADE`,
      );
      const write = await prepare(store);
      link.cutAtMessage(cut);
      await write();
    }
    expect(link.cuts).toBeGreaterThanOrEqual(3);
  });
});

test("the connection breaks at any message while the tables are made: they are made over another one [feature:X097] [journal.versioned]", async () => {
  await using link = await cuttingLink();
  for (let cut = 1; link.cuts === cut - 1 && cut <= 30; cut += 1) {
    await using place = temporarySchema();
    await using store = postgresStore({ ...patient, url: link.url, schema: place.schema });
    link.cutAtMessage(cut);
    await store.open();
    expect(await store.create(record("r"))).toMatchObject({ created: true });
  }
  expect(link.cuts).toBeGreaterThan(5);
});

test("a server that is briefly unreachable is waited for [feature:X097]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  await using store = postgresStore({ ...patient, url: link.url, schema: place.schema });
  const lease = await heldRun(store, "r");
  link.breakDown();
  const appending = store.append(lease, [note("r", 1)]);
  const reading = store.getRun("r");
  await new Promise((resolve) => setTimeout(resolve, 300));
  link.mend();
  expect(await appending).toEqual(head);
  expect(await reading).toMatchObject({ id: "r" });
});

test("a server that stays unreachable gives an error with that reason, and the run is unchanged afterwards [feature:X097]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  await using store = postgresStore({ url: link.url, schema: place.schema, notifications: "poll", timeoutMs: 10_000 });
  const lease = await heldRun(store, "r");
  link.breakDown();
  const said = await Promise.allSettled([store.append(lease, [note("r", 1)]), store.getRun("r")]);
  const reason = {
    code: "STORE_UNREACHABLE",
    message: expect.stringContaining(`The store "${store.name}" cannot be reached.`) as string,
  };
  expect(said).toMatchObject([
    { status: "rejected", reason },
    { status: "rejected", reason },
  ]);
  link.mend();
  expect(await store.append(lease, [note("r", 1)])).toEqual(head);
});

test("a commit whose answer is lost, and that cannot be verified, is an error about an unknown outcome [feature:X097]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  await using store = postgresStore({ url: link.url, schema: place.schema, notifications: "poll", timeoutMs: 10_000 });
  await using direct = postgresStore({ url: testUrl, schema: place.schema, notifications: "poll" });
  const lease = await heldRun(store, "r");
  link.loseNextCommit();
  const appending = store.append(lease, [note("r", 1)]).catch((error: unknown) => error);
  while (link.cuts === 0) await new Promise((resolve) => setImmediate(resolve));
  link.breakDown();
  expect(await appending).toMatchObject({ code: "STORE_OUTCOME_UNKNOWN" });
  expect(await direct.load("r")).toEqual([note("r", 1)]);
  link.mend();
  // A caller that assumes that nothing was written is refused, because the head differs.
  await expect(store.append(lease, [note("r", 1)])).rejects.toMatchObject({ code: "FENCED" });
});

function never(): never {
  throw new Error("There is no lease.");
}

test("a server that is shut down while a store is closed ends no process [feature:X097]", async () => {
  await using place = temporarySchema();
  await using link = await cuttingLink();
  const store = postgresStore({ ...patient, url: link.url, schema: place.schema });
  await store.create(record("r"));
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on("uncaughtException", note);
  try {
    link.shutDownAtEnds();
    await store.close();
    await expect.poll(() => link.cuts).toBeGreaterThan(0);
    // Earlier messages of the server have arrived before this answer.
    await statement("SELECT 1");
  } finally {
    process.off("uncaughtException", note);
  }
  expect(uncaught).toEqual([]);
});
