import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { type ModelError, type ModelResponse, type StreamChunk } from "@bailiwick/core";
import { collectChunks, finishedResponse, jsonAt } from "@bailiwick/testing";
import { describe, expect, test } from "vitest";
import { blockedPrompt, ended, grounded, hostedParts, malformedCall } from "./answers.fixture.ts";
import { look, user } from "./ask.fixture.ts";
import { framed, listAt, replaying, whole, type Sent } from "./replay.fixture.ts";

const model = "gemini-3-pro";
const call = { functionCall: { name: "look", args: { id: "1" }, id: "c1" } };
const request = { messages: [user("Hi")], tools: [look] };

interface Outcome {
  readonly response: ModelResponse | undefined;
  readonly error: unknown;
  readonly chunks: readonly StreamChunk[];
}

/** The same answer, whole and streamed. */
async function both(body: object): Promise<readonly Outcome[]> {
  const json = await replaying(model, whole(body))
    .generate(request)
    .then(
      (response) => ({ response, error: undefined, chunks: [] }),
      (error: unknown) => ({ response: undefined, error, chunks: [] }),
    );
  const { chunks, error } = await collectChunks(replaying(model, framed([body])).stream(request));
  return [json, { response: error === undefined ? finishedResponse(chunks) : undefined, error, chunks }];
}

describe("finish reasons", () => {
  test("STOP with calls finishes as tool calls [providers.google.finish.tool-calls]", async () => {
    for (const { response } of await both(ended("STOP", [{ text: "Looking." }, call]))) {
      expect([response?.finishReason, response?.rawFinishReason]).toEqual(["tool_calls", "STOP"]);
      expect(response?.message.toolCalls).toMatchObject([
        { id: "c1", name: "look", arguments: '{"id":"1"}', input: { id: "1" } },
      ]);
    }
  });

  for (const reason of [
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "IMAGE_RECITATION",
    "IMAGE_OTHER",
  ]) {
    test(`${reason} is content_filter, with or without calls [providers.google.finish.content-filter] [providers.rule.unfinished-turns]`, async () => {
      for (const body of [ended(reason), ended(reason, [{ text: "I" }]), ended(reason, [call])]) {
        for (const { response, error } of await both(body)) {
          expect(error).toBeUndefined();
          expect([response?.finishReason, response?.rawFinishReason]).toEqual(["content_filter", reason]);
        }
      }
    });
  }

  test("other finish reasons are distinguished: length, a stop of the vendor's, and unknown reasons [messages.finish-reason]", async () => {
    for (const [reason, expected] of [
      ["MAX_TOKENS", "length"],
      ["TOO_MANY_TOOL_CALLS", "error"],
      ["LANGUAGE", "other"],
      ["SOMETHING_NEW", "other"],
    ] as const) {
      for (const { response } of await both(ended(reason, [{ text: "I" }]))) {
        expect([response?.finishReason, response?.rawFinishReason]).toEqual([expected, reason]);
      }
    }
  });

  for (const reason of ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"]) {
    test(`${reason} is a model error that can be retried [providers.google.finish.retryable]`, async () => {
      const body = reason === "MALFORMED_FUNCTION_CALL" ? malformedCall : ended(reason);
      for (const { error, chunks } of await both(body)) {
        expect(error).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID", retryable: true });
        expect((error as ModelError).partial).toMatchObject({ finishReason: "error", usage: { inputTokens: 40 } });
        expect(chunks.some(({ type }) => type === "finish")).toBe(false);
      }
      expect(String((await both(malformedCall))[0]?.error)).toContain("default_api.look");
    });

    test(`${reason} after output can be retried too [providers.google.finish.retryable] [providers.rule.stream-end.after-output]`, async () => {
      const events = [{ candidates: [{ content: { role: "model", parts: [{ text: "Let me" }] } }] }, ended(reason)];
      const { error } = await collectChunks(replaying(model, framed(events)).stream(request));
      expect(error).toMatchObject({ code: "MODEL_TOOL_CALL_INVALID", retryable: true });
    });
  }

  test("a blocked prompt is content_filter with the vendor's reason, not a crash [providers.google.blocked-prompt]", async () => {
    for (const { response, error } of await both(blockedPrompt)) {
      expect(error).toBeUndefined();
      expect([response?.finishReason, response?.rawFinishReason]).toEqual(["content_filter", "PROHIBITED_CONTENT"]);
      expect(response?.message.content).toEqual([]);
      expect(response?.usage.inputTokens).toBe(40);
    }
  });

  test("STOP or OTHER without content, or with thoughts only, has no content for the runner [providers.google.empty-stop]", async () => {
    for (const body of [
      ended("STOP"),
      ended("OTHER"),
      ended("STOP", [{ text: "" }]),
      ended("STOP", [{ text: "", thoughtSignature: "c2ln" }]),
      ended("STOP", [{ text: "Hm.", thought: true }]),
    ]) {
      for (const { response } of await both(body)) {
        expect(response?.message.toolCalls).toEqual([]);
        expect(response?.message.content.some((part) => part.type === "text" && part.text !== "")).toBe(false);
      }
    }
  });

  test("a body without candidates and without a reason is an error that can be retried [providers.rule.stream-end]", async () => {
    for (const { error } of await both({ usageMetadata: { promptTokenCount: 1 } })) {
      expect(error).toMatchObject({ code: "MODEL_RESPONSE_INVALID", retryable: true });
    }
  });
});

test("the last chunk's counts are used, also after the finish reason [providers.google.usage]", async () => {
  const events = [
    { candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }], usageMetadata: { promptTokenCount: 5 } },
    { candidates: [{ finishReason: "STOP" }], usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1 } },
    {
      usageMetadata: {
        promptTokenCount: 100,
        cachedContentTokenCount: 60,
        candidatesTokenCount: 20,
        thoughtsTokenCount: 30,
        toolUsePromptTokenCount: 7,
        totalTokenCount: 157,
        promptTokensDetails: [
          { modality: "TEXT", tokenCount: 80 },
          { modality: "AUDIO", tokenCount: 20 },
        ],
        candidatesTokensDetails: [{ modality: "AUDIO", tokenCount: 15 }],
      },
    },
  ];
  const { chunks } = await collectChunks(replaying(model, framed(events)).stream(request));
  expect(finishedResponse(chunks).usage).toEqual({
    inputTokens: 107,
    outputTokens: 50,
    totalTokens: 157,
    reasoningTokens: 30,
    cachedTokens: 60,
    audioInputTokens: 20,
    audioOutputTokens: 15,
    providerMetrics: events[2]?.usageMetadata,
  });
});

test("counts received before a stream broke are kept [providers.rule.usage.partial]", async () => {
  const events = [
    {
      candidates: [{ content: { role: "model", parts: [{ text: "Hi" }] } }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2 },
    },
  ];
  const { error } = await collectChunks(replaying(model, framed(events), { broken: true }).stream(request));
  expect(error).toMatchObject({
    code: "MODEL_CONNECTION_ERROR",
    partial: { usage: { totalTokens: 7 }, message: { partial: true, content: [{ type: "text", text: "Hi" }] } },
  });
});

test("grounding, citations and read pages are sources, each once, and the search is a part [messages.content-part]", async () => {
  const expected = [
    { type: "source", url: "https://vertexaisearch.example/1", title: "yr.no" },
    { type: "source", url: "gs://bucket/a.pdf", title: "a.pdf", documentId: "documents/a" },
    { type: "source", url: "https://maps.google.com/?cid=1", title: "Oslo", documentId: "places/1" },
    { type: "source", url: "https://example.com/quoted", title: "Quoted" },
    { type: "source", url: "https://example.com/read" },
  ];
  for (const { response, chunks } of await both(grounded)) {
    const { content } = response?.message ?? { content: [] };
    expect(content.filter(({ type }) => type === "source")).toMatchObject(expected);
    expect(content.find(({ type }) => type === "hosted_tool")).toMatchObject({
      toolName: "google_search",
      input: { queries: ["weather oslo"] },
    });
    if (chunks.length > 0) {
      expect(chunks.flatMap((chunk) => (chunk.type === "source" ? [chunk.source] : []))).toMatchObject(expected);
    }
  }
});

test("a part of an unknown kind is sent back unchanged, and is logged [providers.rule.unknown-events]", async () => {
  const told: string[] = [];
  const debug = (message: string): void => void told.push(message);
  const logger = { debug, info: debug, warn: debug, error: debug };
  const part = { hologram: { shape: "cube" }, thoughtSignature: "c2ln" };
  const sent: Sent[] = [];
  const bytes = framed([ended("STOP", [part, { text: "There." }])]);
  const provider = replaying(model, bytes, {}, sent, { logger });
  const { message } = finishedResponse((await collectChunks(provider.stream(request))).chunks);
  expect(told).toHaveLength(1);
  await collectChunks(
    provider.stream({
      messages: compileHistory([user("Hi"), message, user("And?")], historyTarget(provider)).messages,
    }),
  );
  expect(jsonAt(sent[1]?.body, "contents", 1, "parts")).toEqual([part, { text: "There." }]);
});

describe("hosted tools", () => {
  test("a hosted call is a part, and is sent back unchanged [messages.content-part]", async () => {
    const sent: Sent[] = [];
    const provider = replaying(model, framed([ended("STOP", hostedParts)]), {}, sent);
    const { message } = finishedResponse((await collectChunks(provider.stream(request))).chunks);
    expect(message.content).toMatchObject([
      { type: "hosted_tool", toolName: "code_execution", toolCallId: "code-1", input: { code: "print(6*7)" } },
      { type: "hosted_tool", toolName: "code_execution", toolCallId: "code-1", output: { output: "42\n" } },
      { type: "hosted_tool", toolName: "google_search", toolCallId: "srv-1", input: { queries: ["oslo"] } },
      { type: "hosted_tool", toolName: "google_search", toolCallId: "srv-1" },
      { type: "text", text: "It is 42." },
    ]);
    const again = (given: typeof message) =>
      collectChunks(
        provider.stream({
          messages: compileHistory([user("Hi"), given, user("And?")], historyTarget(provider)).messages,
        }),
      );
    await again(message);
    expect(jsonAt(sent[1]?.body, "contents", 1, "parts")).toEqual(hostedParts);
    // An interrupted answer may have a call without its result.
    await again({ ...message, content: message.content.slice(0, 3), finishReason: "error", partial: true });
    expect(jsonAt(sent[2]?.body, "contents", 1, "parts")).toEqual(hostedParts.slice(0, 2));
  });

  test("results without a call id belong to the call before them, and failures are parts [messages.content-part]", async () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "1/0" } },
      { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "ZeroDivisionError" } },
      { text: "It failed." },
    ];
    for (const { response } of await both(ended("STOP", parts))) {
      const [asked, got] = response?.message.content ?? [];
      expect(jsonAt(got, "toolCallId")).toBe(jsonAt(asked, "toolCallId"));
      expect(got).toMatchObject({ isError: true });
    }
  });
});

test("generated images, audio and files are returned, and images of thoughts are marked as thoughts [messages.content-part] [messages.stream-chunk]", async () => {
  const parts = [
    { inlineData: { mimeType: "image/png", data: "AAAA" }, thought: true, thoughtSignature: "dGhvdWdodA==" },
    { inlineData: { mimeType: "image/png", data: "BBBB" }, thoughtSignature: "c2ln" },
    { inlineData: { mimeType: "audio/wav", data: "CCCC" } },
    { inlineData: { mimeType: "text/csv", data: "DDDD" } },
    { fileData: { mimeType: "video/mp4", fileUri: "gs://a/b.mp4" } },
  ];
  for (const { response, chunks } of await both(ended("STOP", parts))) {
    const content = response?.message.content ?? [];
    expect(content.map(({ type }) => type)).toEqual(["reasoning", "image", "audio", "file", "file"]);
    if (chunks.length > 0) {
      expect(chunks.flatMap((chunk) => (chunk.type === "file" ? [chunk.file] : []))).toEqual(content.slice(1));
    }
  }
  const sent: Sent[] = [];
  const provider = replaying("gemini-3-pro-image", framed([ended("STOP", parts)]), {}, sent);
  const { message } = finishedResponse((await collectChunks(provider.stream({ messages: [user("Hi")] }))).chunks);
  await collectChunks(
    provider.stream({
      messages: compileHistory([user("Hi"), message, user("Redder.")], historyTarget(provider)).messages,
    }),
  );
  expect(listAt(sent[1]?.body, "contents", 1, "parts")).toEqual(parts);
});
