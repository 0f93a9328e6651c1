import { APIConnectionError } from "@anthropic-ai/sdk";
import {
  ConfigurationError,
  ContextOverflowError,
  type ModelApiError,
  ModelConnectionError,
  ModelResponseError,
} from "@bailiwick/core";
import { collectChunks, type ScriptError } from "@bailiwick/testing";
import { modelServer, recordedServer } from "@bailiwick/testing/model-server";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { user } from "./ask.fixture.ts";
import { anthropic } from "./index.ts";
import { framed, replaying } from "./replay.fixture.ts";

const key = "sk-ant-api03-0123456789";
const hi = { messages: [user("Hi")] } as const;

async function failing(error: ScriptError): Promise<unknown> {
  await using server = await modelServer(() => ({ faults: { error } }));
  const model = anthropic("claude-opus-5", { apiKey: key, baseURL: server.baseURL("anthropic") });
  const { error: streamed } = await collectChunks(model.stream(hi));
  await expect(model.generate(hi)).rejects.toThrow((streamed as Error).message);
  expect(server.requests).toHaveLength(2);
  return streamed;
}

describe("the vendor's refusals are typed errors [providers.rule.errors]", () => {
  const rows: readonly [number, string | undefined, object][] = [
    [400, undefined, { code: "MODEL_API_ERROR", retryable: false }],
    [401, undefined, { code: "MODEL_AUTHENTICATION_FAILED", retryable: false }],
    [402, undefined, { code: "MODEL_QUOTA_EXCEEDED", retryable: false }],
    [403, undefined, { code: "MODEL_AUTHENTICATION_FAILED", retryable: false }],
    [404, undefined, { code: "MODEL_NOT_FOUND", retryable: false }],
    [
      400,
      "Your credit balance is too low to access the Anthropic API.",
      { code: "MODEL_QUOTA_EXCEEDED", retryable: false },
    ],
    [413, undefined, { code: "CONTEXT_OVERFLOW", retryable: false }],
    [429, undefined, { code: "MODEL_RATE_LIMITED", retryable: true }],
    [500, undefined, { code: "MODEL_UNAVAILABLE", retryable: true }],
    [529, undefined, { code: "MODEL_UNAVAILABLE", retryable: true }],
    [400, "prompt is too long: 208310 tokens > 200000 maximum", { code: "CONTEXT_OVERFLOW", retryable: false }],
    [
      429,
      "This request would exceed your rate limit of 40,000 input tokens per minute",
      { code: "MODEL_RATE_LIMITED", retryable: true },
    ],
  ];
  for (const [status, message, expected] of rows) {
    test(`${status} ${message ?? ""} [providers.rule.errors] [providers.rule.overflow]`, async () => {
      const error = await failing({ status, message, headers: { "set-cookie": "secret=1" } });
      expect(error).toMatchObject({ provider: "anthropic", model: "claude-opus-5", status, ...expected });
      expect((error as ModelApiError).requestId).toMatch(/^req_/);
      expect((error as ModelApiError).headers?.["set-cookie"]).toBe("[redacted]");
      expect((error as ModelApiError).body).toContain('"type":"error"');
    });
  }
});

test("no error contains the key, and the vendor's retry delay is read [providers.rule.errors]", async () => {
  const error = await failing({ status: 429, message: `Key ${key} is limited.`, retryAfterSeconds: 7 });
  expect(error).toMatchObject({ retryAfterMs: 7000 });
  expect(`${String(error)} ${(error as ModelApiError).body ?? ""}`).not.toContain(key);
});

test("the vendor's own messages and codes are kept, also in a frame and in a 200 [field-bug:PB-provider-errors-08] [providers.rule.errors]", async () => {
  const body = {
    type: "error",
    error: { type: "invalid_request_error", message: "tools.0: wrong", details: { error_code: "tool_name_conflict" } },
  };
  const { error: framedError } = await collectChunks(replaying("claude-opus-5", {}, framed([body])).stream(hi));
  expect(framedError).toMatchObject({
    status: 400,
    retryable: false,
    message: expect.stringContaining("tools.0: wrong") as string,
  });
  const { error: bare } = await collectChunks(
    replaying("claude-opus-5", {}, new TextEncoder().encode(JSON.stringify(body))).stream(hi),
  );
  expect(bare).toMatchObject({ status: 400 });
  await using server = await recordedServer({ wire: "anthropic-messages", json: JSON.stringify(body) });
  const model = anthropic("claude-opus-5", { apiKey: key, baseURL: server.baseURL("anthropic") });
  await expect(model.generate(hi)).rejects.toMatchObject({
    status: 400,
    body: expect.stringContaining("tool_name_conflict") as string,
  });
});

test("an answer that is not a message can be retried, unless it is a page [providers.rule.errors] [providers.rule.stream-end.page]", async () => {
  for (const json of ['{"hello":1}', "<html>", "[]"]) {
    await using server = await recordedServer({ wire: "anthropic-messages", json });
    const model = anthropic("claude-opus-5", { apiKey: key, baseURL: server.baseURL("anthropic") });
    const error = await model.generate(hi).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelResponseError);
    expect(error).toMatchObject({ retryable: json !== "<html>" });
  }
});

test("A full context window before any output is an overflow; later it is length [providers.rule.overflow.silent]", async () => {
  const stopped = { text: "", usage: { outputTokens: 5 }, rawFinish: "model_context_window_exceeded" };
  await using server = await modelServer([
    stopped,
    { ...stopped, text: "Once" },
    { text: "", finish: "length", usage: { inputTokens: 1_000_001 } },
    { text: "Found 12 pages.", usage: { inputTokens: 1_000_001 } },
  ]);
  const model = anthropic("claude-opus-5", { apiKey: key, baseURL: server.baseURL("anthropic") });
  await expect(model.generate(hi)).rejects.toBeInstanceOf(ContextOverflowError);
  expect(await model.generate(hi)).toMatchObject({
    finishReason: "length",
    rawFinishReason: "model_context_window_exceeded",
  });
  await expect(model.generate(hi)).rejects.toBeInstanceOf(ContextOverflowError);
  expect(await model.generate(hi)).toMatchObject({ finishReason: "stop", usage: { inputTokens: 1_000_001 } });
});

describe("without a key", () => {
  beforeEach(() => {
    for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"]) vi.stubEnv(name, undefined);
    vi.stubEnv("HOME", "/nonexistent");
    vi.stubEnv("XDG_CONFIG_HOME", "/nonexistent");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test("the error says what to do; a call's own key is enough [providers.rule.errors] [providers.rule.per-request-key]", async () => {
    await using server = await modelServer(() => "ok");
    const model = anthropic("claude-opus-5", { baseURL: server.baseURL("anthropic") });
    const error = await model.generate(hi).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ code: "API_KEY_MISSING" });
    // An empty variable of the environment gives an empty key.
    const empty = anthropic("claude-opus-5", { apiKey: "", baseURL: server.baseURL("anthropic") });
    for (const request of [hi, { ...hi, apiKey: "" }])
      await expect(empty.generate(request)).rejects.toMatchObject({ code: "API_KEY_MISSING" });
    expect(server.requests).toHaveLength(0);
    expect(await model.generate({ ...hi, apiKey: key })).toMatchObject({ finishReason: "stop" });
  });
});

test("a failed connection names the reason once [providers.rule.errors]", async () => {
  const gone = await modelServer([]);
  await gone.close();
  const model = anthropic("claude-opus-5", { apiKey: key, baseURL: gone.baseURL("anthropic") });
  const error = await model.generate(hi).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ModelConnectionError);
  expect(error).toMatchObject({ retryable: true, mayHaveRun: false, cause: expect.any(APIConnectionError) as Error });
  expect(String(error)).toContain("ECONNREFUSED");
});
