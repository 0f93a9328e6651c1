import { ContextOverflowError, type ModelError } from "@bailiwick/core";
import { collectChunks, type Arrival } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { ended } from "./answers.fixture.ts";
import { user } from "./ask.fixture.ts";
import { framed, replaying, whole } from "./replay.fixture.ts";

const hi = { messages: [user("Hi")] };
const key = "test-0123456789";
const error = (code: number, status: string, message: string, details: readonly object[] = []) => ({
  error: { code, status, message, ...(details.length > 0 ? { details } : {}) },
});

/** The error of a body with an error status, whole and streamed. */
async function thrown(body: unknown, arrival: Arrival): Promise<readonly ModelError[]> {
  const json = { headers: { "content-type": "application/json; charset=UTF-8", ...arrival.headers } };
  const model = replaying("gemini-2.5-flash", typeof body === "string" ? new TextEncoder().encode(body) : whole(body), {
    ...arrival,
    ...json,
  });
  const whole_ = await model.generate(hi).catch((caught: unknown) => caught);
  return [whole_ as ModelError, (await collectChunks(model.stream(hi))).error as ModelError];
}

describe("arrays of errors", () => {
  test("an error wrapped in an array is read like a plain error, also inside a stream [providers.google.error-array] [field-bug:PB-provider-errors-03]", async () => {
    const overloaded = error(503, "UNAVAILABLE", "The model is overloaded.");
    for (const body of [overloaded, [overloaded]]) {
      for (const caught of await thrown(body, { status: 503 })) {
        expect(caught).toMatchObject({ code: "MODEL_UNAVAILABLE", status: 503, retryable: true });
        expect(caught.message).toContain("The model is overloaded.");
      }
      const begun = { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }] };
      const bare = new TextEncoder().encode(`\n${JSON.stringify(body)}\n`);
      for (const bytes of [framed([begun, body]), new Uint8Array([...framed([begun]), ...bare])]) {
        const { chunks, error: caught } = await collectChunks(replaying("gemini-2.5-flash", bytes).stream(hi));
        expect(chunks.map(({ type }) => type)).toEqual(["text"]);
        expect(caught).toMatchObject({ code: "MODEL_UNAVAILABLE", status: 503, retryable: true });
        expect((caught as ModelError).partial?.message).toMatchObject({ partial: true });
      }
    }
  });

  test("an error in a stream before any output can be retried [providers.google.error-array] [providers.rule.stream-end.error-frame]", async () => {
    const events = [error(429, "RESOURCE_EXHAUSTED", "Try later.", [retryInfo("2s")])];
    const { error: caught } = await collectChunks(replaying("gemini-2.5-flash", framed(events)).stream(hi));
    expect(caught).toMatchObject({ code: "MODEL_RATE_LIMITED", retryable: true, retryAfterMs: 2000 });
  });
});

const retryInfo = (retryDelay: string) => ({ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay });
const violated = (quotaId: string) => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ quotaMetric: "m", quotaId }],
});

describe("delays and quotas", () => {
  const quota = "You exceeded your current quota, please check your plan and billing details.";

  test("the delay is in RetryInfo; a header has precedence [providers.rule.retry.delay]", async () => {
    const body = error(429, "RESOURCE_EXHAUSTED", "Slow down.", [retryInfo("0.25s")]);
    for (const caught of await thrown(body, { status: 429 })) expect(caught.retryAfterMs).toBe(250);
    for (const caught of await thrown(body, { status: 429, headers: { "retry-after": "3" } })) {
      expect(caught.retryAfterMs).toBe(3000);
    }
  });

  test("a per-minute limit is waited for, a per-day limit is not, even with the same text [providers.rule.retry.quota]", async () => {
    for (const [details, code] of [
      [[violated("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), retryInfo("34.4s")], "MODEL_RATE_LIMITED"],
      [[violated("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo("34.4s")], "MODEL_QUOTA_EXCEEDED"],
      [[], "MODEL_QUOTA_EXCEEDED"],
    ] as const) {
      for (const caught of await thrown(error(429, "RESOURCE_EXHAUSTED", quota, details), { status: 429 })) {
        expect([caught.code, caught.retryable]).toEqual([code, code === "MODEL_RATE_LIMITED"]);
      }
    }
  });
});

describe("errors", () => {
  test("a wrong key is an authentication error, though its status is 400 [providers.rule.errors]", async () => {
    const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };
    for (const caught of await thrown(error(400, "INVALID_ARGUMENT", "API key not valid.", [info]), { status: 400 })) {
      expect(caught).toMatchObject({ code: "MODEL_AUTHENTICATION_FAILED", status: 400, retryable: false });
    }
  });

  test("headers are kept with secrets redacted, and the key is never included [providers.rule.errors]", async () => {
    const body = error(500, "INTERNAL", `It broke for ${key}. ${"x".repeat(9000)}`);
    const headers = { "set-cookie": "session=1", "x-goog-request-id": "req-1", "x-other": "kept" };
    for (const caught of await thrown(body, { status: 500, headers })) {
      expect(caught).toMatchObject({ requestId: "req-1", headers: { "x-other": "kept", "set-cookie": "[redacted]" } });
      expect(caught.body?.length).toBe(4000);
      expect(JSON.stringify([caught.message, caught.body, caught.headers])).not.toContain(key);
    }
  });

  test("a body that is not JSON, under any content type, keeps its status and text [providers.rule.errors]", async () => {
    for (const headers of [{ "content-type": "text/html" }, {}]) {
      for (const caught of await thrown("<html>Bad gateway</html>", { status: 502, headers })) {
        expect(caught).toMatchObject({ code: "MODEL_UNAVAILABLE", status: 502, retryable: true });
      }
    }
    const nested = JSON.stringify(error(404, "NOT_FOUND", "models/x is not found."));
    const model = replaying("x", new TextEncoder().encode(nested), {
      status: 404,
      headers: { "content-type": "text/plain" },
    });
    await expect(model.generate(hi)).rejects.toMatchObject({ code: "MODEL_NOT_FOUND", status: 404 });
    await expect(model.generate(hi)).rejects.toThrow(/: models\/x is not found\./);
  });
});

test("a request that is too long is one error, by its text and by its counts [providers.rule.overflow] [providers.rule.overflow.silent]", async () => {
  const said = "The input token count (1048577) exceeds the maximum number of tokens allowed (1048576).";
  for (const caught of await thrown(error(400, "INVALID_ARGUMENT", said), { status: 400 })) {
    expect(caught).toBeInstanceOf(ContextOverflowError);
  }
  const silent = { ...ended("MAX_TOKENS"), usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 } };
  await expect(replaying("gemini-2.5-flash", whole(silent)).generate(hi)).rejects.toBeInstanceOf(ContextOverflowError);
  const cut = replaying("gemini-2.5-flash", whole(silent)).generate({ ...hi, maxTokens: 8 });
  await expect(cut).resolves.toMatchObject({ finishReason: "length" });
});
