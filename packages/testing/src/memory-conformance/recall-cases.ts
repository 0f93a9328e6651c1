import assert from "node:assert/strict";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { ana, dayMs, entryOf, idsOf, memoryCase, longAgo } from "./memory-case.ts";
import type { MemorySetup } from "./memory-case.ts";

/** Texts of many languages, each with a query that only it matches. */
const languages: readonly (readonly [id: string, text: string, question: string])[] = [
  ["english", "Ana is allergic to walnuts.", "Does she have an allergy to walnut?"],
  ["german", "Die Lieferung kommt über Köln.", "Wann kommt die Lieferung aus Koln?"],
  ["french", "Élodie préfère le café noir.", "Que prefere elodie au cafe?"],
  ["russian", "Поезд отправляется в полночь.", "Когда отправляется поезд?"],
  ["greek", "Η Άννα μένει στην Αθήνα.", "Πού μένει η Αννα;"],
  ["arabic", "يفضل أحمد القهوة بدون سكر.", "كيف يحب أحمد القهوة؟"],
  ["hindi", "उसे हिन्दी फिल्में पसंद हैं।", "कौन सी हिन्दी फिल्में?"],
  ["chinese", "他对花生过敏，不能吃。", "花生过敏吗？"],
  ["japanese", "彼女は京都の秋が好きです。", "秋の京都は好き？"],
  ["korean", "민수는 매운 음식을 싫어해요.", "매운 음식은?"],
  ["thai", "สมชายชอบกินผัดไทยทุกวัน", "ใครชอบผัดไทย"],
];

/** Cases about search by words, and the size of its result. */
export function recallCases(setup: MemorySetup): readonly ConformanceCase[] {
  return [
    memoryCase(
      setup,
      "words alone find a memory in many languages, with and without accents and spaces [memory.no-embedder] [memory.recall]",
      async (memories) => {
        for (const [id, text] of languages) await memories.put(entryOf(id, text));
        for (const [id, , question] of languages) {
          const [best] = await memories.query({ scope: ana, text: question });
          assert.equal(best?.entry.id, id, question);
          assert.equal(best?.lexicalRank, 1);
          assert.equal(best?.vectorRank, undefined);
        }
        assert.deepEqual(await memories.query({ scope: ana, text: "the of and" }), [], "function words find nothing");
        assert.deepEqual(await memories.query({ scope: ana, text: "" }), []);
        assert.deepEqual(await memories.query({ scope: ana, text: `" OR * NEAR( } -^ ' ; --` }), []);
      },
    ),
    memoryCase(
      setup,
      "at most 8 memories and 1,000 tokens by default; a long one is left out in favour of shorter ones [memory.recall.bounds]",
      async (memories) => {
        for (let index = 0; index < 12; index += 1)
          await memories.put(entryOf(`m${index}`, `tulip number ${index}`, { recordedAt: longAgo + index }));
        assert.equal((await memories.query({ scope: ana, text: "tulip" })).length, 8);
        assert.equal((await memories.query({ scope: ana, text: "tulip", limit: 3 })).length, 3);
        assert.equal((await memories.query({ scope: ana, text: "tulip", limit: 50 })).length, 12);
        await memories.put(entryOf("long", `rose ${"x".repeat(4_100)}`));
        await memories.put(entryOf("short", "rose, with many other words that make it less near"));
        assert.deepEqual(idsOf(await memories.query({ scope: ana, text: "rose" })), ["short"]);
        assert.equal((await memories.query({ scope: ana, text: "rose", budgetTokens: 2_000 })).length, 2);
        assert.deepEqual(await memories.query({ scope: ana, text: "rose", budgetTokens: 1 }), []);
      },
    ),
    memoryCase(
      setup,
      "a memory counts half after 30 days, or after as many as are asked for [memory.recall.bounds]",
      async (memories) => {
        const now = Date.now();
        const put = (id: string, similarity: number, days: number) =>
          memories.put(
            entryOf(id, id, { recordedAt: now - days * dayMs, embedding: { model: "m", dims: 2 } }),
            // A vector of length one, with this cosine to the query's.
            { model: "m", values: [similarity, Math.sqrt(1 - similarity ** 2)] },
          );
        await put("month", 0.99, 30);
        await put("more than half", 0.6, 0);
        await put("less than half", 0.4, 0);
        const asked = { scope: ana, vectors: [{ model: "m", values: [1, 0] }] };
        assert.deepEqual(idsOf(await memories.query(asked)), ["more than half", "month", "less than half"]);
        assert.deepEqual(idsOf(await memories.query({ ...asked, halfLifeDays: 10 })), [
          "more than half",
          "less than half",
          "month",
        ]);
        const never = await memories.query({ ...asked, halfLifeDays: Number.POSITIVE_INFINITY });
        assert.deepEqual(idsOf(never), ["month", "more than half", "less than half"]);
        assert.ok(Math.abs((never[0]?.ageDays ?? 0) - 30) < 0.1);
        assert.ok((never[1]?.ageDays ?? 9) < 1);
        await memories.put(entryOf("old", "tulip", { recordedAt: now - 90 * dayMs }));
        await memories.put(entryOf("new", "tulip and rose", { recordedAt: now }));
        assert.deepEqual(idsOf(await memories.query({ scope: ana, text: "tulip" })), ["new", "old"]);
      },
    ),
    memoryCase(setup, "without a query, the newest entry comes first [memory.store]", async (memories) => {
      for (const [index, id] of ["a", "b", "c"].entries())
        await memories.put(entryOf(id, "text", { recordedAt: longAgo + index }));
      assert.deepEqual(idsOf(await memories.query({ scope: ana })), ["c", "b", "a"]);
      assert.deepEqual(idsOf(await memories.query({ scope: ana, limit: 2 })), ["c", "b"]);
    }),
  ];
}
