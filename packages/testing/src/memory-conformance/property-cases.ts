import assert from "node:assert/strict";
import { isInScope, searchMemories } from "@bailiwick/core/store";
import type {
  MemoryEntry,
  MemoryHit,
  MemoryKind,
  MemoryQuery,
  MemoryScope,
  MemoryStore,
  MemoryVector,
} from "@bailiwick/core";
import type { StoredMemory } from "@bailiwick/core/store";
import * as fc from "fast-check";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { entryOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

const id = fc.constantFrom(undefined, "", "a", "b", "__proto__");
const scope: fc.Arbitrary<MemoryScope> = fc
  .record({
    tenantId: id,
    userId: id,
    agentId: fc.constantFrom(undefined, "desk", "constructor"),
    namespace: fc.constantFrom(undefined, undefined, "tool"),
  })
  .map(({ agentId, namespace, ...owner }) => ({
    ...owner,
    ...(agentId !== undefined && { agentId }),
    ...(namespace !== undefined && { namespace }),
  }));
const words = fc
  .array(fc.constantFrom("tulip", "rose", "Élan", "京都", "매운", "x", "\ud800", "the", "' OR 1=1"), { maxLength: 5 })
  .map((some) => some.join(" "));
const time = fc.integer({ min: -3, max: 3 }).map((step) => longAgo + step * 1_000);
const kind = fc.constantFrom<MemoryKind>("episodic", "semantic", "procedural", "shared");
const values = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })).map((both) => [...both]);

interface Given {
  readonly entry: MemoryEntry;
  readonly vector: MemoryVector | undefined;
}

const written: fc.Arbitrary<Given> = fc
  .record({
    scope,
    words,
    kind,
    validFrom: time,
    recordedAt: time,
    validTo: fc.option(time),
    values: fc.option(values),
  })
  .map(({ scope: of, words: text, validTo, values: numbers, ...fields }) => ({
    vector: numbers === null ? undefined : { model: "m", values: numbers },
    entry: {
      ...entryOf("", text, fields),
      scope: fields.kind === "shared" ? { ...of, userId: undefined } : of,
      ...(validTo !== null && { validTo }),
      ...(numbers !== null && { embedding: { model: "m", dims: 2 } }),
    },
  }));

const query: fc.Arbitrary<MemoryQuery> = fc
  .record({
    scope,
    text: fc.option(words),
    values: fc.option(values),
    kinds: fc.option(fc.uniqueArray(kind)),
    asOf: fc.option(time),
    knownAt: fc.option(time),
    limit: fc.integer({ min: 1, max: 9 }),
    budgetTokens: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ text, values: numbers, kinds, asOf, knownAt, ...rest }) => ({
    ...rest,
    halfLifeDays: Number.POSITIVE_INFINITY,
    ...(text !== null && { text }),
    ...(numbers !== null && { vectors: [{ model: "m", values: numbers }] }),
    ...(kinds !== null && { kinds }),
    ...(asOf !== null && { asOf }),
    ...(knownAt !== null && { knownAt }),
  }));

/** Laws that hold for every store. */
export function propertyCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "a query returns the entries of its scope alone, in the order of the rules, each with its label, for any entries of any users [memory.store.scope-bound] [memory.recall]",
      async (memories) => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.tuple(written, fc.boolean()), { maxLength: 12 }),
            fc.array(query, { minLength: 1, maxLength: 6 }),
            async (all, queries) => {
              try {
                const kept = await keepAll(memories, all);
                for (const one of queries) await agrees(memories, kept, one);
              } finally {
                for (const [{ entry }] of all) await memories.forgetAll(entry.scope);
              }
            },
          ),
          { numRuns: setup.runs },
        );
      },
    ),
  ];
}

type Kept = { entry: StoredMemory; readonly vector: MemoryVector | undefined }[];

/** Writes all entries, and returns the expected content of a store. */
async function keepAll(
  memories: MemoryStore,
  all: readonly (readonly [given: Given, supersedes: boolean])[],
): Promise<Kept> {
  const kept: Kept = [];
  for (const [index, [given, supersedes]] of all.entries()) {
    const entry = { ...given.entry, id: `m${index}` };
    const before = kept.find(
      (one) => supersedes && one.entry.supersededBy === undefined && sameOwner(one.entry, entry),
    );
    if (before === undefined) await memories.put(entry, given.vector);
    else {
      await memories.supersede(before.entry.id, entry, given.vector);
      before.entry = {
        ...before.entry,
        supersededBy: entry.id,
        supersededAt: entry.recordedAt,
        supersededFrom: entry.validFrom,
      };
    }
    kept.push({ entry, vector: given.vector });
  }
  return kept;
}

async function agrees(memories: MemoryStore, kept: Kept, one: MemoryQuery): Promise<void> {
  const hits = await memories.query(one);
  const facts = (found: readonly MemoryHit[]) =>
    found.map(({ entry, score, lexicalRank, vectorRank }) => [entry, score, lexicalRank, vectorRank]);
  assert.deepEqual(facts(hits), facts(searchMemories(kept, one, Date.now())));
  for (const { entry } of hits) {
    assert.ok(isInScope(entry, one.scope));
    assert.deepEqual(entry.label, { integrity: "user", readers: ["user:ana"] });
  }
}

/** An entry may supersede another if its scope sees it, and they have the same owner. */
function sameOwner(one: MemoryEntry, by: MemoryEntry): boolean {
  return isInScope(one, by.scope) && one.scope.userId === by.scope.userId;
}
