import {
  apiError,
  linkSignal,
  redactHeaders,
  saysOverflow,
  toolNameReader,
  wellFormedJson,
  wireToolName,
} from "@bailiwick/core/provider";
import { BailiwickError, ContextOverflowError, modelRegistry, type ModelProvider } from "@bailiwick/core";
import { expect, test } from "vitest";

const limits = { pattern: /^[a-zA-Z0-9_-]+$/, maxLength: 64 };

test("names with dots and slashes map both ways without collisions [providers.rule.tool-names]", () => {
  const names = ["look", "crm.find", "crm/find", "crm_find", "x".repeat(80), `${"x".repeat(80)}y`, "ünï"];
  const wire = names.map((name) => wireToolName(name, limits));
  for (const name of wire) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(new Set(wire).size).toBe(names.length);
  expect(wire[0]).toBe("look");
  const read = toolNameReader(names, limits);
  expect(wire.map((name) => read(name))).toEqual(names);
  expect(read("invented")).toBe("invented");
});

test("each vendor's texts for quota and for throttling are distinguished [providers.rule.overflow] [providers.rule.overflow.not-throttling]", () => {
  for (const text of [
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    "the request exceeds the available context size (4096 tokens)",
    "Your input exceeds the context window of this model.",
    "This model's maximum prompt length is 131072",
    "Prompt contains 70000 tokens, too large for model with 32768 maximum context length",
    "The input (70000 tokens) is longer than the model's context length (32768 tokens).",
    "The decoder prompt (length 50000) is longer than the maximum model length of 32768.",
    "The number of tokens to keep from the initial prompt is greater than the context length.",
    "Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)",
    "prompt token count of 140000 exceeds the limit of 128000",
    "Range of input length should be [1, 30720]",
    "`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens",
  ]) {
    expect([text, saysOverflow({ status: 400, text })]).toEqual([text, true]);
  }
  for (const text of [
    "Too many tokens per minute",
    "Rate limit reached for tokens per min (TPM)",
    "You exceeded your current quota of tokens",
    "Invalid tool call",
  ]) {
    expect([text, saysOverflow({ status: 400, text })]).toEqual([text, false]);
  }
  expect(saysOverflow({ status: 413, text: "" })).toBe(true);
  expect(apiError({ provider: "p", model: "m", status: 400, message: "prompt is too long" })).toBeInstanceOf(
    ContextOverflowError,
  );
});

test("a gateway's error page is shortened in the message, and longer in the body [providers.rule.errors]", () => {
  const page = "bad gateway ".repeat(1_000);
  const error = apiError({ provider: "p", model: "m", status: 502, message: page, body: page });
  expect(error.message.length).toBeLessThan(1_200);
  expect(error.message).toContain("12000 characters in all)");
  expect(error.body).toHaveLength(4_000);
});

test("secret headers are redacted, and rate-limit headers remain readable [providers.rule.errors]", () => {
  expect(
    redactHeaders([
      ["set-cookie", "a=b"],
      ["x-api-key", "k"],
      ["x-session-token", "t"],
      ["x-ratelimit-remaining-tokens", "5"],
      ["x-request-id", "r"],
    ]),
  ).toEqual({
    "set-cookie": "[redacted]",
    "x-api-key": "[redacted]",
    "x-session-token": "[redacted]",
    "x-ratelimit-remaining-tokens": "5",
    "x-request-id": "r",
  });
});

test("a request's own signal follows the caller's and stops listening afterwards [providers.rule.abort]", () => {
  const caller = new AbortController();
  const link = linkSignal(caller.signal);
  caller.abort(new Error("enough"));
  expect(link.signal.reason).toEqual(new Error("enough"));
  const later = new AbortController();
  const released = linkSignal(later.signal);
  released.release();
  later.abort();
  expect(released.signal.aborted).toBe(false);
});

test("a registry resolves provider and model, creates each once, and lists the names [seams.options.models]", () => {
  const made: string[] = [];
  const models = modelRegistry({
    acme: (modelId) => {
      made.push(modelId);
      return { modelId } as ModelProvider;
    },
  });
  expect(models.resolve("acme/org/model")).toBe(models.resolve("acme/org/model"));
  expect(made).toEqual(["org/model"]);
  for (const id of ["acme", "acme/", "other/model", "toString/x"]) {
    let code: string | undefined;
    try {
      models.resolve(id);
    } catch (error) {
      if (BailiwickError.isInstance(error)) ({ code } = error);
    }
    expect(code).toBe("UNKNOWN_MODEL");
  }
});

test("JSON without lone surrogates is returned as the same object [providers.rule.strings]", () => {
  const value = { a: ["x", { b: 1 }] };
  expect(wellFormedJson(value)).toBe(value);
  expect(wellFormedJson({ a: ["\ud83d"], "\udc00": null })).toEqual({ a: ["\ufffd"], "\ufffd": null });
});
