import type { MemoryHit, RankedText, Reranker } from "@bailiwick/core";
import { expect, test } from "vitest";
import { inMemoryMemories, memory } from "./index.ts";

const label = { integrity: "user", readers: "public" } as const;
const scope = { tenantId: undefined, userId: "ana" };

/** Recalls some of 12 invoices with a reranker; `plain` is the order without one. */
async function invoices(rerank: Reranker["rerank"], limit = 2) {
  const warnings: string[] = [];
  const store = inMemoryMemories();
  const own = memory({
    store,
    reranker: { model: "order-1", rerank },
    modelTimeoutMs: 50,
    recall: { limit },
    logger: { warn: (text) => void warnings.push(text) },
  });
  for (let number = 1; number <= 12; number += 1)
    await own.application.remember(scope, `Invoice ${number} is here.`, {
      label,
      id: `m${String(number).padStart(2, "0")}`,
    });
  const textsOf = (found: readonly MemoryHit[]): readonly string[] => found.map(({ entry }) => entry.text);
  const hits = await own.application.recall(scope, "invoice");
  const plain = await memory({ store, recall: { limit } }).application.recall(scope, "invoice");
  return { texts: textsOf(hits), plain: textsOf(plain), hits, warnings };
}

const byNumber = (texts: readonly string[]): readonly RankedText[] =>
  texts.map((text, index) => ({ index, relevance: Number(/\d+/u.exec(text)?.[0]) / 100 }));

test("a reranker sorts more candidates than are recalled, and each hit shows it [memory.reranker]", async () => {
  const asked: number[] = [];
  const { texts, hits, warnings } = await invoices(async (_query, given) => {
    asked.push(given.length);
    return byNumber(given);
  });
  expect(asked).toEqual([8]);
  const best = Math.max(...texts.map((text) => Number(/\d+/u.exec(text)?.[0])));
  expect(texts[0]).toBe(`Invoice ${best} is here.`);
  expect(texts).toHaveLength(2);
  expect(hits[0]?.relevance).toBe(best / 100);
  expect(warnings).toEqual([]);
});

test("a reranker gets 100 candidates at most, unless more are needed [memory.reranker]", async () => {
  const store = inMemoryMemories();
  const asked: number[] = [];
  const rerank: Reranker["rerank"] = async (_query, texts) => {
    asked.push(texts.length);
    return byNumber(texts);
  };
  const own = memory({ store, reranker: { model: "order-1", rerank } });
  for (let number = 1; number <= 130; number += 1)
    await own.application.remember(scope, `Invoice ${number} is here.`, { label });
  for (const limit of [20, 30, 120]) await own.application.recall(scope, "invoice", { limit, budgetTokens: 100_000 });
  expect(asked).toEqual([80, 100, 120]);
});

test.each<[string, Reranker["rerank"], RegExp]>([
  ["fails", () => Promise.reject(new Error("no quota")), /no quota/],
  ["never answers", () => new Promise(() => undefined), /longer than 50 ms/],
  ["names a text that does not exist", async () => [{ index: 99, relevance: 1 }], /named the text 99/],
  ["gives no number", async () => [{ index: 0, relevance: Number.NaN }], /no number/],
])(
  "a reranker that %s leaves the order of the search, with a warning [memory.reranker]",
  async (_what, rerank, why) => {
    const { texts, plain, warnings } = await invoices(rerank);
    expect(texts).toEqual(plain);
    expect(warnings).toEqual([expect.stringMatching(why)]);
  },
);

test("texts that a reranker omits keep their order after the others [memory.reranker]", async () => {
  const { texts, plain } = await invoices(async () => [{ index: 3, relevance: 0.5 }], 3);
  expect(plain).not.toContain(texts[0]);
  expect(texts.slice(1)).toEqual(plain.slice(0, 2));
});
