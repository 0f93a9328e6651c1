import {
  memoryLedger,
  memoryStore,
  type JournalEvent,
  type LedgerKey,
  type LedgerRow,
  type Release,
} from "@bailiwick/core";
import { systemClock } from "@bailiwick/core/extension";
import { expect, test } from "vitest";

const record = (id: string) => ({
  id,
  agentId: "agent",
  definitionHash: "h",
  sessionId: id,
  input: "go",
  idempotencyKey: `key ${id}`,
});
const holder = { owner: "here", ttlMs: 1_000 };

test("the store keeps the last ended runs; suspended and active runs do not count [run.no-store.bounded]", async () => {
  const store = memoryStore({ keepEnded: 2 });
  const end = async (id: string, next: Release): Promise<void> => {
    const { lease } = await store.create(record(id), holder);
    if (lease !== undefined) await store.release(lease, next);
  };
  await end("waits", { state: "suspended", waitingOn: ["x"] });
  await end("a", { state: "completed" });
  await end("b", { state: "failed" });
  const again = await store.acquire("a", "here", 1_000);
  await end("c", { state: "completed" });
  await end("d", { state: "completed" });
  const ids = async () => (await store.listRuns({})).map(({ id }) => id).toSorted();
  expect(await ids()).toEqual(["a", "c", "d", "waits"]);
  if (again !== null) await store.release(again, { state: "completed" });
  expect(await ids()).toEqual(["a", "d", "waits"]);
  // A deleted run is deleted with its idempotency key.
  expect((await store.create(record("b"))).created).toBe(true);
  expect((await store.create({ ...record("new"), idempotencyKey: "key a" })).created).toBe(false);
});

test("a search and a count leave out the runs that the store forgot, in any order of ends and resumes [run.no-store.bounded] [store.search]", async () => {
  const store = memoryStore({ keepEnded: 3 });
  const expected: string[] = [];
  const end = async (id: string): Promise<void> => {
    const lease = (await store.create(record(id), holder)).lease ?? (await store.acquire(id, "here", 1_000));
    if (lease === null) throw new Error("The run is held.");
    await store.release(lease, { state: "completed" });
    const at = expected.indexOf(id);
    if (at >= 0) expected.splice(at, 1);
    expected.push(id);
    expected.splice(0, expected.length - 3);
  };
  for (let index = 0; index < 40; index += 1) {
    await end(`r${index}`);
    // The oldest of the kept runs is resumed, so that it ends last.
    if (index % 5 === 4) await end(expected[0] ?? "");
    if (index % 7 === 6) await store.deleteRun(expected.shift() ?? "");
    const found = await store.searchRuns({ text: "go" });
    expect(found.runs.map(({ run }) => run.id).toSorted()).toEqual(expected.toSorted());
    expect(await store.countRuns({})).toEqual({ completed: expected.length });
  }
});

test("a run limit that is not a number is refused [run.no-store.bounded]", () => {
  for (const keepEnded of [-1, 1.5, Number.NaN]) expect(() => memoryStore({ keepEnded })).toThrow(/keepEnded/);
  expect(memoryStore({ keepEnded: 0 }).name).toBe("memory");
});

test("an in-memory ledger drops expired rows, also those that are never read again", async () => {
  let now = 0;
  let read = 0;
  const ledger = memoryLedger({ clock: { now: () => now, setTimer: () => () => undefined } });
  const row = (key: string): LedgerRow =>
    ({
      kind: "key",
      scope: "s",
      toolName: "t",
      key,
      state: "reserved",
      runId: "r",
      callKey: "c",
      get expiresAt() {
        read += 1;
        return 10;
      },
    }) as unknown as LedgerRow;
  for (let index = 0; index < 1_000; index += 1) await ledger.put(row(`old ${index}`));
  now = 20;
  const late = { ...row("late"), expiresAt: 100 };
  for (let index = 0; index < 2_000; index += 1) await ledger.put({ ...late, key: `new ${index}` });
  const swept = read;
  expect(swept).toBeGreaterThanOrEqual(1_000);
  // Removed rows are not visited again when the ledger grows.
  for (let index = 0; index < 8_000; index += 1) await ledger.put({ ...late, key: `newer ${index}` });
  expect(read).toBe(swept);
  expect((await ledger.get({ kind: "key", scope: "s", toolName: "t", key: "new 7" } as never))?.key).toBe("new 7");
});

test("inner runs are kept as long as the outer run, and do not count as ended runs [run.no-store.bounded]", async () => {
  const store = memoryStore({ keepEnded: 1 });
  const end = async (id: string, outer?: string): Promise<void> => {
    const parent = outer === undefined ? undefined : { runId: outer, toolCallId: "c" };
    const record = { id, agentId: "a", definitionHash: "", sessionId: "s", input: "", parent };
    const { lease } = await store.create(record, holder);
    if (lease === undefined) throw new Error("The run was not given to its creator.");
    await store.release(lease, { state: "completed" });
  };
  const left = async (): Promise<string[]> => (await store.listRuns({})).map(({ id }) => id).toSorted();
  const record = { id: "outer", agentId: "a", definitionHash: "", sessionId: "s", input: "" };
  const { lease } = await store.create(record, holder);
  for (const id of ["i1", "i2", "i3"]) await end(id, "outer");
  await end("other");
  expect(await left()).toEqual(["i1", "i2", "i3", "other", "outer"]);
  if (lease !== undefined) await store.release(lease, { state: "completed" });
  expect(await left()).toEqual(["i1", "i2", "i3", "outer"]);
  await end("last");
  expect(await left()).toEqual(["last"]);
});

test("a blob without a record is removed after its time, if a run with the same bytes was deleted [store.queries]", async () => {
  let now = 1;
  const store = memoryStore({ clock: { ...systemClock, now: () => now } });
  const bytes = new Uint8Array([1]);
  const { lease } = await store.create(record("r"), holder);
  if (lease === undefined) throw new Error("The lease is not free.");
  const hash = await store.putBlob(bytes);
  const alone = await store.putBlob(new Uint8Array([2]));
  await store.append(lease, [
    { type: "note", key: "n", seq: 1, at: 1, text: `read ${hash}` } as unknown as JournalEvent,
  ]);
  await store.putBlob(bytes);
  await store.deleteRun("r");
  expect(await store.getBlob(hash)).toEqual(bytes);
  now += 600_000;
  await store.putBlob(new Uint8Array([3]));
  await expect(store.getBlob(hash)).rejects.toMatchObject({ code: "BLOB_NOT_FOUND" });
  expect(await store.getBlob(alone)).toEqual(new Uint8Array([2]));
});

test("what belongs to an ended run is dropped with it, over 50,000 runs [run.no-store.bounded]", async () => {
  const store = memoryStore({ keepEnded: 5 });
  const keys: LedgerKey[] = [];
  const end = async (id: string, sessionId: string, more: object = {}): Promise<void> => {
    const { lease } = await store.create({ ...record(id), sessionId, inSession: true, userId: "ana", ...more }, holder);
    if (lease === undefined) throw new Error("The run was not given to its creator.");
    const key = { kind: "idempotency", scope: "s", toolName: "t", key: id } as const;
    keys.push(key);
    const row = { ...key, state: "reserved", runId: id, callKey: "c", expiresAt: Number.MAX_SAFE_INTEGER };
    await store.ledger.reserve(row as unknown as LedgerRow);
    const message = { id: `m-${id}`, role: "user", content: "Go.", timestamp: 1 } as const;
    await store.release(
      lease,
      { state: "completed" },
      { sessionId, messages: [message], state: {}, runId: id, seq: 0 },
    );
  };
  // A conversation that continues is kept with all its turns, as are shared sessions and those of another user.
  await end("shared", "shared");
  await store.sessions.share?.("shared", { userId: "ana" });
  for (let n = 0; n < 50_000; n += 1) await end(`r${n}`, n % 3 === 0 ? "chat" : `s${n}`);
  const left = await store.sessions.list({ userId: "ana", limit: 1_000 });
  expect(left.map(({ id }) => id).toSorted()).toEqual(["chat", "s49996", "s49997", "s49999", "shared"]);
  expect((await store.sessions.load("chat", { userId: "ana" })).messages).toHaveLength(16_667);
  const kept = await Promise.all(keys.map((key) => store.ledger.get(key)));
  expect(kept.filter((row) => row !== undefined)).toHaveLength(5);
});
