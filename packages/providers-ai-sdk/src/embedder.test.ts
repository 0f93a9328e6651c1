import { createCohere } from "@ai-sdk/cohere";
import { createMistral } from "@ai-sdk/mistral";
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from "ai/test";
import type { EmbeddingUsage } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { aiSdkEmbedder } from "./index.ts";
import { bodyAt, json, localServer } from "./local-server.fixture.ts";

test("Mistral's vectors are read through the AI SDK, with usage and the configured price [providers.embedder.batches]", async () => {
  await using server = await localServer([
    json({ data: [{ embedding: [1, 2] }, { embedding: [3, 4] }], usage: { prompt_tokens: 8 } }),
  ]);
  const usage: EmbeddingUsage[] = [];
  const model = createMistral({ apiKey: "k", baseURL: server.url }).embeddingModel("mistral-embed");
  const embedder = aiSdkEmbedder(model, { dimensions: 2, pricePerMillion: 125_000, onUsage: (one) => usage.push(one) });
  expect(await embedder.embed(["a", "b"])).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(bodyAt(server, 0)).toMatchObject({ model: "mistral-embed", input: ["a", "b"] });
  expect(usage).toMatchObject([{ model: "mistral/mistral-embed", texts: 2, tokens: 8, costUsd: 1 }]);
});

test("Cohere's refused request is retried, with the options of its package [providers.embedder.retry]", async () => {
  await using server = await localServer([
    json({ message: "rate limited" }, 429, { "retry-after-ms": "1" }),
    json({ embeddings: { float: [[1, 2]] }, meta: { billed_units: { input_tokens: 3 } } }),
  ]);
  const model = createCohere({ apiKey: "k", baseURL: server.url }).embeddingModel("embed-v4.0");
  const embedder = aiSdkEmbedder(model, {
    dimensions: 2,
    providerOptions: { cohere: { inputType: "search_document" } },
  });
  expect(await embedder.embed(["a"])).toEqual([[1, 2]]);
  expect(bodyAt(server, 1)).toMatchObject({ input_type: "search_document", texts: ["a"] });
});

test("requests are as large as the package allows, and a vector length is sent if configured", async () => {
  const sizes: number[] = [];
  const mock = new MockEmbeddingModelV4({
    maxEmbeddingsPerCall: 3,
    doEmbed: ({ values, dimensions }) => {
      sizes.push(values.length, dimensions ?? 0);
      return Promise.resolve({ embeddings: values.map(() => [1]), warnings: [] });
    },
  });
  await aiSdkEmbedder(mock, { dimensions: 1, sendDimensions: true }).embed(["a", "b", "c", "d"]);
  expect(sizes).toEqual([3, 1, 1, 1]);
});

test("an object that is not an embedding model, a missing vector length, and an unsupported one are refused", () => {
  expect(() => aiSdkEmbedder({} as never, { dimensions: 3 })).toThrow(/embedding model/);
  expect(() => aiSdkEmbedder(new MockEmbeddingModelV4(), {} as never)).toThrow(/"dimensions"/);
  expect(() => aiSdkEmbedder(new MockEmbeddingModelV3(), { dimensions: 3, sendDimensions: true })).toThrow(/version 3/);
});
