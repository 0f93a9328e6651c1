import assert from "node:assert/strict";
import type { MemoryEntry } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { ana, dayMs, entryOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

const embedded = (id: string, text: string, fields: Partial<MemoryEntry> = {}): MemoryEntry =>
  entryOf(id, text, { embedding: { model: "m", dims: 1 }, ...fields });
const vector = { model: "m", values: [1] };

/** Cases about deletion, and the entries that are deleted together. */
export function forgetCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "a deleted entry is found by no words, no meaning, no time and no id, and may be written again [memory.store]",
      async (memories) => {
        await memories.put(embedded("m1", "tulip"), vector);
        await memories.put(embedded("m2", "tulip too"), vector);
        assert.deepEqual(await memories.forget("m1", ana), ["m1"]);
        assert.deepEqual(await memories.forget("m1", ana), []);
        const left = await memories.query({ scope: ana, text: "tulip", vectors: [vector], asOf: longAgo });
        assert.deepEqual(
          left.map(({ entry }) => entry.id),
          ["m2"],
        );
        assert.equal(await memories.get("m1", ana), undefined);
        await memories.put(entryOf("m1", "rose"));
        assert.deepEqual(
          (await memories.query({ scope: ana, text: "rose tulip" })).map(({ entry }) => entry.text).toSorted(),
          ["rose", "tulip too"],
        );
        assert.equal((await memories.query({ scope: ana, vectors: [vector] })).length, 1, "no vector of the old one");
      },
    ),
    memoryCase(
      setup,
      "deleting a fact deletes the facts that it superseded and the entries derived from them, and nothing else [memory.store]",
      async (memories) => {
        await memories.put(entryOf("v1", "one", { name: "v" }));
        await memories.supersede("v1", entryOf("v2", "two", { name: "v", recordedAt: longAgo + dayMs }));
        await memories.put(entryOf("other", "three"));
        await memories.put(entryOf("sum", "a summary", { kind: "episodic", derivedFrom: ["v1", "other"] }));
        await memories.put(entryOf("sum2", "a summary of that", { kind: "episodic", derivedFrom: ["sum"] }));
        const elsewhere = { tenantId: "t2", userId: "ana" };
        await memories.put(entryOf("sum", "of another tenant", { scope: elsewhere, derivedFrom: ["v1"] }));
        assert.deepEqual([...(await memories.forget("v2", ana))].toSorted(), ["sum", "sum2", "v1", "v2"]);
        assert.deepEqual(
          (await memories.query({ scope: ana, asOf: longAgo })).map(({ entry }) => entry.id),
          ["other"],
        );
        assert.equal((await memories.get("sum", elsewhere))?.text, "of another tenant");
      },
    ),
    memoryCase(
      setup,
      "deleting a user deletes all entries of that user, of every agent and namespace, and no other user's [memory.store]",
      async (memories) => {
        const unowned = { tenantId: "t1", userId: undefined };
        await memories.put(embedded("a", "tulip"), vector);
        await memories.put(entryOf("b", "tulip", { scope: { ...ana, agentId: "desk", namespace: "tool" } }));
        await memories.put(entryOf("c", "tulip", { scope: { tenantId: "t1", userId: "ben" } }));
        await memories.put(entryOf("d", "tulip", { scope: unowned, kind: "shared" }));
        assert.equal(await memories.forgetAll(ana), 2);
        assert.equal(await memories.forgetAll(ana), 0);
        assert.deepEqual(
          (await memories.query({ scope: ana, text: "tulip" })).map(({ entry }) => entry.id),
          ["d"],
        );
        assert.equal((await memories.query({ scope: { tenantId: "t1", userId: "ben" }, text: "tulip" })).length, 2);
        assert.equal(await memories.forgetAll(unowned), 1);
      },
    ),
  ];
}
