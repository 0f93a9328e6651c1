import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type Message, type ModelError } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { recordedServer } from "@bailiwick/testing/model-server";
import { expect, test } from "vitest";
import { openai, type OpenAIOptions } from "../index.ts";
import { framed, replaying } from "../replay.fixture.ts";
import { calls, delta, end, head, look, replay, user } from "./chat.fixture.ts";

/** The second request of a conversation: after an answer that was streamed, and its results. */
async function asksAgain(events: readonly (object | string)[], options: OpenAIOptions): Promise<unknown> {
  const sent: unknown[] = [];
  const model = replaying("some-model", options, framed(events), {}, sent);
  const { message } = finishedResponse(
    (await collectChunks(model.stream({ messages: [user("Hi")], tools: [look] }))).chunks,
  );
  const results = message.toolCalls.map(({ id }): Message => ({
    id: `r:${id}`,
    role: "tool",
    toolCallId: id,
    toolName: "look",
    content: "seen",
  }));
  const history = compileHistory([user("Hi"), message, ...results, user("So?")], historyTarget(model));
  await collectChunks(model.stream({ messages: history.messages, tools: [look] }));
  return jsonAt(sent, 1, "messages", 1);
}

/** An answer of another model with unanswered calls. */
const theirs: Message = {
  id: "a",
  role: "assistant",
  content: [],
  toolCalls: [
    { id: "one", name: "look", arguments: "{}" },
    { id: "two", name: "look", arguments: "{}" },
  ],
  finishReason: "tool_calls",
  provenance: { provider: "anthropic", api: "messages", model: "claude-opus-5" },
};

/** The calls of another model, as a server sees them. */
async function handedOver(options: OpenAIOptions): Promise<unknown> {
  const sent: unknown[] = [];
  const model = replaying("some-model", options, framed([delta({ content: "ok" }), ...end("stop")]), {}, sent);
  const { messages } = compileHistory([user("Hi"), theirs], historyTarget(model));
  await collectChunks(model.stream({ messages, tools: [look] }));
  return jsonAt(sent, 0, "messages", 1);
}

const signature = { google: { thought_signature: "c2ln" } };
const geminiCall = (id: string, extra?: object) => ({
  id,
  type: "function",
  function: { name: "look", arguments: '{"id":"1"}' },
  ...(extra === undefined ? {} : { extra_content: extra }),
});

test("Gemini's signatures are sent back on their own calls [providers.openai-chat.vendor-extras]", async () => {
  const streamed = [calls(geminiCall("a", signature)), calls(geminiCall("b")), ...end("stop")];
  const again = await asksAgain(streamed, { compat: "gemini" });
  expect(jsonAt(again, "tool_calls")).toEqual([geminiCall("a", signature), geminiCall("b")]);
  const body = JSON.stringify({
    id: "c",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: { tool_calls: [geminiCall("a", { vertex: signature.google })] },
      },
    ],
  });
  await using server = await recordedServer({ wire: "openai-chat", json: body });
  const whole = await openai("gemini-3.6-flash", {
    compat: "gemini",
    apiKey: "test",
    baseURL: server.baseURL("openai"),
  }).generate({ messages: [user("Hi")], tools: [look] });
  expect(whole.message.toolCalls[0]?.providerState).toEqual({ extra: { vertex: signature.google } });
});

test("Gemini's signature of an answer is sent back with it [providers.openai-chat.vendor-extras]", async () => {
  const pieces = [delta({ content: "O" }), delta({ content: "k", extra_content: signature })];
  const again = await asksAgain([...pieces, ...end("stop")], { compat: "gemini" });
  expect(again).toMatchObject({ content: "Ok", extra_content: signature });
  const body = { choices: [{ index: 0, finish_reason: "stop", message: { content: "Ok", extra_content: signature } }] };
  await using server = await recordedServer({ wire: "openai-chat", json: JSON.stringify(body) });
  const options = { compat: "gemini", apiKey: "test", baseURL: server.baseURL("openai") } as const;
  const { message } = await openai("gemini-3.6-flash", options).generate({ messages: [user("Hi")] });
  expect(message.providerState).toEqual({ extra: signature });
});

test("the first call of another model is marked as unsigned for Gemini [providers.openai-chat.vendor-extras]", async () => {
  expect(jsonAt(await handedOver({ compat: "gemini" }), "tool_calls")).toMatchObject([
    { id: "one", extra_content: { google: { thought_signature: "skip_thought_signature_validator" } } },
    { id: "two" },
  ]);
  expect(jsonAt(await handedOver({ compat: "gemini" }), "tool_calls", 1)).not.toHaveProperty("extra_content");
  expect(JSON.stringify(await handedOver({ compat: "groq" }))).not.toContain("extra_content");
});

test("an answer with calls but without reasoning is sent with the reasoning field [providers.openai-chat.reasoning-fields]", async () => {
  expect(await handedOver({ compat: "deepseek" })).toMatchObject({ content: null, reasoning_content: "" });
  const reasoned = [delta({ reasoning_content: "Hm." }), calls({ ...geminiCall("a"), index: 0 }), ...end()];
  expect(await asksAgain(reasoned, { compat: "deepseek" })).toMatchObject({ reasoning_content: "Hm." });
  expect(await handedOver({ compat: "vllm" })).not.toHaveProperty("reasoning_content");
});

test("pieces of one block of reasoning are sent back as one, under their signature [providers.openai-chat.reasoning-details]", async () => {
  const piece = (fields: object) => delta({ reasoning_details: [{ format: "anthropic-claude-v1", ...fields }] });
  const streamed = [
    piece({ type: "reasoning.text", text: "Let", index: 0 }),
    piece({ type: "reasoning.text", text: " me", index: 0, signature: null }),
    piece({ type: "reasoning.text", signature: "sig==", index: 0 }),
    piece({ type: "reasoning.encrypted", data: "AAA", id: "call_1", index: 1 }),
    piece({ type: "reasoning.encrypted", data: "BBB", id: "call_2", index: 1 }),
    piece({ type: "reasoning.summary", summary: "In ", index: 2 }),
    piece({ type: "reasoning.summary", summary: "short.", index: 2 }),
    piece({ type: "reasoning.text", text: "No index." }),
    delta({ content: "Hi" }),
    ...end("stop"),
  ];
  const format = "anthropic-claude-v1";
  expect(jsonAt(await asksAgain(streamed, { compat: "openrouter" }), "reasoning_details")).toEqual([
    { format, type: "reasoning.text", text: "Let me", index: 0, signature: "sig==" },
    { format, type: "reasoning.encrypted", data: "AAA", id: "call_1", index: 1 },
    { format, type: "reasoning.encrypted", data: "BBB", id: "call_2", index: 1 },
    { format, type: "reasoning.summary", summary: "In short.", index: 2 },
    { format, type: "reasoning.text", text: "No index." },
  ]);
});

test("a file that the server has read goes back with its answer, so that it is not read again [providers.openai-chat.read-files]", async () => {
  const file = { type: "file", file: { hash: "a1", name: "a.pdf", content: [{ type: "text", text: "# A" }] } };
  const streamed = [delta({ content: "Hi", annotations: [file] }), ...end("stop")];
  expect(jsonAt(await asksAgain(streamed, { compat: "openrouter" }), "annotations")).toEqual([file]);
});

test("calls of an answer that the server interrupted do not run [providers.openai-chat.broken-off]", async () => {
  const call = calls({ index: 0, id: "a", function: { name: "look", arguments: "{}" } });
  for (const reason of ["insufficient_system_resource", "abort", "error"]) {
    const { chunks, error } = await replay([call, ...end(reason)]);
    expect(error).toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
    expect((error as ModelError).partial).toMatchObject({ finishReason: "error", rawFinishReason: reason });
    expect(chunks.some(({ type }) => type === "finish")).toBe(false);
  }
  expect((await replay(end("abort"))).error).toMatchObject({ retryable: true });
  expect((await replay(end("function_call_filter: MALFORMED_FUNCTION_CALL"))).error).toMatchObject({
    code: "MODEL_TOOL_CALL_INVALID",
    retryable: true,
  });
  for (const [reason, finish] of [
    ["content_filter: PROHIBITED_CONTENT", "content_filter"],
    ["model_context_window_exceeded", "length"],
    ["model_length", "length"],
    ["stop", "tool_calls"],
    ["end_turn", "tool_calls"],
  ] as const) {
    expect([reason, finishedResponse((await replay([call, ...end(reason)])).chunks).finishReason]).toEqual([
      reason,
      finish,
    ]);
  }
  for (const reason of ["stop", "eos", "eos_token", "end_turn", "COMPLETE"])
    expect(finishedResponse((await replay([delta({ content: "Hi" }), ...end(reason)])).chunks).finishReason).toBe(
      "stop",
    );
});

test("a streamed call without a name is an error, and not an answer without the call [providers.openai-chat.broken-off]", async () => {
  const { error } = await replay([calls({ index: 0, id: "a", function: { arguments: '{"id":"1"}' } }), ...end("stop")]);
  expect(error).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID", retryable: true });
});

test("a stream with only a done marker is an answer without content, which the runner asks for again [providers.openai-chat.nothing-at-all]", async () => {
  for (const events of [["[DONE]"], [{ ...head, choices: [] }, "[DONE]"], [delta({ role: "assistant" }), "[DONE] "]]) {
    const { finishReason, message } = finishedResponse((await replay(events)).chunks);
    expect([finishReason, message.content, message.toolCalls]).toEqual(["stop", [], []]);
  }
  const { chunks } = await replay([delta({ content: "Hi" }), " ", "[DONE]"]);
  expect(finishedResponse(chunks).finishReason).toBe("stop");
});

test("errors in a stream are read in each server's form [providers.rule.stream-end.error-frame]", async () => {
  const thrown = async (event: object): Promise<unknown> => (await replay([event, "[DONE]"]))?.error;
  expect(
    await thrown({ object: "error", message: "engine is dead", type: "InternalServerError", code: 500 }),
  ).toMatchObject({ status: 500, retryable: true, message: expect.stringContaining("engine is dead") as string });
  expect(await thrown({ error: { message: "Slow down", code: "429", type: null } })).toMatchObject({
    code: "MODEL_RATE_LIMITED",
    status: 429,
  });
  expect(await thrown({ error: { message: "no", type: "x", status_code: 400 } })).toMatchObject({
    status: 400,
    retryable: false,
  });
  expect(await thrown({ ...head, choices: [], x_groq: { id: "r", error: "over capacity" } })).toMatchObject({
    retryable: true,
    message: expect.stringContaining("over capacity") as string,
  });
  expect(
    await thrown({
      error: {
        message: "Bad call.",
        code: "tool_use_failed",
        type: "invalid_request_error",
        failed_generation: "<f>{",
      },
    }),
  ).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID", message: expect.stringContaining("<f>{") as string });
  expect(
    await thrown({
      ...head,
      error: { code: 502, message: "Provider returned error", metadata: { raw: "upstream: overloaded" } },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    }),
  ).toMatchObject({ status: 502, message: expect.stringContaining("upstream: overloaded") as string });
  expect(
    await thrown({ error: { message: "Rate limit reached. Please try again in 1.5s.", code: "rate_limit_exceeded" } }),
  ).toMatchObject({ retryAfterMs: 1500, retryable: true });
});

test("the server's message is in the error, from any of its fields [field-bug:PB-provider-errors-08]", async () => {
  const asked = async (body: unknown, status: number): Promise<unknown> => {
    await using server = await recordedServer({ wire: "openai-chat", json: JSON.stringify(body), status });
    return await openai("m", { compat: "vllm", baseURL: server.baseURL("openai") })
      .generate({ messages: [user("Hi")] })
      .catch((error: unknown) => error);
  };
  const says = (text: string, more: object = {}) => ({ message: expect.stringContaining(text) as string, ...more });
  expect(await asked({ object: "error", message: "no such model", code: 404 }, 404)).toMatchObject(
    says("no such model", { code: "MODEL_NOT_FOUND" }),
  );
  expect(
    await asked([{ error: { code: 400, message: "missing signature", status: "INVALID_ARGUMENT" } }], 400),
  ).toMatchObject(says("missing signature", { status: 400, retryable: false }));
  expect(await asked({ error: "model is loading" }, 503)).toMatchObject(says("model is loading", { retryable: true }));
  expect(await asked({ statusCode: 401, message: "Access denied" }, 401)).toMatchObject(says("Access denied"));
  expect(await asked({ detail: [{ loc: ["body", "messages"], msg: "field required" }] }, 422)).toMatchObject(
    says("field required"),
  );
  expect(
    await asked({ error: { code: 400, message: "the request exceeds the available context size", type: "x" } }, 400),
  ).toMatchObject({ code: "CONTEXT_OVERFLOW" });
  expect(await asked({ object: "error", message: "dead", code: 500 }, 200)).toMatchObject(
    says("dead", { retryable: true }),
  );
  expect(await asked({ error: "out of memory" }, 200)).toMatchObject(says("out of memory", { retryable: true }));
});

test("reasoning tokens counted outside the output are added once [providers.rule.usage]", async () => {
  const usageOf = async (usage: object) =>
    finishedResponse(
      (await replay([delta({ content: "Hi" }, "stop"), { ...head, choices: [], usage }, "[DONE]"])).chunks,
    ).usage;
  const counts = (prompt: number, completion: number, total: number, reasoning?: number) => ({
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  });
  expect(await usageOf(counts(12, 1, 399, 386))).toMatchObject({
    inputTokens: 12,
    outputTokens: 387,
    totalTokens: 399,
    reasoningTokens: 386,
  });
  expect(await usageOf(counts(8, 5, 150))).toMatchObject({
    outputTokens: 142,
    totalTokens: 150,
    reasoningTokens: 137,
  });
  expect(await usageOf(counts(10, 50, 60, 40))).toMatchObject({
    outputTokens: 50,
    totalTokens: 60,
    reasoningTokens: 40,
  });
  expect(await usageOf(counts(10, 5, 0))).toMatchObject({ outputTokens: 5, totalTokens: 15 });
});

test("cached, written, audio and reasoning tokens have their counts, and the vendor's object is kept [providers.rule.usage]", async () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 8, audio_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 20, audio_tokens: 10 },
  };
  const { chunks } = await replay([delta({ content: "Hi" }, "stop"), { ...head, choices: [], usage }, "[DONE]"]);
  expect(finishedResponse(chunks).usage).toEqual({
    inputTokens: 100,
    outputTokens: 50,
    totalTokens: 150,
    cachedTokens: 40,
    cacheWriteTokens: 8,
    reasoningTokens: 20,
    audioInputTokens: 30,
    audioOutputTokens: 10,
    providerMetrics: usage,
  });
});

test("a tool that cannot be forced by name is offered alone, with a required call [providers.openai-chat.named-choice]", async () => {
  const other = { ...look, name: "other" };
  const asked = async (options: OpenAIOptions): Promise<unknown> => {
    const sent: unknown[] = [];
    const model = replaying("m", options, framed([delta({ content: "ok" }), ...end("stop")]), {}, sent);
    await collectChunks(
      model.stream({ messages: [user("Hi")], tools: [other, look], toolChoice: { toolName: "look" } }),
    );
    return [
      jsonAt(sent, 0, "tool_choice"),
      (jsonAt(sent, 0, "tools") as { function: { name: string } }[]).map((tool) => tool.function.name),
    ];
  };
  for (const compat of ["lmstudio", "llamacpp"] as const)
    expect(await asked({ compat })).toEqual(["required", ["look"]]);
  expect(await asked({ compat: "vllm" })).toEqual([
    { type: "function", function: { name: "look" } },
    ["other", "look"],
  ]);
});

test("the request id is found under each server's header name [providers.rule.errors]", async () => {
  for (const name of ["x-request-id", "apim-request-id", "x-generation-id"]) {
    const bytes = new TextEncoder().encode('{"error":{"message":"No."}}');
    for (const status of [400, 200]) {
      const model = replaying("m", { compat: "openrouter" }, bytes, { status, headers: { [name]: "id-1" } });
      await expect(model.generate({ messages: [user("Hi")] })).rejects.toMatchObject({ requestId: "id-1" });
    }
  }
});
