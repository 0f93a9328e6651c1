import assert from "node:assert/strict";
import type { Message, Owner, SessionStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { acquired, claimedIds, createAndAcquire, records, rejectsWith, runRecord, storeCase } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const user = (id: string, content = id): Message => ({ id, role: "user", content });
const word = "marigold";

/** The texts of a session, as readers of a version get them. */
async function textsOf(sessions: SessionStore, id: string, options: Owner & { asOf?: number } = {}) {
  return (await sessions.load(id, options)).messages.map(({ content }) => content);
}

/** Versions of conversations, and their deletion with their runs. */
export function conversationCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "a version of a session has the same messages after later appends, edits, state and a new owner [memory.session-store.version]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        assert.equal((await sessions.load("s")).version, undefined, "an unknown session has no version");
        const history: { readonly version: number; readonly texts: readonly unknown[] }[] = [];
        const note = async (): Promise<void> => {
          const { version = 0, messages } = await sessions.load("s");
          history.push({ version, texts: messages.map(({ content }) => content) });
        };
        await sessions.append("s", [user("u1"), user("u2")], { runId: "r1", seq: 1 });
        await note();
        await sessions.edit("s", "u1", user("u1", "edited"));
        await note();
        await sessions.append("s", [user("u3")], { runId: "r2", seq: 1 });
        await sessions.append("s", [user("u3")], { runId: "r2", seq: 1 });
        await note();
        await sessions.edit("s", "u1", user("u1b", "edited again"));
        await sessions.writeState("s", [{ key: "k", value: 1, expected: undefined }], { runId: "r1" });
        await note();
        // A turn that was asked earlier and ends later is read at its place, and no former version has it.
        const askedAt = 5;
        await sessions.append("s", [{ ...user("late"), askedAt: 3 }], { runId: "r4", seq: 1, askedAt });
        await sessions.append("s", [{ ...user("early"), askedAt: 2 }], { runId: "r3", seq: 1, askedAt });
        assert.deepEqual(
          history.map(({ texts }) => texts),
          [
            ["u1", "u2"],
            ["edited", "u2"],
            ["edited", "u2", "u3"],
            ["edited again", "u2", "u3"],
          ],
        );
        assert.equal(new Set(history.map(({ version }) => version)).size, 4, "each change of messages is a version");
        for (const { version, texts } of history)
          assert.deepEqual(await textsOf(sessions, "s", { asOf: version }), texts);
        assert.deepEqual(await textsOf(sessions, "s", { asOf: 0 }), []);
        await sessions.claim("s", { userId: "ada" });
        for (const { version, texts } of history)
          assert.deepEqual(await textsOf(sessions, "s", { userId: "ada", asOf: version }), texts);
        const branch = await sessions.branch("s", { userId: "ada", uptoMessageId: "u2" });
        const copy = await sessions.load(branch, { userId: "ada" });
        await sessions.append(branch, [user("u4")], { userId: "ada", runId: "r5", seq: 1 });
        assert.deepEqual(
          await textsOf(sessions, branch, { userId: "ada", asOf: copy.version ?? 0 }),
          copy.messages.map(({ content }) => content),
        );
      },
    ),
    storeCase(
      setup,
      "a deleted conversation takes its runs with it, ends those that wait, and leaves no word in any list, search, record, blob or row of the ledger [memory.session-store.delete]",
      async (store) => {
        const { sessions, ledger } = store;
        if (sessions === undefined) return;
        const owner = { tenantId: "t1", userId: "ada" };
        const file = await store.putBlob(new TextEncoder().encode(word));
        const lease = await createAndAcquire(store, "waits", { ...owner, sessionId: "s", input: word });
        await store.append(lease, records("waits", 0, 1, `${word} ${file}`));
        const key = { kind: "idempotency", scope: "tenant:t1", toolName: "buy", key: "k" } as const;
        const row = { ...key, runId: "waits", callKey: "c", inputHash: "h", expiresAt: Number.MAX_SAFE_INTEGER };
        await ledger?.put({ ...row, state: "done", outcome: { ok: true, value: word } });
        await store.create(
          runRecord("inside", { ...owner, parent: { runId: "waits", toolCallId: "c1" }, sessionId: "x", input: word }),
        );
        const joined = { ...owner, sessionId: "s", messages: [user("u1", word)], state: { said: word } };
        await store.release(
          { ...lease, head: { seq: 1, hash: "" } },
          { state: "suspended", waitingOn: ["q"] },
          { ...joined, runId: "waits", seq: 1 },
        );
        const done = await createAndAcquire(store, "done", { ...owner, sessionId: "s", input: word });
        await store.release(done, { state: "completed" });
        const driven = await createAndAcquire(store, "driven", { ...owner, sessionId: "s", input: word });
        await store.create(runRecord("queued", { ...owner, sessionId: "s", input: word }));
        await store.create(runRecord("beside", { ...owner, sessionId: "other" }));
        await store.create(runRecord("of-another", { tenantId: "t1", userId: "bob", sessionId: "s" }));

        assert.deepEqual(await sessions.delete("s", owner), { runs: 4, open: 3 });
        for (const runId of ["waits", "inside", "done", "driven", "queued"]) {
          assert.equal(await store.getRun(runId), undefined, runId);
          await rejectsWith(store.load(runId), "CONVERSATION_DELETED", `the records of ${runId}`);
          await rejectsWith(store.acquire(runId, "o", 1_000), "CONVERSATION_DELETED", `the lease of ${runId}`);
          const late = { name: "steer", id: "s1", payload: { id: "u2", role: "user", content: word } };
          await rejectsWith(store.signal(runId, late), "CONVERSATION_DELETED", `a signal to ${runId}`);
        }
        await rejectsWith(store.load("never"), "RUN_NOT_FOUND", "a run that never was");
        // A process that drove a run can write nothing any more, not even to the session.
        await rejectsWith(
          store.release(driven, { state: "completed" }, { ...joined, runId: "driven", seq: 1 }),
          "FENCED",
          "the end of a driven run",
        );
        assert.deepEqual(await sessions.load("s", owner), { id: "s", messages: [], state: {} });
        assert.deepEqual(await sessions.search(word, owner), []);
        assert.deepEqual((await store.searchRuns({ allTenants: true, text: word })).runs, []);
        await assert.rejects(store.getBlob(file), "a blob that a deleted run named");
        assert.equal(await ledger?.get(key), undefined, "a result under a key");
        const left = (await store.listRuns({ allTenants: true })).map(({ id }) => id).toSorted();
        assert.deepEqual(left, ["beside", "of-another"]);
        assert.deepEqual((await claimedIds(store)).toSorted(), ["beside", "of-another"]);
        assert.deepEqual(await sessions.delete("s", owner), { runs: 0, open: 0 }, "a second deletion");
      },
    ),
    storeCase(
      setup,
      "a deleted shared conversation takes the runs of the users who read it, and leaves those of users who have a session of this id [memory.session-store.delete]",
      async (store) => {
        const { sessions } = store;
        if (sessions === undefined) return;
        const [ada, bob, eve] = ["ada", "bob", "eve"].map((userId) => ({ tenantId: "t1", userId })) as [
          Owner,
          Owner,
          Owner,
        ];
        await sessions.append("s", [user("u1", word)], { ...ada, runId: "r0", seq: 1 });
        await sessions.share("s", ada);
        await sessions.append("s", [user("u2")], { ...bob, runId: "r1", seq: 1 });
        await sessions.import(await sessions.export("s", ada), { ...eve, id: "s" });
        for (const [id, of] of [
          ["of-ada", ada],
          ["of-bob", bob],
          ["of-eve", eve],
          ["of-nobody", { tenantId: "t1" }],
          ["elsewhere", { tenantId: "t2", userId: "ada" }],
        ] as const)
          await store.create(runRecord(id, { ...of, sessionId: "s" }));
        assert.deepEqual(await sessions.delete("s", bob), { runs: 3, open: 3 });
        const left = (await store.listRuns({ allTenants: true })).map(({ id }) => id).toSorted();
        assert.deepEqual(left, ["elsewhere", "of-eve"]);
        assert.deepEqual(await textsOf(sessions, "s", eve), [word, "u2"]);
        await acquired(store, "of-eve");
      },
    ),
  ];
}
