import Anthropic, { BaseAnthropic } from "@anthropic-ai/sdk";
import { fetchNode } from "@bailiwick/fetch-node";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer, recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { user, type Sent } from "./ask.fixture.ts";
import { anthropic, anthropicOptions } from "./index.ts";

const hi = { messages: [user("Hi")] } as const;

test("an SDK client is used unchanged, with its retries off and its betas kept [providers.contract] [providers.anthropic.beta-header]", async () => {
  await using server = await modelServer(({ turn }) => (turn < 2 ? "ok" : { faults: { error: { status: 529 } } }));
  const client = new Anthropic({
    apiKey: "sk-client",
    baseURL: server.baseURL("anthropic"),
    maxRetries: 5,
    defaultHeaders: { "anthropic-beta": "of-client-1", "x-team": "blue" },
  });
  const model = anthropic("claude-opus-5", { client, betas: ["of-model-1"] });
  expect(await model.generate({ ...hi, providerOptions: anthropicOptions({ betas: ["of-call-1"] }) })).toMatchObject({
    finishReason: "stop",
  });
  expect(finishedResponse((await collectChunks(model.stream({ ...hi, apiKey: "sk-call" }))).chunks).finishReason).toBe(
    "stop",
  );
  await expect(model.generate(hi)).rejects.toMatchObject({ status: 529 });
  expect(server.requests).toHaveLength(3);
  expect(server.requests[0]?.headers).toMatchObject({
    "x-team": "blue",
    "anthropic-beta": "of-client-1,of-model-1,of-call-1",
    authorization: "Bearer sk-client",
  });
  expect(server.requests[1]?.headers).toMatchObject({
    "anthropic-beta": "of-client-1,of-model-1",
    authorization: "Bearer sk-call",
  });
});

/** A client of another platform: its own signature, path and body, as Bedrock's and Vertex's make theirs. */
class PlatformClient extends BaseAnthropic {
  protected override async authHeaders(): Promise<undefined> {
    return undefined;
  }
  protected override validateHeaders(): void {
    // The request is signed below.
  }
  protected override backendMiddleware(): ReturnType<BaseAnthropic["backendMiddleware"]> {
    return [
      async (request, next) => {
        const { model, stream, ...body } = JSON.parse(request.body as string) as Sent;
        const action = stream === true ? "invoke-with-response-stream" : "invoke";
        const headers = new Headers(request.headers);
        headers.set("authorization", "AWS4-HMAC-SHA256 signed");
        return next({
          ...request,
          url: new URL(`/model/${String(model)}/${action}`, this.baseURL).toString(),
          headers,
          body: JSON.stringify({ ...body, anthropic_version: "bedrock-2023-05-31" }),
        });
      },
    ];
  }
}

test("an SDK client of another platform rewrites the request; a call's own key is refused there [providers.contract]", async () => {
  const events = [
    { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 3, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ];
  const whole = {
    id: "msg_1",
    type: "message",
    content: [{ type: "text", text: "Hi" }],
    stop_reason: "end_turn",
    usage: { input_tokens: 3, output_tokens: 2 },
  };
  const wire = "anthropic-messages" as const;
  await using server = await recordedServer((index) =>
    index === 0
      ? { wire, chunks: events.map((event) => JSON.stringify(event)).join("\n") }
      : { wire, json: JSON.stringify(whole) },
  );
  const client = new PlatformClient({ apiKey: null, baseURL: server.url });
  const model = anthropic("anthropic.claude-haiku-4-5-20251001-v1:0", { client });
  const { chunks, error } = await collectChunks(model.stream(hi));
  expect(error).toBeUndefined();
  const streamed = finishedResponse(chunks);
  expect({ ...(await model.generate(hi)), raw: undefined }).toEqual(streamed);
  expect(server.requests.map(({ path, headers }) => [path, headers["authorization"]])).toEqual([
    ["/model/anthropic.claude-haiku-4-5-20251001-v1:0/invoke-with-response-stream", "AWS4-HMAC-SHA256 signed"],
    ["/model/anthropic.claude-haiku-4-5-20251001-v1:0/invoke", "AWS4-HMAC-SHA256 signed"],
  ]);
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 64_000, anthropic_version: "bedrock-2023-05-31" });
  await expect(model.generate({ ...hi, apiKey: "sk-call" })).rejects.toMatchObject({ code: "API_KEY_UNSUPPORTED" });
  // The user configures the version that a platform takes.
  expect(await model.generate({ ...hi, temperature: 0.2 })).toMatchObject({ warnings: [{ subject: "temperature" }] });
  const older = anthropic(model.modelId, { client, apiVersion: "bedrock-2023-05-31" });
  expect(await older.generate({ ...hi, temperature: 0.2 })).toMatchObject({ warnings: [] });
  expect(server.requests.slice(2).map(({ body }) => (body as Sent)["temperature"])).toEqual([undefined, 0.2]);
  expect(server.requests[3]?.headers["anthropic-version"]).toBe("bedrock-2023-05-31");
});

test("an option that cannot be honoured is refused when it is given [providers.contract]", () => {
  const client = new Anthropic({ apiKey: "k" });
  const conflicts = [
    { apiKey: "k" },
    { baseURL: "https://x.example" },
    { headers: {} },
    { fetch },
    { timeoutMs: 1 },
    { allowBrowser: true },
  ];
  for (const more of conflicts) {
    expect(() => anthropic("claude-opus-5", { client, ...more })).toThrow(
      expect.objectContaining({ code: "CLIENT_CONFLICT" }) as Error,
    );
  }
  for (const maxContinuations of [-1, 1.5, Number.NaN]) {
    expect(() => anthropic("claude-opus-5", { apiKey: "k", maxContinuations })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  }
});

test("a function can provide the key for each request [providers.rule.per-request-key]", async () => {
  await using server = await modelServer(() => "ok");
  let asked = 0;
  const apiKey = async (): Promise<string> => `sk-${(asked += 1)}`;
  const model = anthropic("claude-opus-5", { apiKey, baseURL: server.baseURL("anthropic") });
  await model.generate(hi);
  await model.generate(hi);
  expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer sk-1", "Bearer sk-2"]);
});

test("the agent's HTTP client is used unless the provider has its own [providers.contract]", async () => {
  await using server = await modelServer(() => "ok");
  const used: string[] = [];
  const named =
    (name: string): typeof fetch =>
    async (...given) => {
      used.push(name);
      return fetch(...given);
    };
  const options = { apiKey: "k", baseURL: server.baseURL("anthropic") };
  await anthropic("claude-opus-5", options).generate({ ...hi, fetch: named("agent's") });
  await collectChunks(anthropic("claude-opus-5", options).stream({ ...hi, fetch: named("agent's") }));
  await anthropic("claude-opus-5", { ...options, fetch: named("own") }).generate({ ...hi, fetch: named("agent's") });
  const client = new Anthropic({ ...options, fetch: named("client's") });
  await anthropic("claude-opus-5", { client }).generate({ ...hi, fetch: named("agent's") });
  expect(used).toEqual(["agent's", "agent's", "own", "client's"]);
});

test("the lean fetch streams and is cancelled too [providers.rule.abort]", async () => {
  await using server = await modelServer(({ turn }) =>
    turn === 0 ? { text: "Grüße 👋🏽" } : { text: "One two three", faults: { hangAfterEvents: 4 } },
  );
  const model = anthropic("claude-opus-5", { apiKey: "k", baseURL: server.baseURL("anthropic"), fetch: fetchNode() });
  expect(finishedResponse((await collectChunks(model.stream(hi))).chunks).message.content).toMatchObject([
    { text: "Grüße 👋🏽" },
  ]);
  const controller = new AbortController();
  for await (const chunk of model.stream({ ...hi, signal: controller.signal })) {
    if (chunk.type !== "text") continue;
    controller.abort();
    break;
  }
  await expect.poll(() => server.requests[1]?.aborted).toBe(true);
});

test("sampling settings request the API version that still accepts them [providers.anthropic.thinking-settings] [providers.rule.warnings]", async () => {
  await using server = await modelServer(() => "ok");
  const baseURL = server.baseURL("anthropic");
  const sampled = { ...hi, temperature: 0.2 };
  const versions = async (model: ReturnType<typeof anthropic>) => {
    const from = server.requests.length;
    await model.generate(hi);
    const { warnings } = await model.generate(sampled);
    const seen = server.requests.slice(from);
    expect(seen.map(({ refusedBy }) => refusedBy)).toEqual([undefined, undefined]);
    return [...seen.map(({ headers }) => headers["anthropic-version"]), warnings.map(({ subject }) => subject)];
  };
  const client = (version: string) =>
    new Anthropic({ apiKey: "k", baseURL, defaultHeaders: { "anthropic-version": version } });
  const id = "claude-sonnet-4-5";
  expect(await versions(anthropic(id, { apiKey: "k", baseURL }))).toEqual(["2026-10-21", "2023-06-01", []]);
  expect(await versions(anthropic(id, { apiKey: "k", baseURL, apiVersion: "2023-06-01" }))).toEqual([
    "2023-06-01",
    "2023-06-01",
    [],
  ]);
  expect(await versions(anthropic(id, { apiKey: "k", baseURL, apiVersion: "2026-10-21" }))).toEqual([
    "2026-10-21",
    "2026-10-21",
    ["temperature"],
  ]);
  expect(await versions(anthropic(id, { client: client("2023-06-01") }))).toEqual(["2023-06-01", "2023-06-01", []]);
});

test("an unknown option is refused, and the right name is suggested", () => {
  expect(() => anthropic("claude-opus-5", { apikey: "key" } as object)).toThrow(
    `"apikey" is not an option of anthropic() (did you mean "apiKey"?)`,
  );
});

test("a timeout that would end every request at once is refused", () => {
  for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])
    expect(() => anthropic("claude-opus-5", { timeoutMs })).toThrow(
      `anthropic() takes a whole number of milliseconds from 1 to 2147483647`,
    );
});
