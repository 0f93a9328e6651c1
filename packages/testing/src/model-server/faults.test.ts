import Anthropic from "@anthropic-ai/sdk";
import { ApiError, GoogleGenAI } from "@google/genai";
import OpenAI, { APIError, RateLimitError } from "openai";
import { expect, test } from "vitest";
import { modelServer } from "./index.ts";
import { type ScriptFaults } from "../index.ts";

const text = "one two three four";
const body = { model: "gpt-4.1", messages: [{ role: "user" as const, content: "x" }] };
const claude = { model: "claude-opus-5", max_tokens: 100, messages: [{ role: "user" as const, content: "x" }] };
const overloaded = { status: 529, type: "overloaded_error", message: "Overloaded" };

function openai(url: string): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: `${url}/v1`, maxRetries: 0 });
}

/** Streams Chat Completions with faults. Returns the output before the end, and the error if there was one. */
async function stream(faults: ScriptFaults): Promise<{ lines: readonly string[]; error: unknown }> {
  await using server = await modelServer([{ text, faults }]);
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: JSON.stringify({ ...body, stream: true }),
  });
  let received = "";
  let error: unknown;
  try {
    for await (const chunk of answer.body ?? []) received += new TextDecoder().decode(chunk as Uint8Array);
  } catch (caught) {
    error = caught;
  }
  return { lines: received.split("\n\n").filter((line) => line !== ""), error };
}

test("an HTTP error has the vendor's shape, its wait included", async () => {
  const faults: ScriptFaults = {
    error: {
      status: 429,
      message: "Slow down.",
      retryAfterSeconds: 7,
      headers: { "x-ratelimit-limit-requests": "60" },
    },
  };
  await using server = await modelServer(() => ({ faults }));
  const limited = await openai(server.url)
    .responses.create({ model: "gpt-4.1", input: "x" })
    .catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(RateLimitError);
  expect(limited).toMatchObject({
    status: 429,
    code: "rate_limit_exceeded",
    error: { message: "Slow down." },
    requestID: expect.stringMatching(/^req_/),
  });
  expect((limited as RateLimitError).headers?.get("retry-after")).toBe("7");

  const client = new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 });
  const anthropic = await client.messages.create(claude).catch((error: unknown) => error);
  expect(anthropic).toMatchObject({
    status: 429,
    error: { type: "error", error: { type: "rate_limit_error", message: "Slow down." } },
    requestID: expect.stringMatching(/^req_/),
  });

  const gemini = new GoogleGenAI({ apiKey: "test", httpOptions: { baseUrl: server.url } });
  const google = await gemini.models
    .generateContent({ model: "gemini-3-pro-preview", contents: "x" })
    .catch((error: unknown) => error);
  expect(google).toBeInstanceOf(ApiError);
  expect(JSON.parse((google as ApiError).message)).toMatchObject({
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "7s" }],
    },
  });
});

test("an error's body can be given verbatim", async () => {
  await using server = await modelServer([{ faults: { error: { status: 502, body: "<html>Bad gateway</html>" } } }]);
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: "POST",
    headers: { "x-api-key": "x", "anthropic-version": "2023-06-01" },
    body: JSON.stringify(claude),
  });
  expect([answer.status, await answer.text()]).toEqual([502, "<html>Bad gateway</html>"]);
});

test("a stream is cut after an event", async () => {
  const { lines, error } = await stream({ cutAfterEvents: 3 });
  expect(lines).toHaveLength(3);
  expect(error).toBeInstanceOf(TypeError);
});

test("a stream is cut inside an event", async () => {
  const { lines, error } = await stream({ cutAfterBytes: 20 });
  expect(lines.join("")).toBe('data: {"id":"chatcmp');
  expect(error).toBeInstanceOf(TypeError);
});

test("a JSON answer is cut short", async () => {
  await using server = await modelServer([{ text, faults: { cutAfterBytes: 20 } }]);
  await expect(openai(server.url).chat.completions.create(body)).rejects.toThrow("terminated");
});

test("a stream ends cleanly without its last event", async () => {
  const { lines, error } = await stream({ omitTerminal: true });
  expect(error).toBeUndefined();
  expect(lines.at(-1)).toContain('"content":" four"');
});

test("a line of garbage is between two events", async () => {
  const { lines } = await stream({ garbage: { afterEvents: 1, line: "{nonsense" } });
  expect(lines[1]).toBe("data: {nonsense");
  expect(lines.at(-1)).toBe("data: [DONE]");
});

test("an error frame inside a stream has each vendor's shape", async () => {
  await using server = await modelServer(() => ({
    text,
    faults: { errorFrame: { afterEvents: 2, error: overloaded } },
  }));
  const client = new Anthropic({ apiKey: "test", baseURL: server.url, maxRetries: 0 });
  await expect(client.messages.stream(claude).finalMessage()).rejects.toMatchObject({
    error: { type: "error", error: { type: "overloaded_error" } },
  });

  const chat = async (): Promise<void> => {
    for await (const _chunk of await openai(server.url).chat.completions.create({ ...body, stream: true }));
  };
  await expect(chat()).rejects.toBeInstanceOf(APIError);

  const types: string[] = [];
  const responses = async (): Promise<void> => {
    for await (const event of await openai(server.url).responses.create({ model: "gpt-4.1", input: "x", stream: true }))
      types.push(event.type);
  };
  await expect(responses()).rejects.toMatchObject({ error: { message: "Overloaded" } });
  expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);

  const raw = await fetch(`${server.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: '{"model":"gpt-4.1","input":"x","stream":true}',
  });
  const failed = (await raw.text()).split("\n\n").slice(2, 4);
  expect(failed[0]).toMatch(
    /^event: error\ndata: \{"type":"error","sequence_number":2,"error":\{"message":"Overloaded"/,
  );
  expect(failed[1]).toMatch(
    /^event: response.failed\n.*"sequence_number":3.*"status":"failed".*"error":\{"code":"overloaded_error"/,
  );

  const google = await fetch(`${server.url}/v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse`, {
    method: "POST",
    headers: { "x-goog-api-key": "x" },
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "x" }] }] }),
  });
  expect((await google.text()).split("\r\n\r\n")[2]).toBe(
    'data: {"error":{"code":529,"message":"Overloaded","status":"overloaded_error"}}',
  );
});

test("a hanging stream is ended by the client, which the server sees", async () => {
  await using server = await modelServer(({ turn }) => ({ text, faults: { hangAfterEvents: turn === 0 ? 2 : 0 } }));
  const controller = new AbortController();
  const chunks = await openai(server.url).chat.completions.create(
    { ...body, stream: true },
    { signal: controller.signal },
  );
  let seen = 0;
  for await (const _chunk of chunks) {
    seen += 1;
    if (seen === 2) controller.abort();
  }
  expect(seen).toBe(2);
  // On a busy machine, a request may be cancelled before it arrives.
  while (server.requests.length < 2) {
    const silent = openai(server.url).chat.completions.create(body, { timeout: 50 });
    await expect(silent).rejects.toThrow("timed out");
  }
  await expect.poll(() => server.requests.every((request) => request.aborted)).toBe(true);
});

test("closing the server ends a hanging answer", async () => {
  const server = await modelServer([{ text, faults: { hangAfterEvents: 1 } }]);
  const answer = await fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: "Bearer x" },
    body: JSON.stringify({ ...body, stream: true }),
  });
  const rest = answer.text();
  await server.close();
  await expect(rest).rejects.toThrow("terminated");
  expect(server.requests[0]?.aborted).toBe(false);
});

test("delays apply to the answer and to each event; a JSON answer is one event", async () => {
  const aDay = 86_400_000;
  const steps = [{ delayMs: aDay }, { delayPerEventMs: aDay }, { delayPerEventMs: aDay }];
  const server = await modelServer(steps.map((faults) => ({ text, faults })));
  const ask = async (stream: boolean): Promise<Response> =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer x" },
      body: JSON.stringify({ ...body, stream }),
    });
  const whole = ask(true);
  await expect.poll(() => server.requests).toHaveLength(1);
  const begun = await ask(true);
  const json = ask(false);
  await expect.poll(() => server.requests).toHaveLength(3);
  const settled = Promise.allSettled([whole, begun.text(), json]);
  await server.close();
  const reasons = (await settled).map((result) => (result.status === "rejected" ? String(result.reason) : "answered"));
  expect(reasons).toEqual(["TypeError: fetch failed", "TypeError: terminated", "TypeError: fetch failed"]);
});

test("a script that cannot be played reports it, in a form that clients do not repeat", async () => {
  await using server = await modelServer([{ text, faults: { omitTerminal: true } }]);
  const client = openai(server.url);
  await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, code: "SCRIPT_UNSUPPORTED" });
  await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, code: "SCRIPT_EXHAUSTED" });
  expect(server.requests[1]?.failure?.message).toContain("The script has 1 step(s) and request 2 came");
  await expect(modelServer([{ faults: { error: { status: 500 }, omitTerminal: true } }])).rejects.toMatchObject({
    code: "SCRIPT_INVALID",
  });
  await expect(modelServer([{ text, parts: [] }])).rejects.toMatchObject({ code: "SCRIPT_INVALID" });
  await expect(modelServer([{ text, deltas: ["one"] }])).rejects.toMatchObject({ code: "SCRIPT_INVALID" });
  await expect(modelServer([], { allow: ["openai.everything"] })).rejects.toThrow('"allow" names "openai.everything"');
});

test("the allow option accepts the listed refusals, or all of them", async () => {
  const bad = { ...body, messages: [{ role: "tool" as const, tool_call_id: "c", content: "x" }] };
  await using one = await modelServer(["ok"], { allow: ["chat.tool-message-without-call"] });
  expect((await openai(one.url).chat.completions.create(bad)).choices[0]?.message.content).toBe("ok");
  await using all = await modelServer(["ok"], { strict: false });
  expect((await openai(all.url).chat.completions.create(bad)).choices[0]?.message.content).toBe("ok");
});

test("an unknown path and a body that is not JSON are answered as errors", async () => {
  await using server = await modelServer([]);
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(404);
  const answer = await fetch(`${server.url}/v1/responses`, { method: "POST", body: "{" });
  expect(answer.status).toBe(400);
  expect(server.requests.map((request) => [request.wire, request.text, request.body])).toEqual([
    ["unknown", "", undefined],
    ["openai-responses", "{", undefined],
  ]);
});
