import { MockLanguageModelV3, MockLanguageModelV4, simulateReadableStream } from "ai/test";
import { ModelAbortedError } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { expect, test } from "vitest";
import { ask, look, user } from "./ask.fixture.ts";
import { aiSdk, hostedTool } from "./index.ts";

const usage = {
  inputTokens: { total: 3, noCache: 3, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 2, text: 2, reasoning: undefined },
};
const stop = { unified: "stop" as const, raw: "stop" };

test.each([
  ["is called like a function", [{ type: "tool-call", toolCallId: "s1", toolName: "computer", input: "{}" }]],
  [
    "has no result at the end",
    [
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "s1", toolName: "computer", input: "{}", providerExecuted: true },
      { type: "reasoning", text: "Hm." },
    ],
  ],
] as const)(
  "a tool of the vendor that %s is an error that names it, whole and streamed [providers.ai-sdk.unrun]",
  async (_how, content) => {
    const mock = new MockLanguageModelV4({
      doGenerate: {
        content: [...content],
        finishReason: { unified: "tool-calls", raw: "tool_use" },
        usage,
        warnings: [],
      },
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            { type: "stream-start", warnings: [] },
            ...content.filter((part) => part.type === "tool-call"),
            { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_use" }, usage },
          ],
        }),
      },
    });
    const model = aiSdk(mock);
    const computer = hostedTool({ id: "anthropic.computer", args: {} }, { sideEffectClass: "external-stateful" });
    const request = ask(model, [user("Hi")], { tools: [look, computer] });
    await expect(model.generate(request)).rejects.toThrow(
      /called "computer", a tool of its vendor that the caller has to run/,
    );
    const { error } = await collectChunks(model.stream(request));
    expect(error).toMatchObject({ message: expect.stringMatching(/called "computer"/) });
  },
);

test.each([
  [undefined, { openai: { store: false }, azure: { store: false } }],
  [{ azure: { store: true, user: "u" } }, { openai: { store: false }, azure: { store: true, user: "u" } }],
])(
  "answers are kept out of the vendor's storage unless the caller enables it, %j [providers.ai-sdk.not-stored]",
  async (given, sent) => {
    const mock = new MockLanguageModelV4({
      provider: "azure.responses",
      doGenerate: { content: [{ type: "text", text: "Yes." }], finishReason: stop, usage, warnings: [] },
    });
    const model = aiSdk(mock);
    await model.generate(ask(model, [user("Hi")], { providerOptions: given }));
    expect(mock.doGenerateCalls[0]?.providerOptions).toEqual(sent);
  },
);

test("a vendor's call without a result is not an error if the answer continues after it", async () => {
  const mock = new MockLanguageModelV4({
    doGenerate: {
      content: [
        { type: "tool-call", toolCallId: "s1", toolName: "web_search", input: "{}", providerExecuted: true },
        { type: "text", text: "Found." },
      ],
      finishReason: stop,
      usage,
      warnings: [],
    },
  });
  const model = aiSdk(mock);
  expect((await model.generate(ask(model, [user("Hi")]))).finishReason).toBe("stop");
});

test("files, sources, hosted calls and warnings of an answer are kept, and sent back with their metadata", async () => {
  const mock = new MockLanguageModelV4({
    provider: "xai.responses",
    modelId: "grok",
    doGenerate: {
      content: [
        { type: "reasoning", text: "Hm.", providerMetadata: { xai: { encrypted: "e1" } } },
        { type: "tool-call", toolCallId: "s1", toolName: "web_search", input: '{"q":"x"}', providerExecuted: true },
        { type: "tool-result", toolCallId: "s1", toolName: "web_search", result: { hits: 1 } },
        { type: "source", sourceType: "url", id: "1", url: "https://example.com/", title: "Example" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: new Uint8Array([1, 2, 3]) } },
        { type: "text", text: "Here.", providerMetadata: { xai: { itemId: "i1" } } },
      ],
      finishReason: stop,
      usage,
      warnings: [{ type: "unsupported", feature: "topP" }],
    },
  });
  const model = aiSdk(mock);
  const search = hostedTool({ id: "xai.web_search", args: { maxResults: 3 } }, { sideEffectClass: "read-only" });
  const answer = await model.generate(ask(model, [user("Hi")], { tools: [look, search] }));
  expect(answer.warnings).toMatchObject([{ code: "unsupported_setting", subject: "topP" }]);
  expect(answer.message.content).toMatchObject([
    { type: "reasoning", text: "Hm." },
    { type: "hosted_tool", toolName: "web_search", input: { q: "x" }, output: { hits: 1 } },
    { type: "source", url: "https://example.com/" },
    { type: "image", data: "AQID", mimeType: "image/png" },
    { type: "text", text: "Here." },
  ]);
  const next = await model.generate(ask(model, [user("Hi"), answer.message, user("And?", "u2")]));
  expect(next.warnings.map(({ code }) => code)).toContain("media_omitted");
  expect(mock.doGenerateCalls[0]?.tools?.[1]).toEqual({
    type: "provider",
    id: "xai.web_search",
    name: "web_search",
    args: { maxResults: 3 },
  });
  expect(mock.doGenerateCalls[1]?.prompt[1]).toMatchObject({
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm.", providerOptions: { xai: { encrypted: "e1" } } },
      { type: "tool-call", toolCallId: "s1", providerExecuted: true, input: { q: "x" } },
      { type: "tool-result", toolCallId: "s1", output: { type: "json", value: { hits: 1 } } },
      { type: "text", text: "[image (image/png) of this answer omitted]" },
      { type: "text", text: "Here.", providerOptions: { xai: { itemId: "i1" } } },
    ],
  });
});

test("settings reach the model under the AI SDK's names, and an unsupported setting gives a warning", async () => {
  const mock = new MockLanguageModelV4({ doGenerate: { content: [], finishReason: stop, usage, warnings: [] } });
  const model = aiSdk(mock, { capabilities: { structuredOutput: "without-tools" } });
  const { warnings } = await model.generate(
    ask(model, [user("Hi")], {
      tools: [{ ...look, strict: true }],
      toolChoice: { toolName: look.name },
      maxTokens: 99,
      temperature: 0.3,
      topP: 0.9,
      stopSequences: ["END"],
      reasoning: { enabled: true, budgetTokens: 3000 },
      parallelToolCalls: false,
      caching: "shared",
      output: { name: "answer", schema: { type: "object", properties: {} } },
      providerOptions: { mock: { tier: "flex" } },
    }),
  );
  expect(warnings.map(({ subject }) => subject)).toEqual(["strict", "parallelToolCalls", "caching"]);
  const [call] = mock.doGenerateCalls;
  expect(call).toMatchObject({
    maxOutputTokens: 99,
    temperature: 0.3,
    topP: 0.9,
    stopSequences: ["END"],
    reasoning: "low",
    responseFormat: { type: "json", name: "answer" },
    providerOptions: { mock: { tier: "flex" } },
  });
  expect(call?.toolChoice).toEqual({ type: "tool", toolName: call?.tools?.[0]?.name });
});

test("a model of version 3 gets files in its form, and its answer is read", async () => {
  const mock = new MockLanguageModelV3({
    provider: "bedrock",
    supportedUrls: { "image/*": [/^https:/] },
    doGenerate: {
      content: [{ type: "file", mediaType: "application/pdf", data: "JVBERi0=" }],
      finishReason: stop,
      usage,
      warnings: [],
    },
  });
  const model = aiSdk(mock);
  const image = { type: "image", data: "AQID", mimeType: "image/png" } as const;
  const { message, warnings } = await model.generate(
    ask(
      model,
      [
        { id: "u", role: "user", content: [image, { type: "image", url: "https://example.com/a.png" }] },
        {
          id: "a",
          role: "assistant",
          content: [{ type: "tool_call", toolCallId: "c" }],
          toolCalls: [{ id: "c", name: "look", arguments: "{" }],
          finishReason: "tool_calls",
          provenance: { provider: "x", api: "y", model: "z" },
        },
        { id: "r", role: "tool", toolCallId: "c", toolName: "look", content: [image] },
      ],
      { reasoning: { enabled: true } },
    ),
  );
  expect(warnings).toMatchObject([{ code: "unsupported_setting", subject: "reasoning" }]);
  expect(message.content).toMatchObject([{ type: "file", data: "JVBERi0=", mimeType: "application/pdf" }]);
  const [call] = mock.doGenerateCalls;
  expect(call).not.toHaveProperty("reasoning");
  expect(call?.prompt).toMatchObject([
    {
      role: "user",
      content: [
        { type: "file", mediaType: "image/png", data: "AQID" },
        { type: "file", mediaType: "image/*", data: new URL("https://example.com/a.png") },
      ],
    },
    { role: "assistant", content: [{ type: "tool-call", input: { invalid_arguments: "{" } }] },
    { role: "tool", content: [{ output: { type: "content", value: [{ type: "image-data", data: "AQID" }] } }] },
  ]);
});

test("a call that arrives complete, a call in text pieces, and a later block with a repeated id are read", async () => {
  const mock = new MockLanguageModelV4({
    doStream: {
      stream: simulateReadableStream({
        chunks: [
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: "One" },
          { type: "text-end", id: "0" },
          { type: "text-start", id: "0" },
          { type: "text-delta", id: "0", delta: "Two" },
          { type: "text-end", id: "0" },
          { type: "tool-call", toolCallId: "a", toolName: "look", input: '{"id":"1"}' },
          { type: "tool-input-start", id: "b", toolName: "look", inputEncoding: "text" },
          { type: "tool-input-delta", id: "b", delta: "raw" },
          { type: "tool-input-end", id: "b" },
          { type: "tool-call", toolCallId: "b", toolName: "look", input: '"raw"' },
          { type: "finish", usage, finishReason: { unified: "tool-calls", raw: "tool_calls" } },
        ],
      }),
    },
  });
  const model = aiSdk(mock);
  const { chunks } = await collectChunks(model.stream(ask(model, [user("Hi")])));
  const { message } = finishedResponse(chunks);
  expect(message.content).toMatchObject([
    { type: "text", text: "One" },
    { type: "text", text: "Two" },
    { type: "tool_call", toolCallId: "a" },
    { type: "tool_call", toolCallId: "b" },
  ]);
  for (const call of message.toolCalls) {
    const deltas = chunks.flatMap((chunk) =>
      chunk.type === "tool_call_delta" && chunk.toolCallId === call.id ? [chunk.argumentsDelta] : [],
    );
    expect(deltas.join("")).toBe(call.arguments);
  }
});

test("an abort ends a call of a model that ignores it", async () => {
  const mock = new MockLanguageModelV4({
    doGenerate: () => new Promise(() => undefined),
    doStream: () => Promise.resolve({ stream: new ReadableStream() }),
  });
  const model = aiSdk(mock);
  for (const call of [
    (signal: AbortSignal) => model.generate(ask(model, [user("Hi")], { signal })),
    (signal: AbortSignal) =>
      collectChunks(model.stream(ask(model, [user("Hi")], { signal }))).then(({ error }) => Promise.reject(error)),
  ]) {
    const controller = new AbortController();
    const pending = call(controller.signal);
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toBeInstanceOf(ModelAbortedError);
  }
});

test("an object that is not a model, a model of another version, and a key that cannot reach a model are refused [providers.ai-sdk.connection]", async () => {
  expect(() => aiSdk("openai/gpt-5.5" as never)).toThrow(/aiSdk\(\) takes a language model/);
  expect(() => aiSdk({ specificationVersion: "v2", provider: "x" } as never)).toThrow(/version v2/);
  expect(() => aiSdk(new MockLanguageModelV4(), { capabilitys: {} } as never)).toThrow(/capabilities/);
  expect(() => hostedTool({ args: {} }, { sideEffectClass: "read-only" })).toThrow(/"id"/);
  const model = aiSdk(new MockLanguageModelV4());
  await expect(model.generate(ask(model, [user("Hi")], { apiKey: "sk-1" }))).rejects.toMatchObject({
    code: "INVALID_OPTION",
  });
});
