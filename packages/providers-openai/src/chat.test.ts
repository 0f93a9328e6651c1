import {
  compileHistory,
  historyTarget,
  ModelError,
  type Message,
  type ModelRequest,
  type ToolDefinition,
} from "@bailiwick/core";
import { modelServer, recordedServer, type ScriptStep } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { compat, openai, openaiOptions, webSearch, type OpenAIOptions } from "./index.ts";
import { chatRefusal } from "./refusals.fixture.ts";
import { at, drain, finished, framed, listAt, replaying } from "./replay.fixture.ts";

const user = (content: string): Message => ({ id: `u:${content}`, role: "user", content });
const look: ToolDefinition = {
  type: "function",
  name: "look",
  description: "Looks.",
  inputSchema: { type: "object", properties: { id: { type: "string" } } },
};

/** Sends requests to the strict server and gives the bodies it took. */
async function bodies(
  requests: readonly Partial<ModelRequest>[],
  model = "gpt-4.1",
  options: OpenAIOptions = {},
  steps: readonly ScriptStep[] = [],
) {
  const lenient = options.compat !== undefined && options.compat !== "openai";
  await using server = await modelServer(steps.length > 0 ? steps : requests.map(() => ({ text: "ok" })), {
    strict: !lenient,
  });
  const provider = openai(model, { api: "chat", apiKey: "test", baseURL: server.baseURL("openai"), ...options });
  const answers = [];
  for (const request of requests) {
    const messages = compileHistory(request.messages ?? [user("Hi")], historyTarget(provider)).messages;
    answers.push(await provider.generate({ ...request, messages }));
  }
  expect(server.requests.map(({ refusedBy }) => refusedBy)).toEqual(requests.map(() => undefined));
  return { bodies: server.requests.map(({ body }) => body as Record<string, unknown>), answers };
}

const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "m" };
const delta = (value: object, finish: string | null = null) => ({
  ...head,
  choices: [{ index: 0, delta: value, finish_reason: finish }],
});
const calls = (...entries: readonly object[]) => delta({ tool_calls: entries });
const end = (reason: string | null = "tool_calls"): readonly (object | string)[] => [delta({}, reason), "[DONE]"];
const replay = (events: readonly (object | string)[], options: OpenAIOptions = {}) =>
  drain(
    replaying("some-model", { api: "chat", ...options }, framed(events)).stream({
      messages: [user("Hi")],
      tools: [look],
    }),
  );

async function streamedCalls(events: readonly (object | string)[]) {
  const { chunks, error } = await replay(events);
  expect(error).toBeUndefined();
  const { toolCalls } = finished(chunks).message;
  const starts = chunks.flatMap((chunk) => (chunk.type === "tool_call_start" ? [chunk.toolCall.id] : []));
  const ends = chunks.flatMap((chunk) => (chunk.type === "tool_call_end" ? [chunk.toolCallId] : []));
  expect(starts).toEqual(toolCalls.map(({ id }) => id));
  expect(ends).toEqual(starts);
  for (const call of toolCalls) {
    const text = chunks.map((chunk) =>
      chunk.type === "tool_call_delta" && chunk.toolCallId === call.id ? chunk.argumentsDelta : "",
    );
    expect(text.join("")).toBe(call.arguments);
  }
  return toolCalls.map(({ name, arguments: text }) => `${name} ${text}`);
}

test("[providers.openai-chat.max-completion-tokens] output is bounded by the setting that the model takes", async () => {
  const {
    bodies: [reasoning],
  } = await bodies([{ maxTokens: 500 }], "gpt-5.5");
  expect(reasoning).toMatchObject({ max_completion_tokens: 500, messages: [{ role: "user" }] });
  const {
    bodies: [vllm],
  } = await bodies([{ maxTokens: 500 }], "qwen", { compat: "vllm" });
  expect(vllm).toMatchObject({ max_tokens: 500 });
});

test("[providers.openai-chat.include-usage] usage is asked for in a stream, and chunks without choices are survived", async () => {
  const sent: unknown[] = [];
  const events = [
    { ...head, choices: [] },
    delta({ content: "Hi" }),
    delta({}, "stop"),
    { ...head, choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
    "[DONE]",
  ];
  const { chunks } = await drain(
    replaying("gpt-4.1", { api: "chat" }, framed(events), {}, sent).stream({ messages: [user("Hi")] }),
  );
  expect(sent[0]).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(finished(chunks).usage).toMatchObject({ promptTokens: 5, completionTokens: 2, totalTokens: 7 });
  const {
    bodies: [whole],
  } = await bodies([{}]);
  expect(whole).not.toHaveProperty("stream_options");
});

test("[providers.openai-chat.tool-call-deltas] the id comes only on the first delta, or on each", async () => {
  const first = { index: 0, id: "a", function: { name: "look", arguments: "" } };
  expect(
    await streamedCalls([
      calls(first),
      calls({ index: 0, function: { arguments: '{"id":' } }),
      calls({ index: 0, function: { arguments: "1}" } }),
      ...end(),
    ]),
  ).toEqual(['look {"id":1}']);
  expect(
    await streamedCalls([
      calls(first),
      calls({ index: 0, id: "a", function: { name: "look", arguments: '{"id":' } }),
      calls({ index: 0, id: "a", function: { name: "look", arguments: "1}" } }),
      ...end(),
    ]),
  ).toEqual(['look {"id":1}']);
  expect(
    await streamedCalls([calls(first), calls({ index: 0, id: "", function: { name: "", arguments: "{}" } }), ...end()]),
  ).toEqual(["look {}"]);
});

test("[providers.openai-chat.tool-call-deltas] field-bug:PB-provider-compat-01 two calls that share an index stay two", async () => {
  const events = [
    calls({ index: 0, id: "a", function: { name: "look", arguments: '{"id":1}' } }),
    calls({ index: 0, id: "b", function: { name: "look", arguments: '{"id":2}' } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}', 'look {"id":2}']);
  const nameless = [
    calls({ index: 0, id: "", function: { name: "look", arguments: '{"id":1}' } }),
    calls({ index: 0, id: "", function: { name: "look", arguments: '{"id":2}' } }),
    ...end(),
  ];
  expect(await streamedCalls(nameless)).toEqual(['look {"id":1}', 'look {"id":2}']);
});

test("[providers.openai-chat.tool-call-deltas] field-bug:PB-provider-compat-03 arguments before the name, and no index, make a call", async () => {
  const events = [
    calls({ id: "a", function: { arguments: '{"id":' } }),
    calls({ function: { name: "look", arguments: "1" } }),
    calls({ function: { arguments: "}" } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}']);
});

test("[providers.openai-chat.tool-call-deltas] field-bug:PB-provider-compat-05 a first call at index 1 is one call", async () => {
  const events = [calls({ index: 1, id: "a", function: { name: "look", arguments: "{}" } }), ...end()];
  expect(await streamedCalls(events)).toEqual(["look {}"]);
});

test("[providers.openai-chat.tool-call-deltas] whole calls in one delta, without index or id, are told apart", async () => {
  const events = [
    calls({ function: { name: "look", arguments: '{"id":1}' } }, { function: { name: "look", arguments: { id: 2 } } }),
    ...end(),
  ];
  expect(await streamedCalls(events)).toEqual(['look {"id":1}', 'look {"id":2}']);
});

test("[providers.rule.argument-text.final] a prefix that parses is not a call until the stream says so", async () => {
  const { chunks, error } = await replay([calls({ index: 0, id: "a", function: { name: "look", arguments: "{}" } })]);
  expect(error).toBeInstanceOf(ModelError);
  expect(chunks.some(({ type }) => type === "tool_call_end" || type === "finish")).toBe(false);
});

test("field-bug:PB-provider-compat-06 calls make a turn of calls, whatever the gateway says of its end", async () => {
  for (const reason of ["stop", "unknown", null]) {
    const { chunks } = await replay([
      calls({ index: 0, id: "a", function: { name: "look", arguments: "{}" } }),
      ...end(reason),
    ]);
    expect(finished(chunks)).toMatchObject({ finishReason: "tool_calls", rawFinishReason: reason ?? undefined });
  }
});

test("[providers.openai-chat.reasoning-fields] reasoning is read from each field, and echoed where the vendor wants it", async () => {
  const field = async (name: string, value: unknown, options: OpenAIOptions) => {
    const sent: unknown[] = [];
    const events = [delta({ [name]: value }), delta({ content: "Hi" }), ...end("stop")];
    const model = replaying("some-model", options, framed(events), {}, sent);
    const { chunks } = await drain(model.stream({ messages: [user("Hi")] }));
    const { message } = finished(chunks);
    expect(message.content[0]).toMatchObject({ type: "reasoning", text: "Hm." });
    expect(chunks[0]).toEqual({ type: "thinking", text: "Hm." });
    const history = compileHistory([user("Hi"), message, user("So?")], historyTarget(model));
    await drain(model.stream({ messages: history.messages }));
    return [at(sent, 1, "messages", 1), history.warnings.map(({ code }) => code)];
  };
  const details = [{ type: "reasoning.text", text: "Hm.", signature: "sig==" }];
  expect(await field("reasoning_content", "Hm.", { compat: "deepseek" })).toEqual([
    { role: "assistant", content: "Hi", reasoning_content: "Hm." },
    [],
  ]);
  expect(await field("reasoning_details", details, { compat: "openrouter" })).toEqual([
    { role: "assistant", content: "Hi", reasoning_details: details },
    [],
  ]);
  expect(await field("reasoning", "Hm.", { compat: "groq" })).toEqual([
    { role: "assistant", content: "Hi" },
    ["reasoning_dropped"],
  ]);
});

test("[providers.openai-chat.no-reasoning-replay] reasoning that cannot go back is warned of", async () => {
  const theirs: Message = {
    id: "a",
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Hi" },
    ],
    toolCalls: [],
    finishReason: "stop",
    provenance: { provider: "openai", api: "responses", model: "gpt-5.5" },
  };
  const model = openai("gpt-5.5", { api: "chat" });
  expect(compileHistory([user("Hi"), theirs], historyTarget(model)).warnings).toMatchObject([
    { code: "reasoning_dropped" },
  ]);
});

test("[providers.openai-chat.parallel-tool-calls] tool settings are sent only with tools", async () => {
  const {
    bodies: [none, some],
  } = await bodies([
    { parallelToolCalls: false, toolChoice: "auto" },
    { parallelToolCalls: false, toolChoice: { toolName: "look" }, tools: [look] },
  ]);
  expect(none).not.toHaveProperty("parallel_tool_calls");
  expect(none).not.toHaveProperty("tool_choice");
  expect(some).toMatchObject({
    parallel_tool_calls: false,
    tool_choice: { type: "function", function: { name: "look" } },
  });
});

test("[providers.openai-chat.compat] each known server is reached at its address, with its key, as itself", async () => {
  const remote = ["groq", "deepseek", "xai", "mistral", "openrouter"] as const;
  for (const name of [...remote, "vllm", "ollama", "lmstudio"] as const) {
    expect(compat[name].baseURL).toMatch(/^https?:\/\//);
    const model = openai("m", { compat: name });
    expect([model.provider, model.api]).toEqual([name, "chat"]);
  }
  for (const name of remote)
    await expect(openai("m", { compat: name }).generate({ messages: [] })).rejects.toMatchObject({
      code: "API_KEY_MISSING",
    });
  expect(() => openai("m", { compat: "azure" })).toThrow("baseURL");
  expect(() => openai("m", { compat: "nowhere" as "vllm" })).toThrow("nowhere");
});

test("[providers.openai-chat.compat] Azure takes its key in a header of its own, and a local server takes none", async () => {
  await using server = await modelServer(() => "ok", { strict: false });
  const azure = openai("gpt-5.5", { compat: "azure", apiKey: "azure-key-123", baseURL: server.baseURL("openai") });
  await azure.generate({ messages: [user("Hi")] });
  await azure.generate({ messages: [user("Hi")], apiKey: "other-key-123" });
  expect(server.requests.map(({ headers }) => [headers["api-key"], headers["authorization"]])).toEqual([
    ["azure-key-123", undefined],
    ["other-key-123", undefined],
  ]);
  await openai("qwen", { compat: "vllm", baseURL: server.baseURL("openai") }).generate({ messages: [user("Hi")] });
  expect(server.requests[2]?.wire).toBe("openai-chat");
});

test("[providers.openai-chat.compat] what a server does not take is left out: strict, ids of any form, invalid argument text", async () => {
  const broken: Message = {
    id: "a",
    role: "assistant",
    content: [],
    toolCalls: [{ id: "call_long_id", name: "look", arguments: '{"id": ' }],
    finishReason: "tool_calls",
    provenance: { provider: "x", api: "y", model: "z" },
  };
  const {
    bodies: [body],
  } = await bodies([{ tools: [{ ...look, strict: true }], messages: [user("Hi"), broken] }], "mistral-small", {
    compat: "mistral",
  });
  const call = at(body, "messages", 1, "tool_calls", 0);
  expect(at(call, "id")).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(JSON.parse(String(at(call, "function", "arguments")))).toEqual({ invalid_arguments: '{"id": ' });
  expect(JSON.stringify(body?.["tools"])).not.toContain("strict");
});

test("[providers.rule.images.tool-results] a picture in a result follows in a user message, and its data is in no text", async () => {
  const asked: Message = {
    id: "a",
    role: "assistant",
    content: [],
    toolCalls: [{ id: "c1", name: "look", arguments: "{}" }],
    finishReason: "tool_calls",
    provenance: { provider: "x", api: "y", model: "z" },
  };
  const shown: Message = {
    id: "t",
    role: "tool",
    toolCallId: "c1",
    toolName: "look",
    content: [{ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }],
  };
  const {
    bodies: [body],
  } = await bodies([{ messages: [user("Hi"), asked, shown] }]);
  const messages = listAt(body, "messages");
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
  expect(messages[2]?.content).not.toContain("iVBOR");
  expect(at(messages, 3, "content", 1)).toEqual({
    type: "image_url",
    image_url: { url: "data:image/png;base64,iVBORw0KGgo=" },
  });
});

test("[messages.content-part] sound and files go in, sound comes out and goes back by its id", async () => {
  const content = [
    { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
    { type: "file", data: "JVBERi0=", mimeType: "application/pdf" },
  ] as const;
  const spoken = {
    id: "c",
    object: "chat.completion",
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: null, audio: { id: "audio_1", data: "UklGRg==", transcript: "Hello" } },
      },
    ],
  };
  await using server = await recordedServer({ wire: "openai-chat", json: JSON.stringify(spoken) });
  const model = openai("gpt-audio", {
    api: "chat",
    apiKey: "test",
    baseURL: server.baseURL("openai"),
    capabilities: { input: { image: false, audio: true, file: true } },
  });
  const options = openaiOptions({ modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } });
  const { message } = await model.generate({
    messages: [{ id: "u", role: "user", content }],
    providerOptions: options,
  });
  expect(message.content).toMatchObject([
    { type: "text", text: "Hello" },
    { type: "audio", data: "UklGRg==" },
  ]);
  await model.generate({
    messages: compileHistory([user("Hi"), message, user("Louder.")], historyTarget(model)).messages,
  });
  expect(server.requests[0]?.body).toMatchObject({
    modalities: ["text", "audio"],
    messages: [
      {
        content: [
          { type: "input_audio", input_audio: { format: "wav" } },
          { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=" } },
        ],
      },
    ],
  });
  expect(server.requests[1]?.body).toMatchObject({
    messages: [{}, { role: "assistant", audio: { id: "audio_1" } }, {}],
  });
});

test("[providers.rule.structured-output] an answer's schema is the response format, together with tools", async () => {
  const output = { name: "answer", schema: { type: "object", properties: { city: { type: "string" } } } };
  const {
    bodies: [body],
  } = await bodies([{ tools: [look], output }]);
  expect(body).toMatchObject({
    response_format: {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema: { required: ["city"] } },
    },
  });
  const {
    bodies: [none],
    answers,
  } = await bodies([{ output }], "deepseek-chat", { compat: "deepseek" });
  expect(none).not.toHaveProperty("response_format");
  expect(answers[0]?.warnings).toMatchObject([{ code: "unsupported_setting", subject: "output" }]);
});

test("[providers.rule.warnings] settings and tools that the wire has not are warned of", async () => {
  const {
    bodies: [body],
    answers,
  } = await bodies(
    [
      {
        temperature: 0.1,
        stopSequences: ["X"],
        reasoning: { enabled: true, effort: "low" },
        tools: [look, webSearch()],
      },
    ],
    "gpt-5.5",
  );
  expect(body).toMatchObject({ reasoning_effort: "low" });
  expect(body).not.toHaveProperty("temperature");
  expect(answers[0]?.warnings.map(({ subject }) => subject)).toEqual(["web_search", "temperature", "stopSequences"]);
});

test("a refusal of Chat Completions is refusal content, and the filter's end", async () => {
  const { chunks } = await replay(chatRefusal);
  expect(finished(chunks)).toMatchObject({
    finishReason: "content_filter",
    rawFinishReason: "stop",
    message: { content: [{ type: "refusal", text: "I cannot help with that." }] },
  });
});

test("field-bug:PB-usage-03 cached tokens are found wherever a server puts them", async () => {
  for (const usage of [
    { cached_tokens: 7 },
    { prompt_cache_hit_tokens: 7 },
    { prompt_tokens_details: { cached_tokens: 7 } },
  ]) {
    const { chunks } = await replay([
      delta({ content: "Hi" }),
      { ...delta({}, "stop"), usage: { prompt_tokens: 9, completion_tokens: 1, ...usage } },
      "[DONE]",
    ]);
    expect(finished(chunks).usage.cachedTokens).toBe(7);
  }
});

test("field-bug:PB-usage-04 an answer without usage is an answer, and its counts are numbers", async () => {
  const { chunks } = await replay([delta({ content: "Hi" }), ...end("stop")]);
  expect(finished(chunks).usage).toEqual({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });
});

test("field-bug:PB-provider-errors-03 a bare error behind the events of a stream surfaces with its code", async () => {
  const bare = new TextEncoder().encode(
    `${new TextDecoder().decode(framed([delta({ content: "Hi" })]))}[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`,
  );
  const { error } = await drain(replaying("m", { api: "chat" }, bare).stream({ messages: [user("Hi")] }));
  expect(error).toMatchObject({
    status: 503,
    retryable: false,
    message: expect.stringContaining("The model is overloaded.") as string,
  });
});

test("field-bug:PB-provider-errors-08 an error in a chunk keeps its message and code", async () => {
  const { error } = await replay([{ error: { message: "Provider returned error", code: 502 } }]);
  expect(error).toMatchObject({
    status: 502,
    retryable: true,
    message: expect.stringContaining("Provider returned error") as string,
  });
});

test("field-bug:PB-provider-errors-07 a call that the vendor itself rejected can be asked for again, with what the model wrote", async () => {
  const body = JSON.stringify({
    error: { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "<function=look>{" },
  });
  await using server = await recordedServer({ wire: "openai-chat", json: body, status: 400 });
  const error: unknown = await openai("m", { compat: "groq", apiKey: "test", baseURL: server.baseURL("openai") })
    .generate({ messages: [user("Hi")] })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "MODEL_TOOL_CALL_INVALID",
    retryable: true,
    message: expect.stringContaining("<function=look>{") as string,
  });
});

test("[providers.rule.usage.partial] what had been counted is kept when a stream breaks", async () => {
  const events = [{ ...delta({ content: "Hi" }), usage: { prompt_tokens: 9, completion_tokens: 1 } }];
  const { error } = await replay(events);
  expect(error).toMatchObject({
    partial: { usage: { promptTokens: 9, completionTokens: 1 }, message: { partial: true, content: [{ text: "Hi" }] } },
  });
});
