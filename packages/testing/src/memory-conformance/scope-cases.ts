import assert from "node:assert/strict";
import type { MemoryScope } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsWith } from "../store-conformance/store-case.ts";
import { ana, entryOf, idsOf, memoryCase } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

const others: readonly MemoryScope[] = [
  { tenantId: "t1", userId: "ben" },
  { tenantId: "t2", userId: "ana" },
  { tenantId: undefined, userId: "ana" },
  { tenantId: "t1", userId: undefined },
  { tenantId: "", userId: "ana" },
  { tenantId: "t1", userId: "" },
  { tenantId: "ana", userId: "t1" },
  { tenantId: undefined, userId: undefined },
];

/** Cases about owners of memories. */
export function scopeCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "no call of another tenant or user finds, reads, supersedes, embeds or deletes an entry [memory.store.scope-bound] [feature:S137]",
      async (memories) => {
        await memories.put(entryOf("m1", "tulip", { embedding: { model: "m", dims: 1 } }), { model: "m", values: [1] });
        for (const scope of others) {
          const what = JSON.stringify(scope);
          const vectors = [{ model: "m", values: [1] }];
          assert.deepEqual(await memories.query({ scope, text: "tulip", vectors }), [], what);
          assert.deepEqual(await memories.query({ scope }), [], what);
          assert.equal(await memories.get("m1", scope), undefined, what);
          assert.deepEqual(await memories.forget("m1", scope), [], what);
          assert.equal(await memories.forgetAll(scope), 0, what);
          assert.deepEqual(await memories.withoutVector(scope, { model: "x", dims: 1 }, 9), [], what);
          assert.deepEqual(await memories.models(scope), [], what);
          await memories.setVector("m1", scope, { model: "m", values: [-1] }, "changed");
          await rejectsWith(memories.supersede("m1", entryOf("m2", "rose", { scope })), "MEMORY_NOT_FOUND", what);
        }
        const [hit] = await memories.query({ scope: ana, text: "tulip", vectors: [{ model: "m", values: [1] }] });
        assert.equal(hit?.entry.text, "tulip");
        assert.equal(hit?.similarity, 1);
        assert.equal(hit?.entry.data, undefined);
      },
    ),
    memoryCase(setup, "the same id under two users is two entries [memory.store.scope-bound]", async (memories) => {
      await memories.put(entryOf("m1", "of Ana"));
      const ben = { tenantId: "t1", userId: "ben" };
      await memories.put(entryOf("m1", "of Ben", { scope: ben }));
      assert.equal((await memories.get("m1", ana))?.text, "of Ana");
      assert.equal((await memories.get("m1", ben))?.text, "of Ben");
      assert.deepEqual(await memories.forget("m1", ben), ["m1"]);
      assert.equal((await memories.get("m1", ana))?.text, "of Ana");
    }),
    memoryCase(
      setup,
      "a shared entry is seen by every user of its tenant and by no other tenant, and has no user [memory.kind.shared]",
      async (memories) => {
        const unowned = { tenantId: "t1", userId: undefined };
        await memories.put(entryOf("s1", "The office is in Lyon.", { kind: "shared", scope: unowned }));
        for (const userId of ["ana", "ben", undefined])
          assert.deepEqual(idsOf(await memories.query({ scope: { tenantId: "t1", userId }, text: "office" })), ["s1"]);
        assert.deepEqual(await memories.query({ scope: { tenantId: "t2", userId: "ana" }, text: "office" }), []);
        await rejectsWith(memories.put(entryOf("s2", "x", { kind: "shared" })), "INVALID_MEMORY", "shared with a user");
        await memories.put(entryOf("m1", "A note without an owner.", { scope: unowned }));
        assert.deepEqual(await memories.query({ scope: ana, text: "note" }), [], "only shared entries are for all");
      },
    ),
    memoryCase(setup, "an entry of one user cannot replace a shared one [memory.errors]", async (memories) => {
      const unowned = { tenantId: "t1", userId: undefined };
      await memories.put(entryOf("s1", "The office is in Lyon.", { kind: "shared", scope: unowned }));
      await rejectsWith(memories.supersede("s1", entryOf("m1", "Rome")), "TENANT_MISMATCH", "by a user's own");
      assert.equal((await memories.get("s1", ana))?.supersededBy, undefined);
      assert.equal(await memories.get("m1", ana), undefined);
    }),
    memoryCase(
      setup,
      "an agent's own entries are seen by that agent, and a namespace by anyone who names it [memory.store.scope-bound]",
      async (memories) => {
        await memories.put(entryOf("all", "tulip one"));
        await memories.put(entryOf("desk", "tulip two", { scope: { ...ana, agentId: "desk" } }));
        await memories.put(entryOf("tool", "tulip three", { scope: { ...ana, agentId: "desk", namespace: "tool" } }));
        const seen = async (scope: MemoryScope) =>
          [...idsOf(await memories.query({ scope, text: "tulip" }))].toSorted();
        assert.deepEqual(await seen(ana), ["all"]);
        assert.deepEqual(await seen({ ...ana, agentId: "desk" }), ["all", "desk"]);
        assert.deepEqual(await seen({ ...ana, agentId: "other" }), ["all"]);
        assert.deepEqual(await seen({ ...ana, agentId: "desk", namespace: "tool" }), ["tool"]);
        assert.deepEqual(await seen({ ...ana, agentId: "other", namespace: "tool" }), []);
      },
    ),
    memoryCase(
      setup,
      "each method refuses a wrong argument with a code and a correct call [memory.arguments]",
      async (memories) => {
        const wrong: readonly unknown[] = [undefined, null, 5, ""];
        const calls: Readonly<Record<string, (given: never) => Promise<unknown>>> = {
          "put an entry": (entry) => memories.put(entry),
          "supersede an id": (id) => memories.supersede(id, entryOf("b", "b")),
          "supersede by": (by) => memories.supersede("a", by),
          "get an id": (id) => memories.get(id, ana),
          "get in a scope": (scope) => memories.get("a", scope),
          query: (query) => memories.query(query),
          "query in a scope": (scope) => memories.query({ scope, text: "x", limit: 1 }),
          "forget an id": (id) => memories.forget(id, ana),
          "forget in a scope": (scope) => memories.forget("a", scope),
          forgetAll: (scope) => memories.forgetAll(scope),
          "withoutVector in a scope": (scope) => memories.withoutVector(scope, { model: "m", dims: 2 }, 1),
          "withoutVector of an embedding": (embedding) => memories.withoutVector(ana, embedding, 1),
          models: (scope) => memories.models(scope),
          "setVector of an id": (id) => memories.setVector(id, ana, undefined),
          "setVector in a scope": (scope) => memories.setVector("a", scope, undefined),
        };
        for (const [name, call] of Object.entries(calls))
          for (const given of wrong)
            await assert.rejects(
              (async () => call(given as never))(),
              (error) =>
                (error as { readonly code?: string }).code === "INVALID_INPUT" &&
                /Write memories\./.test(String(error)),
              `${name} with ${JSON.stringify(given) ?? "undefined"}`,
            );
      },
    ),
  ];
}
