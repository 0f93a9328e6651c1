import { createCohere } from "@ai-sdk/cohere";
import { MockRerankingModelV4 } from "ai/test";
import { inMemoryMemories, memory } from "@bailiwick/memory";
import { expect, test } from "vitest";
import { createAmazonBedrock } from "./bedrock.fixture.ts";
import { aiSdkReranker } from "./index.ts";
import { bodyAt, json, localServer } from "./local-server.fixture.ts";

const label = { integrity: "user", readers: "public" } as const;
const scope = { tenantId: undefined, userId: "ana" };

test("Cohere reorders memories found by words, after a temporary refusal [providers.reranker]", async () => {
  await using server = await localServer([
    json({ message: "rate limited" }, 429, { "retry-after-ms": "1" }),
    json({
      id: "r1",
      results: [
        { index: 1, relevance_score: 0.9 },
        { index: 0, relevance_score: 0.1 },
      ],
      meta: {},
    }),
  ]);
  const cohere = createCohere({ apiKey: "k", baseURL: server.url });
  const own = memory({ store: inMemoryMemories(), reranker: aiSdkReranker(cohere.reranking("rerank-v3.5")) });
  await own.application.remember(scope, "The invoice of the boat is paid.", { label });
  await own.application.remember(scope, "The invoice of the car is open, and the invoice is late.", { label });
  const hits = await own.application.recall(scope, "Which invoice is paid?");
  const sent = bodyAt<{ readonly documents: readonly string[] }>(server, 1);
  expect(sent).toMatchObject({ model: "rerank-v3.5", query: "Which invoice is paid?" });
  expect(hits.map(({ entry, relevance }) => [entry.text, relevance])).toEqual([
    [sent.documents[1], 0.9],
    [sent.documents[0], 0.1],
  ]);
});

test("Amazon Bedrock's reranker works through the same function", async () => {
  await using server = await localServer([json({ results: [{ index: 1, relevanceScore: 0.7 }] })]);
  const bedrock = createAmazonBedrock({ region: "eu-west-1", apiKey: "k", baseURL: server.url });
  const reranker = aiSdkReranker(bedrock.reranking("cohere.rerank-v3-5:0"));
  expect(await reranker.rerank("q", ["a", ""], { limit: 1 })).toEqual([{ index: 1, relevance: 0.7 }]);
});

test("an abort cancels the request and the wait for a retry", async () => {
  const controller = new AbortController();
  const waiting = aiSdkReranker(
    new MockRerankingModelV4({
      doRerank: ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener("abort", () => reject(abortSignal.reason as Error));
          controller.abort(new Error("enough"));
        }),
    }),
  );
  await expect(waiting.rerank("q", ["a", "b"], { signal: controller.signal })).rejects.toMatchObject({
    code: "MODEL_ABORTED",
  });
});

test("an object that is not a reranking model, and options that cannot be honoured, are refused", () => {
  expect(() => aiSdkReranker({} as never)).toThrow(/reranking model/);
  expect(() => aiSdkReranker(new MockRerankingModelV4(), { maxRetries: -1 })).toThrow(/"maxRetries", not -1/);
  expect(() => aiSdkReranker(new MockRerankingModelV4(), { retries: 1 } as never)).toThrow(/"retries"/);
});
