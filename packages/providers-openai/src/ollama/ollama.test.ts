import { ConfigurationError, ContextOverflowError, type Message, ModelApiError, ModelError } from "@bailiwick/core";
import type { ModelProvider, ModelRequest, ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { modelServer, recordedServer, type ModelServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { look, user } from "../ask.fixture.ts";
import { ollama, type OllamaOptions } from "./index.ts";

type Body = Readonly<Record<string, unknown>>;
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** Sends one request to the strict server, and returns the received body with the answer. */
async function asked(
  request: Partial<ModelRequest>,
  options: OllamaOptions = {},
  modelId = "qwen3",
): Promise<{ readonly body: Body; readonly response: ModelResponse }> {
  await using server: ModelServer = await modelServer(["Fine."]);
  const model = ollama(modelId, { baseURL: server.baseURL("ollama"), ...options });
  const response = await model.generate({ messages: [user("Hi")], ...request });
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual([undefined]);
  return { body: server.requests[0]?.body as Body, response };
}

test("ollama() sends num_ctx, and reports the window size to the run [providers.ollama]", async () => {
  const { body } = await asked(
    { maxTokens: 200, temperature: 0.5, topP: 0.9, stopSequences: ["END"] },
    { numCtx: 32_768 },
  );
  expect(body["options"]).toEqual({ num_ctx: 32_768, num_predict: 200, temperature: 0.5, top_p: 0.9, stop: ["END"] });
  expect(ollama("qwen3", { numCtx: 32_768 }).capabilities.contextWindow).toBe(32_768);
});

test("ollama() never lets the server truncate the beginning of a conversation [providers.ollama.window]", async () => {
  const { body } = await asked({});
  expect([body["truncate"], body["shift"]]).toEqual([false, false]);
});

test.each([
  [400, { error: "the input length exceeds the context length" }],
  [
    400,
    {
      error: JSON.stringify({
        error: {
          code: 400,
          message: "request (2622 tokens) exceeds the available context size (512 tokens), try increasing it",
          type: "exceed_context_size_error",
          n_prompt_tokens: 2622,
          n_ctx: 512,
        },
      }),
    },
  ],
])(
  "a request above the window is an overflow in the error text of each version (%s %j) [providers.ollama.window]",
  async (status, json) => {
    await using server = await recordedServer({ wire: "ollama-chat", status, json: JSON.stringify(json) });
    const model = ollama("qwen3", { baseURL: server.baseURL("ollama") });
    await expect(model.generate({ messages: [user("Hi")] })).rejects.toBeInstanceOf(ContextOverflowError);
    expect((await collectChunks(model.stream({ messages: [user("Hi")] }))).error).toBeInstanceOf(ContextOverflowError);
  },
);

test("runtime options and keep-alive are settings of the model and of a call [providers.ollama]", async () => {
  const call = { options: { seed: 7, top_k: 20, num_ctx: 8192 }, keepAlive: 0 };
  const { body } = await asked({ providerOptions: { ollama: call } }, { numCtx: 4096, keepAlive: "10m" });
  expect([body["options"], body["keep_alive"]]).toEqual([{ num_ctx: 8192, seed: 7, top_k: 20 }, 0]);
  expect((await asked({}, { keepAlive: "10m" })).body["keep_alive"]).toBe("10m");
});

test.each<[OllamaOptions, string]>([
  [{ numCtx: 0.5 }, "numCtx"],
  [{ baseURL: "http://127.0.0.1:11434/v1" }, "/v1"],
  [{ baseURL: "127.0.0.1:x" }, "not an http or https URL"],
  [{ num_ctx: 4096 } as OllamaOptions, "num_ctx"],
])("ollama(%j) throws with the message %j", (options, said) => {
  expect(() => ollama("qwen3", options)).toThrow(ConfigurationError);
  expect(() => ollama("qwen3", options)).toThrow(said);
});

test("an unknown call setting is refused", async () => {
  await expect(asked({ providerOptions: { ollama: { num_ctx: 4096 } } })).rejects.toThrow(/num_ctx/);
});

test.each([
  ["qwen3", { enabled: true }, true, []],
  ["qwen3", { enabled: false }, false, []],
  ["qwen3", { enabled: true, effort: "none" }, false, []],
  ["qwen3", { enabled: true, effort: "high" }, true, ["reasoning.effort"]],
  ["gpt-oss:20b", { enabled: true, effort: "high" }, "high", []],
  ["gpt-oss:20b", { enabled: true, effort: "xhigh" }, "high", ["reasoning.effort"]],
  ["gpt-oss:20b", { enabled: false }, "low", ["reasoning.effort"]],
] as const)(
  "%s with reasoning %j sends think %j [providers.ollama.thinking]",
  async (modelId, reasoning, think, subjects) => {
    const { body, response } = await asked({ reasoning }, {}, modelId);
    expect(body["think"]).toBe(think);
    expect(response.warnings.map(({ subject }) => subject)).toEqual(subjects);
  },
);

test("thinking is sent back with the calls that followed it [providers.ollama.thinking]", async () => {
  await using server = await modelServer([
    { reasoning: "I look it up.", toolCalls: [{ name: "look", arguments: { id: "1" } }] },
    "Paid.",
  ]);
  const model = ollama("qwen3", { baseURL: server.baseURL("ollama") });
  const { chunks } = await collectChunks(model.stream({ messages: [user("Hi")], tools: [look] }));
  const { message } = finishedResponse(chunks);
  expect(message.content.map(({ type }) => type)).toEqual(["reasoning", "tool_call"]);
  const [call] = message.toolCalls;
  const result: Message = { id: "t", role: "tool", toolCallId: call?.id ?? "", toolName: "look", content: "Paid." };
  await model.generate({ messages: [user("Hi"), message, result], tools: [look] });
  expect((server.requests[1]?.body as Body | undefined)?.["messages"]).toEqual([
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "",
      thinking: "I look it up.",
      tool_calls: [{ id: call?.id, function: { name: "look", arguments: { id: "1" } } }],
    },
    { role: "tool", content: "Paid.", tool_name: "look", tool_call_id: call?.id },
  ]);
});

test("images are sent as base64, and other media as a text that names them [providers.ollama.images]", async () => {
  const { body, response } = await asked({
    messages: [
      {
        id: "u",
        role: "user",
        content: [
          { type: "text", text: "What is it?" },
          { type: "image", data: `data:image/png;base64,${pixel}` },
          { type: "file", data: "aGk=", mimeType: "application/pdf" },
        ],
      },
    ],
  });
  expect(body["messages"]).toEqual([{ role: "user", content: "What is it?\n[file omitted]", images: [pixel] }]);
  expect(response.warnings.map(({ code }) => code)).toEqual(["media_omitted"]);
});

test.each([
  ["none", undefined, []],
  ["required", ["look", "other"], ["toolChoice"]],
  [{ toolName: "look" }, ["look"], ["toolChoice"]],
] as const)(
  "the tool choice %j offers %j, because Ollama has no tool choice [providers.ollama.tools]",
  async (toolChoice, offered, subjects) => {
    const { body, response } = await asked({ tools: [look, { ...look, name: "other" }], toolChoice });
    const sent = body["tools"] as readonly { readonly function: { readonly name: string } }[] | undefined;
    expect(sent?.map((tool) => tool.function.name)).toEqual(offered);
    expect(response.warnings.map(({ subject }) => subject)).toEqual(subjects);
  },
);

test("boolean schemas are sent as objects [providers.ollama.tools]", async () => {
  const inputSchema = { type: "object", properties: { any: true, one: { anyOf: [{ type: "string" }, false] } } };
  const { body } = await asked({ tools: [{ ...look, inputSchema }] });
  const [tool] = body["tools"] as readonly { readonly function: { readonly parameters: Body } }[];
  expect(tool?.function.parameters["properties"]).toEqual({
    any: {},
    one: { anyOf: [{ type: "string" }, { not: {} }] },
  });
});

test("the answer's schema is sent as the format [providers.ollama]", async () => {
  const schema = { type: "array", items: { type: "string" } };
  const { body } = await asked({ output: { name: "names", schema } });
  expect(body["format"]).toEqual(schema);
});

/** Answers as the vendor's pages and public reports show them. */
const lines = (...list: readonly object[]): string => `${list.map((line) => JSON.stringify(line)).join("\n")}\n`;
const said = (message: object, more: object = {}): object => ({
  model: "qwen3",
  created_at: "2026-11-02T10:00:00.000000Z",
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...more,
});
const end = { done: true, done_reason: "stop", prompt_eval_count: 11, eval_count: 5, total_duration: 9 };

async function streamed(chunks: string): Promise<Awaited<ReturnType<typeof collectChunks>>> {
  await using server = await recordedServer({ wire: "ollama-chat", chunks });
  const model: ModelProvider = ollama("qwen3", { baseURL: server.baseURL("ollama") });
  return await collectChunks(model.stream({ messages: [user("Hi")], tools: [look] }));
}

test("calls without ids, and two with one id, are separate calls [providers.ollama.tools]", async () => {
  const call = (id?: string) => ({
    ...(id === undefined ? {} : { id }),
    function: { name: "look", arguments: { id: "1" } },
  });
  const { chunks } = await streamed(
    lines(said({ tool_calls: [call(), call()] }), said({ tool_calls: [call("c"), call("c")] }), said({}, end)),
  );
  const { message, finishReason, usage } = finishedResponse(chunks);
  expect(new Set(message.toolCalls.map(({ id }) => id)).size).toBe(4);
  expect(message.toolCalls.map(({ input }) => input)).toEqual([1, 2, 3, 4].map(() => ({ id: "1" })));
  expect([finishReason, usage.inputTokens, usage.outputTokens]).toEqual(["tool_calls", 11, 5]);
  expect(usage.providerMetrics).toMatchObject({ total_duration: 9 });
});

test("the last line may contain the call itself, and an old server sends no reason [providers.ollama]", async () => {
  const { done_reason: _reason, ...bare } = end;
  const { chunks } = await streamed(lines(said({ content: "Hello" }, bare)));
  expect(finishedResponse(chunks)).toMatchObject({ finishReason: "stop", rawFinishReason: "stop" });
});

test("an error line ends the answer with the vendor's message [providers.ollama.errors]", async () => {
  const { error } = await streamed(
    lines(said({ content: "Hel" }), { error: "an error was encountered while running the model" }),
  );
  expect(error).toBeInstanceOf(ModelError);
  expect(error).toMatchObject({
    message: expect.stringContaining("an error was encountered") as string,
    retryable: true,
  });
  expect((error as ModelError).partial?.message.content).toEqual([{ type: "text", text: "Hel" }]);
});

test.each([
  [404, `model "qwen3" not found, try pulling it first`, "MODEL_NOT_FOUND"],
  [400, "registry.ollama.ai/library/gemma:latest does not support tools", "MODEL_API_ERROR"],
  [429, "you've reached your hourly usage limit", "MODEL_RATE_LIMITED"],
  [500, "llama runner process has terminated: signal: killed", "MODEL_UNAVAILABLE"],
])("status %s (%s) is %s [providers.ollama.errors]", async (status, words, code) => {
  await using server = await recordedServer({ wire: "ollama-chat", status, json: JSON.stringify({ error: words }) });
  const failed = ollama("qwen3", { baseURL: server.baseURL("ollama") }).generate({ messages: [user("Hi")] });
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string });
  await expect(failed).rejects.toBeInstanceOf(ModelApiError);
});
