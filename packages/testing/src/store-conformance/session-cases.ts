import assert from "node:assert/strict";
import type { Message } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { createAndAcquire, records, rejectsWith, runRecord, storeCase, unversioned } from "./store-case.ts";
import type { StoreSetup } from "./store-case.ts";

const user = (id: string, content = id): Message => ({ id, role: "user", content });
const answer = (id: string, text = id): Message => ({
  id,
  role: "assistant",
  content: [{ type: "text", text }],
  toolCalls: [],
  finishReason: "stop",
  provenance: { provider: "p", api: "a", model: "m" },
});

/** The sessions of a store that keeps them. */
export function sessionCases(setup: StoreSetup): readonly ConformanceCase[] {
  return [
    storeCase(
      setup,
      "a run's messages are added once, in order, the next run's after them, and its state replaces the keys it sets [memory.session-store.append] [memory.session-store.state]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        assert.deepEqual(await sessions.load("s"), { id: "s", messages: [], state: {} });
        const first = [user("u1"), answer("a1")];
        for (let time = 0; time < 2; time += 1)
          await sessions.append("s", first, { runId: "r1", seq: 9, state: { a: 1, b: 1 } });
        await sessions.append("s", [user("u2"), answer("a2")], { runId: "r2", seq: 5, state: { b: 2 } });
        const session = await sessions.load("s");
        assert.deepEqual(
          session.messages.map(({ id }) => id),
          ["u1", "a1", "u2", "a2"],
        );
        assert.deepEqual(session.messages[1], first[1]);
        assert.deepEqual(session.state, { a: 1, b: 2 });
      },
    ),
    storeCase(
      setup,
      "the same session id under two tenants is two sessions [field-bug:PB-session-16]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s", [user("u1")], { runId: "r1", seq: 1, tenantId: "t1", state: { who: "t1" } });
        await sessions.append("s", [user("u2")], { runId: "r1", seq: 1, tenantId: "t2" });
        assert.deepEqual((await sessions.load("s", { tenantId: "t1" })).messages, [user("u1")]);
        assert.deepEqual((await sessions.load("s", { tenantId: "t2" })).messages, [user("u2")]);
        assert.deepEqual((await sessions.load("s")).messages, []);
        assert.deepEqual((await sessions.load("s", { tenantId: "t2" })).state, {});
        assert.deepEqual(await sessions.search("u1", { tenantId: "t2" }), []);
      },
    ),
    storeCase(
      setup,
      "listing without a tenant shows sessions without a tenant only [field-bug:PB-session-15]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s1", [user("u")], { runId: "r1", seq: 1, tenantId: "t1" });
        await sessions.append("s2", [user("u")], { runId: "r2", seq: 1 });
        await sessions.append("s3", [user("u")], { runId: "r3", seq: 1 });
        assert.deepEqual(
          (await sessions.list()).map(({ id }) => id),
          ["s3", "s2"],
        );
        assert.deepEqual(
          (await sessions.list({ limit: 1 })).map(({ id }) => id),
          ["s3"],
        );
        assert.deepEqual(
          (await sessions.list({ tenantId: "t1" })).map(({ id }) => id),
          ["s1"],
        );
      },
    ),
    storeCase(
      setup,
      "a message id of another session, or of another tenant's, is not found [field-bug:PB-session-14]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const scope = { tenantId: "t1" };
        await sessions.append("mine", [user("u1")], { runId: "r1", seq: 1, ...scope });
        await sessions.append("theirs", [user("u2", "secret")], { runId: "r2", seq: 1, ...scope });
        await sessions.append("mine", [user("u3", "secret")], { runId: "r3", seq: 1, tenantId: "t2" });
        for (const id of ["u2", "u3"]) {
          await rejectsWith(
            sessions.branch("mine", { ...scope, uptoMessageId: id }),
            "SESSION_NOT_FOUND",
            `branch at ${id}`,
          );
          await rejectsWith(
            sessions.edit("mine", id, user(id, "changed"), scope),
            "SESSION_NOT_FOUND",
            `edit of ${id}`,
          );
        }
        assert.deepEqual((await sessions.load("theirs", scope)).messages, [user("u2", "secret")]);
        assert.deepEqual((await sessions.load("mine", { tenantId: "t2" })).messages, [user("u3", "secret")]);
        assert.deepEqual(
          (await sessions.list(scope)).map(({ id }) => id),
          ["theirs", "mine"],
          "no branch was made",
        );
      },
    ),
    storeCase(
      setup,
      "a session that is asked for under another tenant is an error that names the tenant, and none is made [field-bug:PB-session-18]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s", [user("u1")], { runId: "r1", seq: 1, tenantId: "t1" });
        for (const [scope, named] of [
          [{ tenantId: "t2" }, 'tenant "t2"'],
          [{}, "without a tenant"],
        ] as const) {
          for (const ask of [
            () => sessions.export("s", scope),
            () => sessions.branch("s", scope),
            () => sessions.edit("s", "u1", user("u1", "x"), scope),
          ]) {
            await assert.rejects(
              ask,
              (error: Error) =>
                error.name === "SessionNotFoundError" &&
                error.message.includes(named) &&
                error.message.includes("tenant"),
            );
          }
          await sessions.load("s", scope);
          assert.deepEqual(await sessions.list(scope), []);
        }
        assert.deepEqual((await sessions.load("s", { tenantId: "t1" })).messages, [user("u1")]);
      },
    ),
    storeCase(
      setup,
      "a release writes the session with it, once, and not when it is fenced [seams.store.session-in-transaction]",
      async (store) => {
        const { sessions } = store;
        if (sessions === undefined) return;
        const lease = await createAndAcquire(store);
        const session = { sessionId: "s", messages: [user("u1")], state: { k: "v" }, runId: "r1", seq: 1 };
        await rejectsWith(store.release({ ...lease, epoch: 9 }, { state: "completed" }, session), "FENCED", "stale");
        assert.deepEqual((await sessions.load("s")).messages, []);
        await Promise.all([
          store.append(lease, records("r1", 0, 1)),
          store.release({ ...lease, head: { seq: 1, hash: "" } }, { state: "completed" }, session),
        ]);
        assert.deepEqual((await sessions.load("s")).messages, [user("u1")]);
        const { sessionId, messages, ...run } = session;
        await sessions.append(sessionId, messages, run);
        assert.deepEqual(unversioned(await sessions.load("s")), { id: "s", messages: [user("u1")], state: { k: "v" } });
      },
    ),
    storeCase(
      setup,
      "loads the latest messages that fit, from a user message on, and those before a position [memory.session-store]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const messages = [
          user("u1", "x".repeat(400)),
          answer("a1"),
          user("u2"),
          answer("a2"),
          user("u3"),
          answer("a3"),
        ];
        await sessions.append("s", messages, { runId: "r", seq: 1 });
        const ids = async (options: Parameters<typeof sessions.load>[1]) =>
          (await sessions.load("s", options)).messages.map(({ id }) => id);
        assert.deepEqual(await ids({ before: 4 }), ["u1", "a1", "u2", "a2"]);
        const tokens = (from: number) =>
          messages.slice(from).reduce((sum, message) => sum + Math.ceil(JSON.stringify(message).length / 4), 0);
        assert.deepEqual(
          await ids({ limitTokens: tokens(3) }),
          ["u3", "a3"],
          "an answer is not stored without its question",
        );
        assert.deepEqual(await ids({ limitTokens: tokens(0) }), ["u1", "a1", "u2", "a2", "u3", "a3"]);
        assert.deepEqual(await ids({ limitTokens: 0 }), []);
      },
    ),
    storeCase(
      setup,
      "a branch is a copy up to a message; editing one leaves the other [memory.session-store.branch]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s", [user("u1"), answer("a1"), user("u2")], { runId: "r", seq: 1, state: { k: 1 } });
        const id = await sessions.branch("s", { uptoMessageId: "a1" });
        assert.equal(await sessions.branch("s", { newId: "named" }), "named");
        await sessions.edit(id, "u1", user("u1", "edited"));
        assert.deepEqual(unversioned(await sessions.load(id)), {
          id,
          messages: [user("u1", "edited"), answer("a1")],
          state: { k: 1 },
        });
        assert.deepEqual((await sessions.load("s")).messages, [user("u1"), answer("a1"), user("u2")]);
        assert.equal((await sessions.load("named")).messages.length, 3);
        await rejectsWith(sessions.branch("nobody"), "SESSION_NOT_FOUND", "branch of an unknown session");
        await rejectsWith(sessions.edit("s", "u9", user("u9")), "SESSION_NOT_FOUND", "edit of an unknown message");
        await rejectsWith(sessions.branch("s", { newId: "named" }), "SESSION_EXISTS", "a taken id");
        assert.deepEqual(
          (await sessions.search("EDITED")).map((hit) => hit.id),
          [id],
        );
      },
    ),
    storeCase(setup, "a search for a value that is not text is refused, with the right form", async ({ sessions }) => {
      if (sessions === undefined) return;
      await sessions.append("s", [user("u1", "tulips")], { runId: "r1", seq: 1 });
      for (const wrong of [{ text: "tulips" }, undefined, null, 7])
        await rejectsWith(sessions.search(wrong as unknown as string), "INVALID_INPUT", `a search for ${typeof wrong}`);
    }),
    storeCase(
      setup,
      "a deleted session is gone, also for searches and repeated appends of new runs [memory.session-store.delete]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        await sessions.append("s", [user("u1", "the password is Tulip ÄÖ")], { runId: "r", seq: 1 });
        assert.equal((await sessions.search("tulip äö")).length, 1);
        assert.equal((await sessions.search("tulip missing")).length, 0);
        await sessions.delete("s");
        assert.deepEqual(await sessions.load("s"), { id: "s", messages: [], state: {} });
        assert.deepEqual(await sessions.search("tulip"), []);
        assert.deepEqual(await sessions.list(), []);
      },
    ),
    storeCase(
      setup,
      "a conversation whose session and runs are deleted leaves no word in any list, search, record or file, also of runs inside calls [memory.session-store.delete]",
      async (store) => {
        const { sessions } = store;
        if (sessions === undefined) return;
        const [owner, word] = [{ tenantId: "t1", userId: "ada" }, "marigold"];
        const inside = { ...owner, parent: { runId: "r1", toolCallId: "c1" } };
        const lease = await createAndAcquire(store, "r1", { ...owner, sessionId: "s", input: `Buy ${word}` });
        const file = await store.putBlob(new TextEncoder().encode(word));
        await store.append(lease, records("r1", 0, 1, `${word} ${file}`));
        await store.create(runRecord("r2", { ...inside, sessionId: "of-r2", input: word }));
        await store.create(runRecord("r3", { ...inside, parent: { runId: "r2", toolCallId: "c1" }, input: word }));
        await store.signal("r1", { name: "steer", id: "s1", payload: { id: "u2", role: "user", content: word } });
        const joined = { sessionId: "s", messages: [user("u1", word)], state: { said: word }, runId: "r1", seq: 1 };
        await store.release({ ...lease, head: { seq: 1, hash: "" } }, { state: "failed" }, { ...joined, ...owner });
        const write = { key: "also", value: word, expected: undefined };
        await sessions.writeState("s", [write], { ...owner, runId: "r1", once: "1" });
        assert.equal((await sessions.search(word, owner)).length, 1);

        await store.deleteRun("r1");
        await sessions.delete("s", owner);
        const everything = { allTenants: true, text: word };
        assert.deepEqual((await store.searchRuns(everything)).runs, []);
        for (const [where, text] of [
          ["search", await sessions.search(word, owner)],
          ["list", await sessions.list(owner)],
          ["load", (await sessions.load("s", owner)).messages],
          ["state", await sessions.loadState("s", owner)],
          ["runs", await store.listRuns({ ...owner, limit: 9 })],
        ] as const)
          assert.doesNotMatch(JSON.stringify(text), /marigold|"s"|r1/u, where);
        await rejectsWith(sessions.export("s", owner), "SESSION_NOT_FOUND", "an export");
        for (const runId of ["r1", "r2", "r3"]) {
          assert.equal(await store.getRun(runId), undefined, runId);
          await rejectsWith(store.load(runId), "RUN_NOT_FOUND", `the records of ${runId}`);
        }
        await assert.rejects(store.getBlob(file), "a file that the run named");
        // A write with the name of an earlier one is new: nothing of the deleted session answers it.
        const again = await sessions.writeState("s", [{ ...write, value: 1 }], { ...owner, runId: "r1", once: "1" });
        assert.deepEqual(again, { written: true });
        // A run of the same id starts with an empty inbox.
        const anew = await createAndAcquire(store, "r1", owner);
        assert.deepEqual(await store.takeSignals(anew), []);
      },
    ),
    storeCase(
      setup,
      "messages that a run added to a session are not added again after the session was exported, deleted and imported [memory.session-store.export-import]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const runs = [
          { runId: "r1", seq: 3 },
          { runId: 'r "2"', seq: 0 },
        ];
        for (const run of runs) await sessions.append("s", [user(`u ${run.runId}`)], run);
        const text = await sessions.export("s");
        await sessions.delete("s");
        await sessions.import(text, { id: "s" });
        for (const run of runs) await sessions.append("s", [user(`u ${run.runId}`)], { ...run, state: { late: true } });
        assert.equal(await sessions.export("s"), text);
        await sessions.append("s", [user("u3")], { runId: "r1", seq: 4 });
        assert.deepEqual(
          (await sessions.load("s")).messages.map(({ id }) => id),
          ["u r1", 'u r "2"', "u3"],
        );
        await assert.rejects(
          sessions.import(text.replace('["r1",3]', '["r1"]'), { id: "bad" }),
          (error: Error & { line?: number }) => error.name === "CorruptExportError" && error.line === 1,
        );
      },
    ),
    storeCase(
      setup,
      "no search finds the marker of a failed turn, and an import keeps it as a marker [memory.failed-run.marker]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const marker: Message = { ...answer("m1", "[This turn failed before it was answered.]"), failedRun: "r1" };
        await sessions.append("s", [user("u1", "Why has it failed?"), marker], { runId: "r1", seq: 3 });
        const found = async () => (await sessions.search("failed")).map(({ message }) => message.id);
        assert.deepEqual(await found(), ["u1"]);
        const copy = await sessions.import(await sessions.export("s"));
        const ids = async () => (await sessions.load(copy)).messages.map(({ id }) => id);
        assert.deepEqual(await ids(), ["u1", "m1"]);
        assert.deepEqual(await found(), ["u1", "u1"]);
        await sessions.append(copy, [{ ...answer("a1"), continues: "r1" }], { runId: "r1", seq: 9 });
        assert.deepEqual(await ids(), ["u1", "a1"]);
      },
    ),
    storeCase(
      setup,
      "a turn that failed and is resumed after later turns is where it was asked, in reads and in copies [memory.turn-order]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const ids = async (id: string, options = {}) =>
          (await sessions.load(id, options)).messages.map((message) => message.id);
        const marker = (id: string): Message => ({ ...answer(id, "[This turn failed.]"), failedRun: "r1" });
        const rest = (message: Message): Message => ({ ...message, continues: "r1" });
        await sessions.append("s", [user("u1"), marker("m1")], { runId: "r1", seq: 1 });
        await sessions.append("s", [user("u2"), answer("a2")], { runId: "r2", seq: 1 });
        assert.deepEqual(await ids("s"), ["u1", "m1", "u2", "a2"]);
        await sessions.append("s", [rest(answer("b1")), marker("m2")], { runId: "r1", seq: 2 });
        assert.deepEqual(await ids("s"), ["u1", "b1", "m2", "u2", "a2"]);
        await sessions.append("s", [user("u3"), answer("a3")], { runId: "r3", seq: 1 });
        await sessions.append("s", [rest(user("v1")), rest(answer("a1"))], { runId: "r1", seq: 3 });
        const all = ["u1", "b1", "v1", "a1", "u2", "a2", "u3", "a3"];
        assert.deepEqual(await ids("s"), all);
        assert.deepEqual(await ids("s", { before: 5 }), all.slice(0, 5));
        assert.deepEqual(await ids(await sessions.import(await sessions.export("s"))), all);
        for (const [index, last] of all.entries())
          assert.deepEqual(
            await ids(await sessions.branch("s", { uptoMessageId: last })),
            all.slice(0, index + 1),
            `a branch up to ${last}`,
          );
        assert.equal(await sessions.branch("s", { uptoMessageId: "a1", newId: "named" }), "named");
        await rejectsWith(
          sessions.branch("s", { uptoMessageId: "a1", newId: "named" }),
          "SESSION_EXISTS",
          "a taken id",
        );
        await rejectsWith(sessions.branch("s", { uptoMessageId: "none" }), "SESSION_NOT_FOUND", "an unknown message");
      },
    ),
    storeCase(
      setup,
      "turns are in the order of their askedAt; messages without one follow the turns before them [memory.turn-order.appended]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const ids = async (id: string) => (await sessions.load(id)).messages.map((message) => message.id);
        const turn = (n: number): readonly Message[] =>
          [user(`u${n}`), answer(`a${n}`)].map((message) => ({ ...message, askedAt: n }));
        const add = async (id: string, ...numbers: readonly number[]) => {
          for (const n of numbers) await sessions.append(id, turn(n), { runId: `r${n}`, seq: 1, askedAt: n });
        };
        await add("s", 20, 40, 10);
        await sessions.append("s", [user("x")], { runId: "import", seq: 0 });
        await add("s", 30, 50);
        const all = ["u10", "a10", "u20", "a20", "u30", "a30", "u40", "a40", "x", "u50", "a50"];
        assert.deepEqual(await ids("s"), all);
        assert.deepEqual(await ids(await sessions.import(await sessions.export("s"))), all);
        assert.deepEqual(await ids(await sessions.branch("s", { uptoMessageId: "a30" })), all.slice(0, 6));
        await sessions.edit("s", "u10", { ...user("v10"), askedAt: 10 });
        assert.deepEqual(await ids("s"), ["v10", ...all.slice(1)]);
        // Copies of another session's messages are at the end, and a later turn follows them.
        await add("t", 60);
        await sessions.append("t", [...turn(10), ...turn(5)], { runId: "copy", seq: 0 });
        await add("t", 70);
        assert.deepEqual(await ids("t"), ["u60", "a60", "u10", "a10", "u5", "a5", "u70", "a70"]);
        const open = (n: number, id: string): Message => ({ ...answer(id), failedRun: `r${n}`, askedAt: n });
        const rest = { ...answer("b1"), askedAt: 1, continues: "r1" };
        await sessions.append("w", [{ ...user("u1"), askedAt: 1 }, open(1, "m1")], { runId: "r1", seq: 1, askedAt: 1 });
        await add("w", 2);
        await sessions.append("w", [open(1, "m2")], { runId: "r1", seq: 2, askedAt: 1 });
        assert.deepEqual(await ids("w"), ["u1", "m2", "u2", "a2"]);
        await sessions.append("w", [rest], { runId: "r1", seq: 3, askedAt: 1 });
        assert.deepEqual(await ids("w"), ["u1", "b1", "u2", "a2"]);
      },
    ),
    storeCase(
      setup,
      "an export is imported unchanged; a damaged one names its line and imports nothing [memory.session-store.export-import]",
      async ({ sessions }) => {
        if (sessions === undefined) return;
        const image: Message = {
          id: "u1",
          role: "user",
          content: [
            { type: "image", data: new Uint8Array([1, 2, 255]) },
            { type: "text", text: "line\nbreak" },
          ],
        };
        await sessions.append("s", [image, answer("a1")], { runId: "r", seq: 1, state: { n: 1 } });
        const text = await sessions.export("s");
        const id = await sessions.import(text, { id: "copy", tenantId: "t1" });
        assert.equal(id, "copy");
        assert.deepEqual({ ...(await sessions.load("copy", { tenantId: "t1" })), id: "s" }, await sessions.load("s"));
        const damaged = text.replace('"role":"assistant"', '"role":"nobody"');
        await assert.rejects(
          sessions.import(damaged, { id: "bad" }),
          (error: Error & { line?: number }) => error.name === "CorruptExportError" && error.line === 3,
        );
        await assert.rejects(
          sessions.import("nonsense", { id: "bad" }),
          (error: Error & { line?: number }) => error.line === 1,
        );
        assert.deepEqual((await sessions.load("bad")).messages, []);
        await rejectsWith(sessions.export("nobody"), "SESSION_NOT_FOUND", "export");
      },
    ),
  ];
}
