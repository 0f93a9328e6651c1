import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { type ModelServerWire, recordedFrames, recordedServer } from "@bailiwick/testing/model-server";
import { describe, expect, inject, test } from "vitest";
import { openai, type OpenAIOptions } from "./index.ts";
import { replaying } from "./replay.fixture.ts";

interface Row {
  readonly file: string;
  readonly model: string;
  readonly options: OpenAIOptions;
  /** Summary of the answer: `[finish, kinds of parts, calls]`. */
  readonly streamed: readonly unknown[];
  /** Checks the JSON recording, which is a separate request, in the same way. */
  readonly whole?: readonly unknown[];
}

const responses: OpenAIOptions = { api: "responses" };
const rows: readonly Row[] = [
  {
    file: "openai-chat/openai-text",
    model: "gpt-4.1-nano",
    options: { api: "chat" },
    streamed: ["stop", ["text"], []],
    whole: ["stop", ["text"], []],
  },
  {
    file: "openai-chat/azure-model-router.1",
    model: "gpt-5-nano",
    options: { api: "chat", compat: "azure" },
    streamed: ["stop", ["text"], []],
  },
  {
    file: "openai-chat-deepseek/deepseek-tool-call",
    model: "deepseek-reasoner",
    options: { compat: "deepseek" },
    streamed: ["tool_calls", ["reasoning", "tool_call"], ["weather"]],
    whole: ["tool_calls", ["reasoning", "tool_call"], ["weather"]],
  },
  {
    file: "openai-chat-groq/groq-tool-call",
    model: "llama-3.3-70b",
    options: { compat: "groq" },
    streamed: ["tool_calls", ["tool_call"], ["weather"]],
    whole: ["tool_calls", ["tool_call"], ["weather"]],
  },
  {
    file: "openai-chat-mistral/mistral-tool-call",
    model: "mistral-small",
    options: { compat: "mistral" },
    streamed: ["tool_calls", ["tool_call"], ["weather"]],
    whole: ["tool_calls", ["tool_call"], ["weather"]],
  },
  {
    file: "openai-responses/openai-custom-tool.1",
    model: "gpt-5.2-codex",
    options: responses,
    streamed: ["tool_calls", ["tool_call"], ["write_sql"]],
    whole: ["tool_calls", ["tool_call"], ["write_sql"]],
  },
  {
    file: "openai-responses/openai-mcp-tool-approval.1",
    model: "gpt-5-mini",
    options: responses,
    streamed: ["stop", ["hosted_tool", "reasoning"], []],
    whole: ["stop", ["hosted_tool", "reasoning"], []],
  },
  {
    file: "openai-responses/openai-phase.1",
    model: "gpt-5.3-codex",
    options: responses,
    streamed: ["stop", ["text"], []],
    whole: ["stop", ["text"], []],
  },
  {
    file: "openai-responses/openai-reasoning-encrypted-content.1",
    model: "gpt-5.1-codex-max",
    options: responses,
    streamed: ["tool_calls", ["reasoning", "tool_call"], ["calculator"]],
    whole: ["stop", ["reasoning", "text"], []],
  },
  {
    file: "openai-responses/openai-web-search-tool.1",
    model: "gpt-5-mini",
    options: responses,
    streamed: ["stop", ["reasoning", "hosted_tool", "text", "source"], []],
    whole: ["stop", ["reasoning", "hosted_tool", "text", "source"], []],
  },
  {
    file: "openai-responses-azure/azure-text.1",
    model: "gpt-5-nano",
    options: { api: "responses", compat: "azure" },
    streamed: ["stop", ["text"], []],
    whole: ["stop", ["text"], []],
  },
  {
    file: "openai-responses-azure/azure-tool-call.1",
    model: "gpt-5-nano",
    options: { api: "responses", compat: "azure" },
    streamed: ["tool_calls", ["tool_call"], ["weather"]],
    whole: ["tool_calls", ["tool_call"], ["weather"]],
  },
];

const folder = inject("wireRecordings");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

/** The first answer of a recording: some recordings contain a whole conversation. */
function firstAnswer(file: string): string {
  const lines = read(`${file}.chunks.txt`)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const second = lines.findIndex((line, index) => index > 0 && line.includes('"type":"response.created"'));
  return `${(second === -1 ? lines : lines.slice(0, second)).join("\n")}\n`;
}

const gist = ({ finishReason, message }: ModelResponse) => [
  finishReason,
  [...new Set(message.content.map(({ type }) => type))],
  message.toolCalls.map(({ name }) => name),
];

/** The last usage that the vendor wrote, by its own names. */
function writtenUsage(texts: readonly string[]): readonly unknown[] {
  const usages = texts
    .map((text) => JSON.parse(text) as { usage?: unknown; response?: { usage?: unknown } })
    .map(({ usage, response }) => (usage ?? response?.usage ?? undefined) as Record<string, unknown> | undefined);
  const last: Record<string, unknown> = usages.findLast((usage) => usage !== undefined) ?? {};
  return [last["input_tokens"] ?? last["prompt_tokens"], last["output_tokens"] ?? last["completion_tokens"]];
}

const countedUsage = ({ usage }: ModelResponse) => [usage.inputTokens, usage.outputTokens];

for (const { file, model, options, streamed } of rows) {
  const wire: ModelServerWire = file.startsWith("openai-chat") ? "openai-chat" : "openai-responses";
  const chunks = firstAnswer(file);
  const frames = recordedFrames({ wire, chunks });
  const bytes = Buffer.from(frames.join(""), "utf8");
  const ask = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };

  describe(`recording ${file}`, () => {
    test(`its events give the message, usage and finish reason (${file}) [providers.proof.recorded-streams]`, async () => {
      await using server = await recordedServer({ wire, chunks });
      const answers = await collectChunks(
        openai(model, { ...options, apiKey: "test", baseURL: server.baseURL("openai") }).stream(ask),
      );
      expect(answers.error).toBeUndefined();
      const response = finishedResponse(answers.chunks);
      expect(gist(response)).toEqual(streamed);
      expect(countedUsage(response)).toEqual(writtenUsage(chunks.trim().split("\n")));
      const text = response.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      expect(answers.chunks.map((chunk) => (chunk.type === "text" ? chunk.text : "")).join("")).toBe(text);
      for (const call of response.message.toolCalls) {
        const written = answers.chunks.map((chunk) =>
          chunk.type === "tool_call_delta" && chunk.toolCallId === call.id ? chunk.argumentsDelta : "",
        );
        expect(written.join("")).toBe(call.arguments);
      }
    });

    test(`any split of the stream gives the same answer (${file}) [providers.proof.re-split]`, async () => {
      const expected = await collectChunks(replaying(model, options, bytes).stream(ask));
      const everywhere = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      const inside = everywhere.filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
      const stride = Math.max(1, Math.floor(bytes.length / 150));
      const splits = [
        everywhere,
        ...[...everywhere.filter((at) => at % stride === 0), ...inside.slice(0, 200)].map((at) => [at]),
      ];
      const essence = (result: typeof expected) => JSON.stringify(result).replaceAll(/"id":"call_[0-9a-f]{24}"/g, "");
      for (const splitAt of splits) {
        expect(essence(await collectChunks(replaying(model, options, bytes, { splitAt }).stream(ask)))).toBe(
          essence(expected),
        );
      }
    });

    test(`a stream cut at any event is an error or complete (${file}) [providers.proof.cut]`, async () => {
      for (let cut = 0; cut < frames.length; cut += 1) {
        const cutBytes = Buffer.from(frames.slice(0, cut).join(""), "utf8");
        for (const broken of [false, true]) {
          const { chunks: seen, error } = await collectChunks(
            replaying(model, options, cutBytes, { broken }).stream(ask),
          );
          if (error === undefined) {
            expect(gist(finishedResponse(seen))).toEqual(streamed);
            continue;
          }
          expect(error).toBeInstanceOf(ModelError);
          expect(seen.some(({ type }) => type === "finish")).toBe(false);
          const { partial } = error as ModelError;
          if (partial !== undefined) expect([partial.finishReason, partial.message.partial]).toEqual(["error", true]);
        }
      }
    });

    test(`the next request contains every encrypted blob and id (${file}) [providers.proof.round-trip]`, async () => {
      const sent: unknown[] = [];
      const provider = replaying(model, options, bytes, {}, sent);
      const { message } = finishedResponse((await collectChunks(provider.stream(ask))).chunks);
      const history = compileHistory(
        [...ask.messages, message, { id: "u2", role: "user", content: "Go on." }],
        historyTarget(provider),
      );
      await collectChunks(provider.stream({ messages: history.messages }));
      const again = JSON.stringify(sent[1]);
      const items = chunks
        .split("\n")
        .filter((line) => line.includes('"response.output_item.done"'))
        .map((line) => (JSON.parse(line) as { item: Record<string, unknown> }).item);
      const reasoningKept = !items.some(
        (item) => item["type"] === "reasoning" && item["encrypted_content"] === undefined,
      );
      for (const item of items) {
        const { encrypted_content: encrypted, call_id: callId, id } = item;
        if (typeof encrypted === "string") expect(again).toContain(JSON.stringify(encrypted));
        if (typeof callId === "string") expect(again).toContain(JSON.stringify(callId));
        if (reasoningKept && typeof id === "string") expect(again).toContain(JSON.stringify(id));
      }
      for (const call of message.toolCalls) expect(again).toContain(JSON.stringify(call.id));
    });
  });
}

for (const { file, model, options, whole } of rows.filter((row) => row.whole !== undefined)) {
  const wire: ModelServerWire = file.startsWith("openai-chat") ? "openai-chat" : "openai-responses";

  test(`its JSON sibling gives the same kind of answer (${file}) [providers.proof.recorded-streams]`, async () => {
    await using server = await recordedServer({ wire, json: read(`${file}.json`) });
    const provider = openai(model, { ...options, apiKey: "test", baseURL: server.baseURL("openai") });
    const response = await provider.generate({ messages: [{ id: "u", role: "user", content: "Hi" }] });
    expect(gist(response)).toEqual(whole);
    expect(countedUsage(response)).toEqual(writtenUsage([read(`${file}.json`)]));
    expect(response.usage.providerMetrics).toBeDefined();
    expect(response.raw).toEqual(JSON.parse(read(`${file}.json`)));
  });
}

test("a recorded quota error in a stream is typed, and not retried [providers.proof.recorded-streams] [providers.rule.stream-end.error-frame] [providers.rule.retry.quota]", async () => {
  const chunks = read("openai-responses/openai-error.1.chunks.txt");
  await using server = await recordedServer({ wire: "openai-responses", chunks });
  const { error } = await collectChunks(
    openai("gpt-5-nano", { apiKey: "test", baseURL: server.baseURL("openai") }).stream({ messages: [] }),
  );
  expect(error).toMatchObject({ code: "MODEL_QUOTA_EXCEEDED", retryable: false, status: 429 });
  expect(String(error)).toContain("You exceeded your current quota");
});
