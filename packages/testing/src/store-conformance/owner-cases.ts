import assert from "node:assert/strict";
import type { Message, Owner, RunStore, SessionStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { createAndAcquire, rejectsWith, runRecord, storeCase, unversioned } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const user = (id: string, content = id): Message => ({ id, role: "user", content });
const ada = { tenantId: "t1", userId: "ada" };
const bob = { tenantId: "t1", userId: "bob" };

/** Every call that an owner can make about a session; those that change it come last. */
const sessionCalls: readonly ((sessions: SessionStore, id: string, owner: Owner) => Promise<unknown>)[] = [
  async (sessions, id, owner) => ({ ...(await sessions.load(id, owner)), id: "" }),
  (sessions, id, owner) => sessions.loadState(id, owner),
  (sessions, _id, owner) => sessions.list(owner),
  (sessions, _id, owner) => sessions.search("secret", owner),
  (sessions, id, owner) => sessions.export(id, owner),
  (sessions, id, owner) => sessions.branch(id, { ...owner, newId: "copy" }),
  (sessions, id, owner) => sessions.edit(id, "u1", user("u1", "changed"), owner),
  (sessions, id, owner) => sessions.share(id, owner),
  (sessions, id, owner) => sessions.claim(id, { tenantId: owner.tenantId, userId: "eve" }),
  (sessions, id, owner) => sessions.delete(id, owner),
];

async function outcome(call: Promise<unknown>, id: string): Promise<unknown> {
  try {
    return { value: await call };
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    return { code, message: message.replaceAll(id, "<id>") };
  }
}

/** Owners of sessions and runs: tenant and user. */
export function ownerCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "each function answers about a session of another user or tenant as about one that does not exist [owner.other]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const text = [user("u1", "secret")];
        await sessions.append("session-1", text, { ...ada, runId: "r1", seq: 1, state: { k: "secret" } });
        for (const owner of [bob, { tenantId: "t1" }, { userId: "ada" }, { tenantId: "t2", userId: "ada" }, {}]) {
          for (const [index, call] of sessionCalls.entries()) {
            const real = await outcome(call(sessions, "session-1", owner), "session-1");
            const unknown = await outcome(call(sessions, "unknown-1", owner), "unknown-1");
            assert.deepEqual(real, unknown, `call ${index} as ${JSON.stringify(owner)}`);
          }
        }
        const kept = { id: "session-1", messages: text, state: { k: "secret" } };
        assert.deepEqual(unversioned(await sessions.load("session-1", ada)), kept);
      },
    ),
    storeCase(
      setup,
      "the same session id under two users is two sessions, with their own messages and state [owner.session-identity]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const owners: readonly Owner[] = [ada, bob, { tenantId: "t1" }, { tenantId: "t1", userId: "null" }];
        for (const owner of owners) {
          const name = JSON.stringify(owner.userId ?? null);
          await sessions.append("s", [user(name)], { ...owner, runId: "r1", seq: 1, state: { name } });
        }
        for (const owner of owners) {
          const name = JSON.stringify(owner.userId ?? null);
          assert.deepEqual(unversioned(await sessions.load("s", owner)), {
            id: "s",
            messages: [user(name)],
            state: { name },
          });
          assert.equal((await sessions.list(owner)).length, 1);
        }
        await sessions.delete("s", bob);
        assert.equal((await sessions.load("s", ada)).messages.length, 1);
      },
    ),
    storeCase(
      setup,
      "a shared session is continued by every user of its tenant, after a user's own of that id [owner.session-shared]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s", [user("u1", "hello")], { ...ada, runId: "r1", seq: 1 });
        await sessions.share("s", ada);
        await sessions.append("s", [user("u2", "hello")], { ...bob, runId: "r2", seq: 1, state: { k: 1 } });
        for (const owner of [ada, bob, { tenantId: "t1" }]) {
          assert.deepEqual(
            (await sessions.load("s", owner)).messages.map(({ id }) => id),
            ["u1", "u2"],
          );
          assert.deepEqual(await sessions.loadState("s", owner), { k: 1 });
          assert.deepEqual(
            (await sessions.list(owner)).map(({ id }) => id),
            ["s"],
          );
          assert.equal((await sessions.search("hello", owner)).length, 2);
        }
        assert.deepEqual((await sessions.load("s", { tenantId: "t2", userId: "ada" })).messages, []);
        await sessions.import(await sessions.export("s", bob), { ...bob, id: "s" });
        await sessions.edit("s", "u1", user("u1", "changed"), bob);
        assert.equal((await sessions.list(bob)).length, 1, "the shared one is behind the own one");
        assert.deepEqual((await sessions.load("s", ada)).messages[0], user("u1", "hello"));
        await rejectsWith(sessions.share("s", bob), "SESSION_EXISTS", "the tenant has a shared session of this id");
        await rejectsWith(sessions.share("s", ada), "SESSION_NOT_FOUND", "ada has none");
      },
    ),
    storeCase(
      setup,
      "claim() hands a session without a user to a user, with its runs and the runs inside their calls [owner.claim]",
      async (store) => {
        const { sessions } = store;
        if (sessions === undefined) return;
        const nobody = { tenantId: "t1" };
        await store.create(runRecord("outer", { ...nobody, sessionId: "s", idempotencyKey: "k" }));
        const parent = { runId: "outer", toolCallId: "c1" };
        await store.create(runRecord("inner", { ...nobody, sessionId: "inside", parent }));
        await store.create(runRecord("other", { ...nobody, sessionId: "other" }));
        await store.create(runRecord("theirs", { ...bob, sessionId: "s" }));
        await sessions.append("s", [user("u1")], { ...nobody, runId: "outer", seq: 1 });
        await sessions.claim("s", ada);
        assert.deepEqual((await sessions.load("s", ada)).messages, [user("u1")]);
        assert.deepEqual((await sessions.load("s", nobody)).messages, []);
        const ids = async (owner: Owner) => (await store.listRuns(owner)).map(({ id }) => id).toSorted();
        assert.deepEqual(await ids(ada), ["inner", "outer"]);
        assert.deepEqual(await ids(nobody), ["other"]);
        assert.deepEqual(await ids(bob), ["theirs"]);
        await rejectsWith(sessions.claim("s", bob), "SESSION_NOT_FOUND", "it has a user");
        await rejectsWith(sessions.claim("none", ada), "SESSION_NOT_FOUND", "there is none");
        await sessions.append("s", [user("u2")], { ...nobody, runId: "late", seq: 1 });
        await rejectsWith(sessions.claim("s", ada), "SESSION_EXISTS", "ada has one of this id");
        // The key was deleted with the run.
        const again = await store.create(runRecord("again", { ...ada, sessionId: "s", idempotencyKey: "k" }));
        assert.deepEqual([again.created, again.run.id], [false, "outer"]);
        assert.equal((await store.create(runRecord("new", { ...nobody, idempotencyKey: "k" }))).created, true);
        await store.create(runRecord("second", { ...nobody, sessionId: "s2", idempotencyKey: "k2" }));
        await store.create(runRecord("hers", { ...ada, idempotencyKey: "k2" }));
        await sessions.claim("s2", ada);
        assert.equal((await store.getRun("second"))?.userId, "ada", "runs without a kept session are claimed too");
        assert.equal((await store.create(runRecord("x", { ...ada, idempotencyKey: "k2" }))).run.id, "hers");
      },
    ),
    storeCase(
      setup,
      "a run that is driven while its session is claimed joins the session of its new owner [owner.claim]",
      async (store) => {
        const { sessions } = store;
        if (sessions === undefined) return;
        const lease = await createAndAcquire(store, "r1");
        const { tenantId } = (await store.getRun("r1")) ?? {};
        const sessionId = (await store.getRun("r1"))?.sessionId ?? "";
        await sessions.append(sessionId, [user("u1")], { tenantId, runId: "r0", seq: 1 });
        await sessions.claim(sessionId, { tenantId, userId: "ada" });
        const joined = { sessionId, tenantId, messages: [user("u2")], state: {}, runId: "r1", seq: 1 };
        await store.release(lease, { state: "completed" }, joined);
        assert.deepEqual(
          (await sessions.load(sessionId, { tenantId, userId: "ada" })).messages.map(({ id }) => id),
          ["u1", "u2"],
        );
      },
    ),
    storeCase(
      setup,
      "the same idempotency key of two users is two runs [owner.idempotency-key]",
      async (store: RunStore) => {
        const idempotencyKey = "key";
        const made = async (id: string, owner: Owner) => {
          const { run, created } = await store.create(runRecord(id, { ...owner, idempotencyKey }));
          return [run.id, created];
        };
        assert.deepEqual(await made("r1", ada), ["r1", true]);
        assert.deepEqual(await made("r2", bob), ["r2", true]);
        assert.deepEqual(await made("r3", { tenantId: "t1" }), ["r3", true]);
        assert.deepEqual(await made("r4", { tenantId: "t1", userId: "" }), ["r4", true]);
        assert.deepEqual(await made("r5", ada), ["r1", false]);
        assert.deepEqual(await made("r6", { tenantId: "t1" }), ["r3", false]);
      },
    ),
    storeCase(
      setup,
      "writeState() compares and sets: all keys or none, and a repeated write gets the first one's values [store.session-state]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const run = { ...ada, runId: "r1" };
        const write = (key: string, value: unknown, expected: unknown) => ({ key, value, expected });
        assert.deepEqual(await sessions.writeState("s", [write("a", { n: 1, m: [2] }, undefined)], run), {
          written: true,
        });
        assert.deepEqual(await sessions.writeState("s", [write("b", 1, undefined), write("a", 2, 3)], run), {
          written: false,
          newer: { a: { n: 1, m: [2] } },
        });
        assert.deepEqual(await sessions.loadState("s", ada), { a: { n: 1, m: [2] } });
        const both = [write("b", 1, undefined), write("a", 2, { m: [2], n: 1 })];
        assert.deepEqual(await sessions.writeState("s", both, { ...run, once: "w1" }), { written: true });
        const again = [write("b", 7, 1)];
        assert.deepEqual(await sessions.writeState("s", again, { ...run, once: "w1" }), {
          written: true,
          repeated: { a: 2, b: 1 },
        });
        assert.deepEqual(await sessions.loadState("s", ada), { a: 2, b: 1 });
        assert.deepEqual(await sessions.writeState("s", again, { ...run, runId: "r2", once: "w1" }), { written: true });
        assert.deepEqual(await sessions.writeState("s", [write("$bytes", "x", undefined)], run), { written: true });
        assert.deepEqual(await sessions.loadState("s", ada), { a: 2, b: 7, $bytes: "x" });
        assert.deepEqual(await sessions.loadState("s", bob), {});
      },
    ),
    storeCase(
      setup,
      "of concurrent writes to one key, each that is refused sees the value that it lost to [store.session-state]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const add = async (index: number): Promise<void> => {
          for (let tries = 0; tries < 1_000; tries += 1) {
            const { list = [] } = (await sessions.loadState("s", ada)) as { list?: readonly number[] };
            const expected = list.length === 0 ? undefined : list;
            const change = { key: "list", value: [...list, index], expected };
            if ((await sessions.writeState("s", [change], { ...ada, runId: `r${index}` })).written) return;
          }
          throw new Error(`write ${index} never came through`);
        };
        await Promise.all(Array.from({ length: 8 }, (_value, index) => add(index)));
        const { list } = (await sessions.loadState("s", ada)) as { list: number[] };
        assert.deepEqual(
          list.toSorted((one, other) => one - other),
          [0, 1, 2, 3, 4, 5, 6, 7],
        );
      },
    ),
  ];
}
