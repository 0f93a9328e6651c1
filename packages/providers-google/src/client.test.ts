import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { fetchNode } from "@bailiwick/fetch-node";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer } from "@bailiwick/testing/model-server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ended } from "./answers.fixture.ts";
import { user } from "./ask.fixture.ts";
import { google, type GoogleOptions } from "./index.ts";
import { framed, replaying, whole, type Sent } from "./replay.fixture.ts";

const hi = { messages: [user("Hi")] };
const ok = ended("STOP", [{ text: "ok" }]);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Target and headers of a request that was sent. */
async function sentBy(modelId: string, options: GoogleOptions): Promise<Sent> {
  const sent: Sent[] = [];
  await replaying(modelId, whole(ok), {}, sent, options).generate(hi);
  const [first] = sent;
  if (first === undefined) throw new Error("Nothing was sent.");
  return first;
}

describe("the SDK", () => {
  test("the SDK sets address and credentials, for the Gemini API and for Vertex AI [providers.core-without-sdk]", async () => {
    const gemini = await sentBy("gemini-3-pro", { baseURL: undefined, headers: { "x-team": "desk" } });
    expect(gemini.url).toMatch(
      /^https:\/\/generativelanguage\.googleapis\.com\/v1\w*\/models\/gemini-3-pro:generateContent$/,
    );
    expect(gemini.headers.get("x-goog-api-key")).toBe("test-0123456789");
    expect(gemini.headers.get("x-goog-api-client")).toContain("google-genai-sdk");
    expect(gemini.headers.get("x-team")).toBe("desk");
    const express = await sentBy("gemini-3-pro", { baseURL: undefined, vertexai: true });
    expect(express.url).toMatch(
      /^https:\/\/aiplatform\.googleapis\.com\/v1\w*\/publishers\/google\/models\/gemini-3-pro:generateContent$/,
    );
    const tuned = await sentBy("tunedModels/mine", { apiVersion: "v1alpha" });
    expect(tuned.url).toBe("http://127.0.0.1:1/v1alpha/tunedModels/mine:generateContent");
    const partner = await sentBy("meta/llama-4", { vertexai: true });
    expect(partner.url).toMatch(/publishers\/meta\/models\/llama-4:generateContent$/);
  });

  test("for a Vertex AI project the SDK signs in, and a call's own key is refused [providers.core-without-sdk]", async () => {
    const project = {
      apiKey: undefined,
      baseURL: undefined,
      vertexai: true,
      project: "p",
      location: "europe-west4",
      googleAuthOptions: {
        authClient: { getRequestHeaders: async () => new Headers({ authorization: "Bearer signed" }) },
      },
    } as unknown as GoogleOptions;
    const { url, headers } = await sentBy("gemini-3-pro", project);
    expect(url).toMatch(
      /^https:\/\/europe-west4-aiplatform\.googleapis\.com\/v1\w*\/projects\/p\/locations\/europe-west4\/publishers\/google\/models\/gemini-3-pro:generateContent$/,
    );
    expect(headers.get("authorization")).toBe("Bearer signed");
    expect(headers.get("x-goog-api-key")).toBeNull();
    const model = replaying("gemini-3-pro", whole(ok), {}, [], project);
    await expect(model.generate({ ...hi, apiKey: "k" })).rejects.toMatchObject({ code: "API_KEY_UNSUPPORTED" });
    expect(model.api).toBe("vertex");
  });

  test("content signed by Vertex AI is sent back to Vertex AI, and not to the Gemini API [providers.rule.provenance.other]", async () => {
    const signed = whole(ended("STOP", [{ text: "ok", thoughtSignature: "c2lnLXZlcnRleA==" }]));
    for (const vertexai of [true, false]) {
      const { message } = await replaying("gemini-3-pro", signed, {}, [], { vertexai: true }).generate(hi);
      expect(message.provenance).toEqual({ provider: "google", api: "vertex", model: "gemini-3-pro" });
      const sent: Sent[] = [];
      const target = replaying("gemini-3-pro", whole(ok), {}, sent, { vertexai });
      const history = compileHistory([...hi.messages, message, user("And?")], historyTarget(target));
      await target.generate({ messages: history.messages });
      expect(JSON.stringify(sent[0]?.body).includes("c2lnLXZlcnRleA==")).toBe(vertexai);
    }
  });

  test("option combinations that the SDK refuses are refused at construction", () => {
    expect(() => google("gemini-3-pro", { apiKey: "k", project: "p" })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  });
});

test("a function can provide the key for each request, and a missing key is reported before anything is sent [providers.rule.per-request-key]", async () => {
  let fetched = 0;
  const sent: Sent[] = [];
  const model = replaying("gemini-3-pro", whole(ok), {}, sent, { apiKey: async () => `key-${(fetched += 1)}` });
  await model.generate(hi);
  await model.generate(hi);
  await model.generate({ ...hi, apiKey: "own" });
  expect(sent.map(({ headers }) => headers.get("x-goog-api-key"))).toEqual(["key-1", "key-2", "own"]);
  vi.stubEnv("GEMINI_API_KEY", undefined);
  vi.stubEnv("GOOGLE_API_KEY", undefined);
  const keyless = replaying("gemini-3-pro", whole(ok), {}, sent, { apiKey: undefined });
  await expect(keyless.generate(hi)).rejects.toMatchObject({ code: "API_KEY_MISSING" });
  const empty = replaying("gemini-3-pro", whole(ok), {}, sent, { apiKey: "" });
  for (const request of [hi, { ...hi, apiKey: "" }])
    await expect(empty.generate(request)).rejects.toMatchObject({ code: "API_KEY_MISSING" });
  expect(sent).toHaveLength(3);
  vi.stubEnv("GEMINI_API_KEY", "from-environment");
  await replaying("gemini-3-pro", whole(ok), {}, sent, { apiKey: undefined }).generate(hi);
  expect(sent[3]?.headers.get("x-goog-api-key")).toBe("from-environment");
});

test("the agent's HTTP client is used unless the model has its own [providers.core-without-sdk]", async () => {
  await using server = await modelServer(["Grüße 👋", "Grüße 👋", "Own."]);
  const lean = fetchNode();
  const used: string[] = [];
  const agents: typeof fetch = (input, init) => {
    used.push("agent");
    return lean(input, init);
  };
  const options = { apiKey: "k", baseURL: server.baseURL("google") };
  const model = google("gemini-3-pro", options);
  expect((await model.generate({ ...hi, fetch: agents })).message.content).toEqual([
    { type: "text", text: "Grüße 👋" },
  ]);
  const { chunks } = await collectChunks(model.stream({ ...hi, fetch: agents }));
  expect(finishedResponse(chunks).message.content).toEqual([{ type: "text", text: "Grüße 👋" }]);
  const own = google("gemini-3-pro", { ...options, fetch: (...given) => (used.push("own"), fetch(...given)) });
  await own.generate({ ...hi, fetch: agents });
  expect(used).toEqual(["agent", "agent", "own"]);
});

test("the SDK does not retry [providers.rule.retry]", async () => {
  await using server = await modelServer([{ faults: { error: { status: 503 } } }, "Never asked for."]);
  const model = google("gemini-3-pro", { apiKey: "k", baseURL: server.baseURL("google") });
  await expect(model.generate(hi)).rejects.toMatchObject({ code: "MODEL_UNAVAILABLE", retryable: true });
  expect(server.requests).toHaveLength(1);
});

test("a server that never answers times out after timeoutMs, and may be retried [providers.rule.errors]", async () => {
  await using server = await modelServer([
    { faults: { hangAfterEvents: 0 } },
    { text: "a b c", faults: { hangAfterEvents: 1 } },
  ]);
  const within = (timeoutMs: number) =>
    google("gemini-3-pro", { apiKey: "test", baseURL: server.baseURL("google"), timeoutMs });
  await expect(within(50).generate(hi)).rejects.toMatchObject({ code: "MODEL_CONNECTION_ERROR", retryable: true });
  // Long enough for the first event on a busy machine.
  const { error } = await collectChunks(within(1_500).stream(hi));
  expect(error).toMatchObject({ code: "MODEL_CONNECTION_ERROR", retryable: true });
});

test("raw events equal the vendor's, unchanged by the adapter [providers.rule.raw-tap]", async () => {
  const events = ["One ", "two."].map((text) => ({ candidates: [{ content: { role: "model", parts: [{ text }] } }] }));
  const all = [...events, ended("STOP")];
  const { chunks } = await collectChunks(
    replaying("gemini-3-pro", framed(all)).stream({ ...hi, includeRawEvents: true }),
  );
  expect(chunks.flatMap((chunk) => (chunk.type === "raw" ? [chunk.event] : []))).toEqual(all);
});

test("an unknown option is refused, and the right name is suggested", () => {
  expect(() => google("gemini-3-pro", { apikey: "key" } as object)).toThrow(
    `"apikey" is not an option of google() (did you mean "apiKey"?)`,
  );
});

test("a timeout that would end every request at once is refused", () => {
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    expect(() => google("gemini-3-pro", { timeoutMs })).toThrow(
      `google() takes a whole number of milliseconds from 1 to 2147483647`,
    );
});
