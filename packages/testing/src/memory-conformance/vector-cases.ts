import assert from "node:assert/strict";
import type { MemoryStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsWith } from "../store-conformance/store-case.ts";
import { ana, entryOf, idsOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

async function put(memories: MemoryStore, id: string, text: string, model: string, values: number[]): Promise<void> {
  await memories.put(entryOf(id, text, { embedding: { model, dims: values.length } }), { model, values });
}

/** Cases about search by meaning. */
export function vectorCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "words and meaning are fused by rank (k = 60), and each hit names which of them found it [memory.recall] [feature:X048]",
      async (memories) => {
        await put(memories, "both", "tulip", "m", [1, 0]);
        await put(memories, "meaning", "rose", "m", [0.9, 0.1]);
        await memories.put(entryOf("words", "tulip field with a great many other words in it"));
        await put(memories, "neither", "stone", "m", [-1, 0]);
        const hits = await memories.query({
          scope: ana,
          text: "tulip",
          vectors: [{ model: "m", values: [2, 0] }],
          halfLifeDays: Number.POSITIVE_INFINITY,
        });
        const places = hits.map(({ entry, lexicalRank, vectorRank }) => [entry.id, lexicalRank, vectorRank]);
        assert.deepEqual(places, [
          ["both", 1, 1],
          ["meaning", undefined, 2],
          ["words", 2, undefined],
        ]);
        for (const { score, lexicalRank, vectorRank } of hits) {
          const part = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (60 + rank));
          assert.ok(Math.abs(score - part(lexicalRank) - part(vectorRank)) < 1e-12);
        }
        assert.equal(hits[0]?.similarity, 1);
      },
    ),
    memoryCase(
      setup,
      "a distant entry is not found by meaning, and a query without words is answered by meaning alone [memory.recall]",
      async (memories) => {
        await put(memories, "near", "one", "m", [1, 0.2]);
        await put(memories, "far", "two", "m", [0, 1]);
        await put(memories, "zero", "three", "m", [0, 0]);
        const vectors = [{ model: "m", values: [1, 0] }];
        assert.deepEqual(idsOf(await memories.query({ scope: ana, vectors })), ["near"]);
        assert.deepEqual(idsOf(await memories.query({ scope: ana, vectors, leastSimilarity: -1 })), ["near", "far"]);
        assert.deepEqual(await memories.query({ scope: ana, vectors: [{ model: "m", values: [0, 0] }] }), []);
        assert.deepEqual(await memories.query({ scope: ana, vectors: [] }), []);
      },
    ),
    memoryCase(
      setup,
      "vectors of another model or size are never compared; old ones answer until they are recomputed [memory.embedder.changed]",
      async (memories) => {
        await put(memories, "old", "one", "v1", [1, 0]);
        await put(memories, "new", "two", "v2", [1, 0, 0]);
        const asked = (model: string, ...values: number[]) => ({ model, values });
        assert.deepEqual(idsOf(await memories.query({ scope: ana, vectors: [asked("v2", 1, 0, 0)] })), ["new"]);
        assert.deepEqual(idsOf(await memories.query({ scope: ana, vectors: [asked("v1", 1, 0)] })), ["old"]);
        assert.deepEqual(await memories.query({ scope: ana, vectors: [asked("v1", 1, 0, 0)] }), []);
        const both = [asked("v1", 1, 0), asked("v2", 1, 0, 0)];
        assert.equal((await memories.query({ scope: ana, vectors: both })).length, 2);
        const models = [...(await memories.models(ana))].toSorted((one, other) => one.dims - other.dims);
        assert.deepEqual(models, [
          { model: "v1", dims: 2 },
          { model: "v2", dims: 3 },
        ]);
        const left = await memories.withoutVector(ana, { model: "v2", dims: 3 }, 9);
        assert.deepEqual(
          left.map(({ id, embedding }) => [id, embedding]),
          [["old", { model: "v1", dims: 2 }]],
        );
        await memories.setVector("old", ana, asked("v2", 0, 1, 0), { kept: true });
        assert.deepEqual(await memories.withoutVector(ana, { model: "v2", dims: 3 }, 9), []);
        assert.deepEqual(await memories.models(ana), [{ model: "v2", dims: 3 }]);
        const entry = await memories.get("old", ana);
        assert.deepEqual([entry?.embedding, entry?.data], [{ model: "v2", dims: 3 }, { kept: true }]);
        await memories.setVector("gone", ana, asked("v2", 1, 0, 0));
        assert.equal(await memories.get("gone", ana), undefined);
        await rejectsWith(
          memories.setVector("old", ana, asked("v2", Number.NaN)),
          "INVALID_MEMORY",
          "a vector of no numbers",
        );
      },
    ),
    memoryCase(
      setup,
      "an entry that is no longer true needs no new vector [memory.embedder.changed]",
      async (memories) => {
        await memories.put(entryOf("a", "one"));
        await memories.supersede("a", entryOf("b", "two"));
        await memories.put(entryOf("c", "three", { validTo: longAgo + 1 }));
        const left = await memories.withoutVector(ana, { model: "m", dims: 1 }, 9);
        assert.deepEqual(
          left.map(({ id }) => id),
          ["b"],
        );
        await memories.put(entryOf("d", "four"));
        assert.equal((await memories.withoutVector(ana, { model: "m", dims: 1 }, 1)).length, 1);
      },
    ),
  ];
}
