import { ModelAbortedError, type ModelError } from "@bailiwick/core";
import type { EmbeddingUsage } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { openaiEmbedder } from "./index.ts";
import { vectorServer, type VectorRequest } from "./vector-server.fixture.ts";

const inputOf = ({ body }: VectorRequest) => body["input"] as readonly string[];

/** Vectors of length 2 that contain the length of their text; out of order, so the index matters. */
const vectors = (request: VectorRequest) => ({
  body: {
    data: inputOf(request)
      .map((text, index) => ({ index, embedding: [text.length, 1] }))
      .toReversed(),
    usage: { prompt_tokens: inputOf(request).length * 10, total_tokens: inputOf(request).length * 10 },
  },
});

test("texts are sent in requests that OpenAI accepts, and the vectors are in the order of the texts [providers.embedder.batches]", async () => {
  await using server = await vectorServer(vectors);
  const usage: EmbeddingUsage[] = [];
  const embedder = openaiEmbedder("text-embedding-3-small", {
    baseURL: `${server.url}/v1`,
    apiKey: "k",
    dimensions: 2,
    onUsage: (one) => usage.push(one),
  });
  const texts = Array.from({ length: 2100 }, (_, index) => "x".repeat((index % 7) + 1));
  const made = await embedder.embed(texts);
  expect(made.map(([length]) => length)).toEqual(texts.map(({ length }) => length));
  expect(server.requests.map((request) => inputOf(request).length)).toEqual([2048, 52]);
  expect(server.requests[0]).toMatchObject({
    path: "/v1/embeddings",
    headers: { authorization: "Bearer k" },
    body: { model: "text-embedding-3-small", encoding_format: "float", dimensions: 2 },
  });
  expect(usage).toMatchObject([
    { model: "openai/text-embedding-3-small", texts: 2048, tokens: 20_480 },
    { texts: 52, tokens: 520 },
  ]);
  expect(usage[1]?.costUsd).toBeCloseTo((520 * 0.02) / 1_000_000, 12);

  await embedder.embed(Array.from({ length: 5 }, () => "y".repeat(100_000)));
  expect(server.requests.slice(2).map((request) => inputOf(request).length)).toEqual([3, 2]);
});

test("a local server gets texts in its form, without a length and without a key", async () => {
  await using server = await vectorServer(vectors);
  const embedder = openaiEmbedder("nomic-embed-text", { compat: "ollama", baseURL: `${server.url}/v1`, dimensions: 2 });
  expect([embedder.model, embedder.dims]).toEqual(["ollama/nomic-embed-text", 2]);
  await embedder.embed(["", "half \ud83d", ...Array.from({ length: 40 }, () => "z")]);
  expect(server.requests.map((request) => inputOf(request).length)).toEqual([32, 10]);
  const [first] = server.requests;
  expect(first?.body).not.toHaveProperty("dimensions");
  expect(inputOf(first as VectorRequest).slice(0, 2)).toEqual([" ", "half \ufffd"]);
  expect(await embedder.embed([])).toEqual([]);
});

test("a temporary failure is retried after the vendor's delay, any other is not [providers.embedder.retry]", async () => {
  await using server = await vectorServer((request, index) =>
    index === 0
      ? { status: 429, headers: { "retry-after-ms": "1" }, body: { error: { message: "Slow down." } } }
      : index === 1
        ? vectors(request)
        : { status: 401, body: { error: { message: "Incorrect API key provided: sk-secret-123." } } },
  );
  const embedder = openaiEmbedder("text-embedding-3-small", {
    baseURL: server.url,
    apiKey: "sk-secret-123",
    dimensions: 2,
  });
  expect(await embedder.embed(["a"])).toEqual([[1, 1]]);
  const error = await embedder.embed(["a"]).catch((thrown: unknown) => thrown as ModelError);
  expect(error).toMatchObject({ code: "MODEL_AUTHENTICATION_FAILED", provider: "openai", status: 401 });
  expect(String(error)).not.toContain("sk-secret-123");
  expect(server.requests.length).toBe(3);
  // A vendor that demands an hour is not called again at once.
  await using later = await vectorServer(() => ({ status: 429, headers: { "retry-after": "3600" }, body: {} }));
  const patient = openaiEmbedder("text-embedding-3-small", { baseURL: later.url, apiKey: "k", dimensions: 2 });
  await expect(patient.embed(["a"])).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
  expect(later.requests.length).toBe(1);
});

test("after the configured number of attempts the last failure is thrown", async () => {
  await using server = await vectorServer(() => ({ status: 503, headers: { "retry-after-ms": "1" }, body: {} }));
  const settings = { baseURL: server.url, apiKey: "k", dimensions: 2 };
  await expect(openaiEmbedder("text-embedding-3-small", settings).embed(["a"])).rejects.toMatchObject({ status: 503 });
  expect(server.requests.length).toBe(3);
  await expect(
    openaiEmbedder("text-embedding-3-small", { ...settings, maxRetries: 0 }).embed(["a"]),
  ).rejects.toMatchObject({ status: 503 });
  expect(server.requests.length).toBe(4);
});

test("an abort cancels the request and the wait for a retry [providers.embedder.abort]", async () => {
  await using server = await vectorServer((_, index) =>
    index === 0 ? "hang" : { status: 503, headers: { "retry-after": "9" }, body: {} },
  );
  const embedder = openaiEmbedder("text-embedding-3-small", { baseURL: server.url, apiKey: "k", dimensions: 2 });
  for (const requests of [1, 2]) {
    const controller = new AbortController();
    const pending = embedder.embed(["a"], { signal: controller.signal });
    await expect.poll(() => server.requests.length).toBe(requests);
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toBeInstanceOf(ModelAbortedError);
  }
});

test("a wrong vector length, a wrong number of vectors, or a missing vector is an error [providers.embedder.checked]", async () => {
  const bodies = [
    { data: [{ index: 0, embedding: [1, 2, 3] }] },
    {
      data: [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [1, 2] },
      ],
    },
    { data: [] },
  ];
  await using server = await vectorServer((_, index) => ({ body: bodies[index] }));
  const embedder = openaiEmbedder("text-embedding-3-small", {
    baseURL: server.url,
    apiKey: "k",
    dimensions: 2,
    maxRetries: 0,
  });
  await expect(embedder.embed(["a"])).rejects.toThrow("pass `dimensions: 3`");
  await expect(embedder.embed(["a"])).rejects.toThrow("2 vectors for 1 texts");
  await expect(embedder.embed(["a"])).rejects.toThrow("has no vectors");
});

test("an embedder refuses options that it cannot honour", () => {
  expect(() => openaiEmbedder("nomic-embed-text", { compat: "ollama" })).toThrow(/needs "dimensions"/);
  expect(() => openaiEmbedder("text-embedding-3-small", { dimensions: 0 })).toThrow(/"dimensions"/);
  expect(() => openaiEmbedder("text-embedding-3-small", { batch: 3 } as never)).toThrow(/"batch"/);
  expect(() => openaiEmbedder("x", { compat: "olama" as never, dimensions: 3 })).toThrow(/olama/);
});
