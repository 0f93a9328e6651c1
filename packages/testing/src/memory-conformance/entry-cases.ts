import assert from "node:assert/strict";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { rejectsWith } from "../store-conformance/store-case.ts";
import { ana, entryOf, idsOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

const vector = { model: "m", values: [0.5, -0.25, 0.125] };

/** Cases about stored and refused entries. */
export function entryCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "an entry is read back as it was written, with its label, times, source, data and embedding, also after the store is opened again [memory.entry]",
      async (memories, under) => {
        const entry = entryOf("m1", "Ana's brother is called Bo \ud83d\ude00.", {
          kind: "episodic",
          name: "brother",
          data: { list: [1, null, "x"], deep: { __proto__x: true } },
          relations: [{ from: "Ana", kind: "lives in", to: "Oslo" }],
          validTo: longAgo * 2,
          scope: { ...ana, agentId: "desk" },
          label: { integrity: "verified", readers: ["user:ana", "user:bo"] },
          embedding: { model: "m", dims: 3 },
        });
        await memories.put(entry, vector);
        const scope = { ...ana, agentId: "desk" };
        assert.deepEqual(await memories.get("m1", scope), entry);
        assert.deepEqual((await memories.query({ scope, text: "brother" }))[0]?.entry, entry);
        if (under.again === undefined) return;
        const other = under.again();
        assert.deepEqual(await other.memories.get("m1", scope), entry);
        await other.close();
      },
    ),
    memoryCase(
      setup,
      "a write that is repeated is one write: the entry stays as it was first written [memory.store]",
      async (memories) => {
        await memories.put(entryOf("m1", "first"));
        await memories.put(entryOf("m1", "second"));
        assert.equal((await memories.get("m1", ana))?.text, "first");
        assert.deepEqual(idsOf(await memories.query({ scope: ana })), ["m1"]);
        assert.deepEqual(await memories.query({ scope: ana, text: "second" }), []);
      },
    ),
    memoryCase(
      setup,
      "there is no entry without a label, an id, a kind, a scope or a time [memory.labels]",
      async (memories) => {
        const whole = entryOf("m1", "text");
        const wrong: readonly object[] = [
          { label: undefined },
          { label: { integrity: "trusted", readers: "public" } },
          { label: { integrity: "user" } },
          { id: "" },
          { kind: "fact" },
          { scope: undefined },
          { validFrom: Number.NaN },
          { kind: "working" },
          { scope: { tenantId: "\ud800", userId: "ana" } },
        ];
        for (const fields of wrong)
          await rejectsWith(memories.put({ ...whole, ...fields }), "INVALID_MEMORY", JSON.stringify(fields));
        assert.deepEqual(await memories.query({ scope: ana }), []);
      },
    ),
    memoryCase(
      setup,
      "a vector that does not fit its embedding is refused, and nothing is written [memory.errors]",
      async (memories) => {
        const embedded = entryOf("m1", "text", { embedding: { model: "m", dims: 2 } });
        await rejectsWith(memories.put(embedded, vector), "EMBEDDER_MISMATCH", "too long");
        await rejectsWith(memories.put(embedded), "INVALID_MEMORY", "no vector");
        await rejectsWith(
          memories.put(embedded, { model: "other", values: [1, 2] }),
          "INVALID_MEMORY",
          "of another model",
        );
        await rejectsWith(
          memories.put(embedded, { model: "m", values: [1, Number.NaN] }),
          "INVALID_MEMORY",
          "no number",
        );
        assert.equal(await memories.get("m1", ana), undefined);
      },
    ),
    memoryCase(setup, "a block that is rewritten loses its old text [memory.kind.working]", async (memories) => {
      const block = { kind: "working", name: "notes", scope: { ...ana, agentId: "desk" } } as const;
      await memories.put(entryOf("b1", "old tulip", block));
      await memories.supersede("b1", entryOf("b2", "new rose", block));
      const scope = { ...ana, agentId: "desk" };
      assert.equal(await memories.get("b1", scope), undefined);
      assert.deepEqual(idsOf(await memories.query({ scope, kinds: ["working"] })), ["b2"]);
      assert.deepEqual(await memories.query({ scope, text: "tulip", asOf: longAgo }), []);
    }),
    memoryCase(
      setup,
      "each kind is found by itself, and all together where none is named [memory.kind.episodic] [memory.kind.procedural]",
      async (memories) => {
        for (const kind of ["episodic", "semantic", "procedural"] as const)
          await memories.put(entryOf(kind, "The printer jams on Mondays.", { kind }));
        await memories.put(
          entryOf("shared", "The printer is red.", { kind: "shared", scope: { ...ana, userId: undefined } }),
        );
        for (const kind of ["episodic", "semantic", "procedural", "shared"] as const)
          assert.deepEqual(idsOf(await memories.query({ scope: ana, text: "printer", kinds: [kind] })), [kind]);
        assert.equal((await memories.query({ scope: ana, text: "printer" })).length, 4);
        assert.deepEqual(await memories.query({ scope: ana, text: "printer", kinds: [] }), []);
      },
    ),
  ];
}
