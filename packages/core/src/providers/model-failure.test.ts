import {
  ConfigurationError,
  ModelAbortedError,
  ModelConnectionError,
  ModelError,
  ModelResponseError,
} from "@bailiwick/core";
import { modelFailure, strayError, type FailingModel } from "@bailiwick/core/provider";
import { inspect } from "node:util";
import { expect, test } from "vitest";

const model: FailingModel = { provider: "acme", modelId: "m1", readFailure: () => undefined };

test("a connection failure names its root cause, and whether the request may have run [providers.rule.errors]", () => {
  const refused = new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" }),
  });
  const error = modelFailure(refused, model, {});
  expect(error).toBeInstanceOf(ModelConnectionError);
  expect(error).toMatchObject({ retryable: true, mayHaveRun: false, provider: "acme", model: "m1" });
  expect(error.message).toContain("The connection to acme failed: ECONNREFUSED connect refused. Check");
  const cut = modelFailure(new TypeError("terminated"), model, {});
  expect(cut).toMatchObject({ code: "MODEL_CONNECTION_ERROR", retryable: true, mayHaveRun: true });
  expect(modelFailure(new DOMException("late", "TimeoutError"), model, {})).toBeInstanceOf(ModelConnectionError);
  const own: FailingModel = { ...model, readFailure: () => "connection" };
  expect(modelFailure(new Error("The SDK's own words"), own, {})).toBeInstanceOf(ModelConnectionError);
});

test("a programming error is not a connection failure: it is passed on unchanged [providers.rule.errors]", () => {
  const mistake = new TypeError("Cannot read properties of undefined (reading 'content')");
  expect(modelFailure(mistake, model, {})).toBe(mistake);
  expect(modelFailure("thrown text", model, {})).toMatchObject({ message: "thrown text", cause: "thrown text" });
});

test("vendor errors, unreadable answers and our own errors are distinguished [providers.rule.errors]", () => {
  const said: FailingModel = {
    ...model,
    readFailure: () => ({ status: 429, message: "Slow down, sk-0123456789", codes: [] }),
  };
  const cause = new Error("of the SDK");
  const limited = modelFailure(cause, said, { apiKey: "sk-0123456789" });
  expect(limited).toMatchObject({ code: "MODEL_RATE_LIMITED", status: 429, retryable: true, cause });
  expect(limited.message).not.toContain("sk-0123456789");
  expect(modelFailure(new SyntaxError("Unexpected end"), model, {})).toBeInstanceOf(ModelResponseError);
  const missing = new ConfigurationError("API_KEY_MISSING", "No key.");
  expect(modelFailure(new Error("no auth"), { ...model, readFailure: () => missing }, {})).toBe(missing);
  expect(modelFailure(missing, said, {})).toBe(missing);
  const wrapped = new Error("Connection error.", { cause: new Error("fetch", { cause: missing }) });
  expect(modelFailure(wrapped, { ...model, readFailure: () => "connection" }, {})).toBe(missing);
  const ours = modelFailure(new TypeError("terminated"), model, {});
  expect(ours).toBeInstanceOf(ModelError);
  expect(modelFailure(ours, said, {})).toBe(ours);
});

test("an error that quotes the key is copied without it, with its causes, and any other cause is kept [providers.rule.errors]", () => {
  const key = "sk-0123456789";
  const said: FailingModel = { ...model, readFailure: () => ({ status: 401, message: `Wrong key ${key}` }) };
  class SdkError extends Error {
    override name = "SdkError";
    readonly body = { quoted: key };
  }
  const inner = new SdkError(`401 Wrong key ${key}`);
  const outer = new Error("Request failed", { cause: inner });
  const copied = modelFailure(outer, said, { apiKey: key });
  expect(inspect(copied, { depth: 10 })).not.toContain(key);
  expect(copied.cause).toMatchObject({
    message: "Request failed",
    cause: { name: "SdkError", message: "401 Wrong key [redacted]" },
  });
  const plain = new SdkError("401 Wrong key");
  expect(modelFailure(plain, said, { apiKey: key }).cause).toBe(plain);
});

test("the page of a proxy becomes its text, and a status before the vendor's sentence is left out [providers.rule.errors]", () => {
  const failing = (message: string): FailingModel => ({ ...model, readFailure: () => ({ status: 502, message }) });
  const page = "<!DOCTYPE html>\n<html><style>b { color: red }</style><h1>502 Bad Gateway</h1><p>nginx</p></html>";
  for (const message of [page, `502 ${page}`, "502 Bad Gateway nginx", "502 502 Bad Gateway nginx"])
    expect(modelFailure(new Error("502"), failing(message), {}).message).toMatch(
      /status 502\): (502 )?Bad Gateway nginx\. Try again later\.$/,
    );
});

test("the vendor's own code counts before the status [providers.rule.errors.code-first]", () => {
  for (const [status, code, expected] of [
    [400, "model_not_found", "MODEL_NOT_FOUND"],
    [422, "model_not_found", "MODEL_NOT_FOUND"],
    [400, "API_KEY_INVALID", "MODEL_AUTHENTICATION_FAILED"],
    [400, "invalid_api_key", "MODEL_AUTHENTICATION_FAILED"],
    [400, "invalid_value", "MODEL_API_ERROR"],
  ] as const) {
    const readFailure = () => ({ status, message: "No.", codes: [code] });
    const error = modelFailure(new Error("of the SDK"), { ...model, readFailure }, {});
    expect([code, error]).toMatchObject([code, { code: expected, status, retryable: false }]);
  }
});

test("an abort is reported as an abort, whatever error was thrown [providers.rule.abort]", () => {
  const reason = new Error("enough");
  const error = modelFailure(new SyntaxError("half an answer"), model, { aborted: true, reason });
  expect(error).toBeInstanceOf(ModelAbortedError);
  expect(error.cause).toBe(reason);
});

test("a stream error without an envelope is recognised in each known form [providers.rule.errors]", () => {
  const error = { message: "overloaded" };
  for (const body of [error, { error }, [error], [{ error }]]) {
    expect(strayError(JSON.stringify(body))).toEqual(error);
  }
  for (const text of ["", "<html>", "{ broken", "[]", '["text"]']) expect(strayError(text)).toBeUndefined();
});
