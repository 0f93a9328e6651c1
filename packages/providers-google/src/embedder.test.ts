import type { EmbeddingUsage } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { googleEmbedder } from "./index.ts";
import { vectorServer } from "../../providers-openai/src/vector-server.fixture.ts";

test("texts are sent to the Gemini API in batches of a hundred, with the vector length [providers.embedder.batches]", async () => {
  await using server = await vectorServer(({ body }) => ({
    body: { embeddings: (body["requests"] as unknown[]).map((_, index) => ({ values: [index, 1] })) },
  }));
  const usage: EmbeddingUsage[] = [];
  const embedder = googleEmbedder("gemini-embedding-001", {
    baseURL: server.url,
    apiKey: "k",
    dimensions: 2,
    taskType: "SEMANTIC_SIMILARITY",
    onUsage: (one) => usage.push(one),
  });
  const made = await embedder.embed(Array.from({ length: 120 }, (_, index) => `text ${index}`));
  expect(made.length).toBe(120);
  expect(server.requests.map(({ path, body }) => [path, (body["requests"] as unknown[]).length])).toEqual([
    ["/v1/models/gemini-embedding-001:batchEmbedContents", 100],
    ["/v1/models/gemini-embedding-001:batchEmbedContents", 20],
  ]);
  expect(server.requests[0]).toHaveProperty("body.requests.0", {
    model: "models/gemini-embedding-001",
    content: { parts: [{ text: "text 0" }] },
    taskType: "SEMANTIC_SIMILARITY",
    outputDimensionality: 2,
  });
  expect(server.requests[0]?.headers["x-goog-api-key"]).toBe("k");
  expect(usage).toMatchObject([{ tokens: undefined, costUsd: undefined }, { texts: 20 }]);
});

test("Vertex AI gets instances, one per request for a Gemini model, and its tokens are counted", async () => {
  await using server = await vectorServer(({ body }) => ({
    body: {
      predictions: (body["instances"] as unknown[]).map(() => ({
        embeddings: { values: [1, 2], statistics: { token_count: 4 } },
      })),
    },
  }));
  const usage: EmbeddingUsage[] = [];
  const embedder = googleEmbedder("gemini-embedding-001", {
    baseURL: server.url,
    vertexai: true,
    apiKey: "k",
    dimensions: 2,
    onUsage: (one) => usage.push(one),
  });
  await embedder.embed(["a", "b"]);
  expect(server.requests.map(({ body }) => body)).toEqual([
    { instances: [{ content: "a" }], parameters: { outputDimensionality: 2 } },
    { instances: [{ content: "b" }], parameters: { outputDimensionality: 2 } },
  ]);
  expect(server.requests[0]?.path).toContain("publishers/google/models/gemini-embedding-001:predict");
  expect(usage).toMatchObject([{ tokens: 4, costUsd: (4 * 0.15) / 1_000_000 }, { tokens: 4 }]);
});

test("a rate limit is retried after the delay in the body, and a wrong key is a typed error [providers.embedder.retry]", async () => {
  const limited = {
    error: {
      code: 429,
      message: "Slow down.",
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "0.01s" }],
    },
  };
  const wrong = { error: { code: 400, message: "API key not valid.", details: [{ reason: "API_KEY_INVALID" }] } };
  await using server = await vectorServer((_, index) =>
    index === 0
      ? { status: 429, body: limited }
      : index === 1
        ? { body: { embeddings: [{ values: [1, 2] }] } }
        : { status: 400, body: wrong },
  );
  const embedder = googleEmbedder("gemini-embedding-001", { baseURL: server.url, apiKey: "k", dimensions: 2 });
  expect(await embedder.embed(["a"])).toEqual([[1, 2]]);
  await expect(embedder.embed(["a"])).rejects.toMatchObject({ code: "MODEL_AUTHENTICATION_FAILED" });
});

test("an unknown model needs a vector length", () => {
  expect(() => googleEmbedder("our-model")).toThrow(/needs "dimensions"/);
  expect(googleEmbedder("gemini-embedding-001").dims).toBe(3072);
});
