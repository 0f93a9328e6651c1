import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MemoryEntry } from "../contracts/ports/memories.ts";
import { checkMemory } from "./check-memory.ts";
import { countWords, rankByWords } from "./rank-by-words.ts";
import { isTrueAt } from "./memory-time.ts";
import { memoryTerms, queryTerms } from "./memory-words.ts";
import { rankMemories } from "./rank-memories.ts";

function entry(id: string, fields: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id,
    kind: "semantic",
    text: id,
    scope: { tenantId: undefined, userId: undefined },
    label: { integrity: "user", readers: "public" },
    validFrom: 0,
    recordedAt: 0,
    source: { runId: "", seq: 0 },
    ...fields,
  };
}

const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "__proto__", "constructor", ""), { maxLength: 8 });
const found = (list: readonly string[]) =>
  list.map((id, index) => ({ entry: entry(id), relevance: list.length - index }));

describe("fusion [memory.recall]", () => {
  test("merged ranks are the same for any order and names of the lists", () => {
    fc.assert(
      fc.property(
        fc.array(ids, { maxLength: 4 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
        (lists, keys) => {
          const fused = (some: readonly (readonly string[])[]) =>
            rankMemories({ lexical: [], vectors: some.map(found) }, { limit: 99 }, 0).map((hit) => hit.entry.id);
          const shuffled = lists
            .map((list) => ({ list, key: keys.next().value }))
            .toSorted((one, other) => one.key - other.key)
            .map(({ list }) => list);
          expect(new Set(fused(shuffled))).toEqual(new Set(fused(lists)));
          // The sums differ in their last digit at most: different scores stay different.
          const scores = (some: readonly (readonly string[])[]) =>
            new Map(
              rankMemories({ lexical: [], vectors: some.map(found) }, { limit: 99 }, 0).map((hit) => [
                hit.entry.id,
                Number(hit.score.toFixed(12)),
              ]),
            );
          expect(scores(shuffled)).toEqual(scores(lists));
        },
      ),
    );
  });

  test("the order of one list is kept, and a hit in several lists is never ranked lower", () => {
    fc.assert(
      fc.property(ids, (list) => {
        const hits = rankMemories({ lexical: found(list), vectors: [] }, { limit: 99 }, 0);
        expect(hits.map((hit) => hit.entry.id)).toEqual(list);
        const twice = rankMemories({ lexical: found(list), vectors: [found(list)] }, { limit: 99 }, 0);
        expect(twice.map((hit) => hit.entry.id)).toEqual(list);
        expect(twice.map(({ lexicalRank, vectorRank }) => [lexicalRank, vectorRank])).toEqual(
          list.map((_, index) => [index + 1, index + 1]),
        );
      }),
    );
  });
});

test("two lists are fused by reciprocal ranks with k = 60 [memory.recall]", () => {
  const [one, other] = [entry("one"), entry("other")];
  const hits = rankMemories(
    {
      lexical: [one, other].map((each, index) => ({ entry: each, relevance: 9 - index })),
      vectors: [[{ entry: one, relevance: 1, similarity: 1 }]],
    },
    {},
    0,
  );
  expect(hits.map(({ entry: { id }, score }) => [id, score])).toEqual([
    ["one", 2 / 61],
    ["other", 1 / 62],
  ]);
});

test("relevance halves in 30 days, and without limits 8 memories of 1,000 tokens together are returned [memory.recall.bounds]", () => {
  const day = 86_400_000;
  const order = (ageDays: number): readonly string[] =>
    rankMemories(
      {
        lexical: [
          { entry: entry("old", { recordedAt: -ageDays * day }), relevance: 2 },
          { entry: entry("new", { recordedAt: 0 }), relevance: 1 },
        ],
        vectors: [],
      },
      {},
      0,
    ).map((hit) => hit.entry.id);
  expect([order(29), order(31)]).toEqual([
    ["old", "new"],
    ["new", "old"],
  ]);
  const found = (texts: readonly string[]) =>
    rankMemories(
      {
        lexical: texts.map((text, index) => ({ entry: entry(`m${index}`, { text }), relevance: 99 - index })),
        vectors: [],
      },
      {},
      0,
    );
  expect(found(Array.from({ length: 20 }, () => "short"))).toHaveLength(8);
  expect(found([500, 499, 2].map((tokens) => "abcd".repeat(tokens)))).toHaveLength(2);
  expect(found([500, 500].map((tokens) => "abcd".repeat(tokens)))).toHaveLength(2);
});

test("for any hits, the best that fit are returned, up to the limit and the budget [memory.recall.bounds]", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 12 }),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 60 }),
      (texts, limit, budgetTokens) => {
        const lexical = texts.map((text, index) => ({ entry: entry(`m${index}`, { text }), relevance: 99 - index }));
        const hits = rankMemories({ lexical, vectors: [] }, { limit, budgetTokens }, 0);
        expect(hits.length).toBeLessThanOrEqual(limit);
        const characters = hits.reduce((sum, hit) => sum + hit.entry.text.length, 0);
        expect(characters / 4).toBeLessThanOrEqual(budgetTokens);
        const scores = hits.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((one, other) => other - one));
      },
    ),
  );
});

const time = fc.integer({ min: -5, max: 5 });

test("in a chain of facts, each starting when the previous ended, exactly one is valid at any time [memory.kind.semantic]", () => {
  fc.assert(
    fc.property(fc.uniqueArray(time, { minLength: 1, maxLength: 6 }), time, (starts, asOf) => {
      const sorted = starts.toSorted((one, other) => one - other);
      const chain = sorted.map((validFrom, index) => {
        const next = sorted[index + 1];
        return { validFrom, recordedAt: 0, ...(next !== undefined && { supersededAt: 0, supersededFrom: next }) };
      });
      const true_ = chain.filter((one) => isTrueAt(one, { now: 9, asOf }));
      expect(true_).toHaveLength(asOf < (sorted[0] ?? 0) ? 0 : 1);
    }),
  );
});

test("a fact that was learnt later does not change earlier knowledge [memory.kind.semantic]", () => {
  fc.assert(
    fc.property(time, time, time, time, (validFrom, recordedAt, asOf, knownAt) => {
      const times = { now: 9, asOf, knownAt };
      const known = isTrueAt({ validFrom, recordedAt }, times);
      const later = { supersededAt: knownAt + 1, supersededFrom: validFrom };
      expect(isTrueAt({ validFrom, recordedAt, ...later }, times)).toBe(known);
      expect(known).toBe(recordedAt <= knownAt && validFrom <= asOf);
    }),
  );
});

test("for any given label, every memory is stored with integrity and readers [memory.labels]", () => {
  fc.assert(
    fc.property(fc.anything(), (label) => {
      const given = { ...entry("m"), label } as MemoryEntry;
      const { integrity, readers } = (label ?? {}) as Partial<MemoryEntry["label"]>;
      const whole =
        ["system", "user", "verified", "untrusted"].includes(integrity ?? "") &&
        (readers === "public" || Array.isArray(readers));
      if (whole) checkMemory(given);
      else expect(() => checkMemory(given)).toThrow(/no label/u);
    }),
  );
});

test("words match in any case and with any accents, and any text can be split [memory.no-embedder]", () => {
  expect(memoryTerms("Zoë LIKES tulips, übermäßig; 東京!")).toEqual([
    "zoe",
    "like",
    "tulip",
    "ubermaßig",
    "東",
    "京",
    "東京",
  ]);
  expect(memoryTerms("한국어")).toEqual(["한국", "국어"]);
  expect(queryTerms("What is the THE of it?")).toEqual([]);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const terms = memoryTerms(text);
      expect(terms.every((term) => term !== "" && !/\s/u.test(term))).toBe(true);
      expect(memoryTerms(text.normalize("NFD"))).toEqual(memoryTerms(text.normalize("NFC")));
      expect(new Set(queryTerms(text)).size).toBe(queryTerms(text).length);
    }),
  );
});

test("a rarer word counts more, a longer text counts less, and a text without any of the words is not found [memory.recall]", () => {
  const texts = ["red tulip", "red rose", "red stone and a great many other things beside it", "tulip red", "nothing"];
  const asked = queryTerms("red tulip");
  const counts = texts.map((text) => countWords(memoryTerms(text), asked));
  const ranked = rankByWords(counts, { count: 5, averageLength: 4 }).map(({ index }) => texts[index]);
  expect(ranked.slice(0, 2)).toEqual(["red tulip", "tulip red"]);
  expect(ranked).not.toContain("nothing");
  expect(rankByWords([], { count: 0, averageLength: 0 })).toEqual([]);
});
