import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { type ModelServerWire, recordedFrames, recordedServer } from "@bailiwick/testing/model-server";
import { describe, expect, inject, test } from "vitest";
import { anthropic } from "./index.ts";
import { replaying } from "./replay.fixture.ts";

interface Row {
  readonly file: string;
  readonly model: string;
  /** Summary of the answer: `[finish, kinds of parts, calls]`. */
  readonly streamed?: readonly unknown[];
  /** Checks the JSON recording, which is a separate request, in the same way. */
  readonly whole?: readonly unknown[];
}

const rows: readonly Row[] = [
  {
    file: "anthropic-claude-opus-5-reasoning-high.1",
    model: "claude-opus-5",
    whole: ["stop", ["reasoning", "text"], []],
  },
  {
    file: "anthropic-json-tool.1",
    model: "claude-haiku-4-5",
    streamed: ["tool_calls", ["tool_call"], ["json"]],
    whole: ["tool_calls", ["tool_call"], ["json"]],
  },
  {
    file: "anthropic-refusal",
    model: "claude-fable-5",
    streamed: ["content_filter", ["refusal"], []],
    whole: ["content_filter", ["refusal"], []],
  },
  {
    file: "anthropic-text",
    model: "claude-sonnet-4-5",
    streamed: ["stop", ["text"], []],
    whole: ["stop", ["text"], []],
  },
  {
    file: "anthropic-tool-no-args",
    model: "claude-sonnet-4-5",
    streamed: ["tool_calls", ["text", "tool_call"], ["updateIssueList"]],
    whole: ["tool_calls", ["text", "tool_call"], ["updateIssueList"]],
  },
  {
    file: "anthropic-web-search-tool.1",
    model: "claude-sonnet-4",
    streamed: ["stop", ["hosted_tool", "text", "source"], []],
    whole: ["stop", ["hosted_tool", "text", "source"], []],
  },
  { file: "duplicate-message-start", model: "claude-3-haiku", streamed: ["stop", ["text"], []] },
];

const wire: ModelServerWire = "anthropic-messages";
const folder = join(inject("wireRecordings"), "anthropic");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const ask = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };

const gist = ({ finishReason, message }: ModelResponse) => [
  finishReason,
  [...new Set(message.content.map(({ type }) => type))],
  message.toolCalls.map(({ name }) => name),
];
const countedUsage = ({ usage }: ModelResponse) => [usage.inputTokens, usage.outputTokens];

/** The usage that the vendor wrote: later events overwrite earlier ones. */
function writtenUsage(texts: readonly string[]): readonly number[] {
  const usages = texts
    .map((text) => JSON.parse(text) as { usage?: object; message?: { usage?: object } })
    .map(({ usage, message }) => usage ?? message?.usage ?? {});
  const all: Record<string, number> = Object.assign({}, ...usages);
  const input = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];
  return [input.reduce((sum, name) => sum + (all[name] ?? 0), 0), all["output_tokens"] ?? 0];
}

/** Every signature and every encrypted text of an answer. */
function opaqueTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(opaqueTexts);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "string" && /signature|encrypted|^data$/.test(key) && inner !== "" ? [inner] : opaqueTexts(inner),
  );
}

test("each recording has a row [providers.proof.recorded-streams]", () => {
  const files = readdirSync(folder).map((name) => name.replace(/\.(chunks\.txt|json)$/, ""));
  expect([...new Set(files)].toSorted()).toEqual(rows.map(({ file }) => file).toSorted());
});

for (const { file, model, streamed } of rows.filter((row) => row.streamed !== undefined)) {
  const chunks = read(`${file}.chunks.txt`);
  const frames = recordedFrames({ wire, chunks });
  const bytes = Buffer.from(frames.join(""), "utf8");

  describe(`recording ${file}`, () => {
    test(`its events give the message, usage and finish reason (${file}) [providers.proof.recorded-streams]`, async () => {
      await using server = await recordedServer({ wire, chunks });
      const provider = anthropic(model, { apiKey: "test", baseURL: server.baseURL("anthropic") });
      const answers = await collectChunks(provider.stream(ask));
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
        expect(call.input).toEqual(JSON.parse(call.arguments));
      }
      const sources = response.message.content.filter(({ type }) => type === "source");
      expect(answers.chunks.flatMap((chunk) => (chunk.type === "source" ? [chunk.source] : []))).toEqual(sources);
    });

    test(`any split of the stream gives the same answer (${file}) [providers.proof.re-split]`, async () => {
      const expected = JSON.stringify(await collectChunks(replaying(model, {}, bytes).stream(ask)));
      const everywhere = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      const inside = everywhere.filter((at) => ((bytes[at] ?? 0) & 0xc0) === 0x80);
      const stride = Math.max(1, Math.floor(bytes.length / 150));
      const places = [...everywhere.filter((at) => at % stride === 0), ...inside.slice(0, 200)];
      for (const splitAt of [everywhere, ...places.map((at) => [at])]) {
        expect(JSON.stringify(await collectChunks(replaying(model, {}, bytes, { splitAt }).stream(ask)))).toBe(
          expected,
        );
      }
    });

    test(`a stream cut at any event is an error or complete (${file}) [providers.proof.cut]`, async () => {
      for (let cut = 0; cut < frames.length; cut += 1) {
        const cutBytes = Buffer.from(frames.slice(0, cut).join(""), "utf8");
        for (const broken of [false, true]) {
          const { chunks: seen, error } = await collectChunks(replaying(model, {}, cutBytes, { broken }).stream(ask));
          if (error === undefined) {
            expect(gist(finishedResponse(seen))).toEqual(streamed);
            continue;
          }
          expect(error).toBeInstanceOf(ModelError);
          expect(seen.some(({ type }) => type === "finish")).toBe(false);
          const { partial, retryable } = error as ModelError;
          expect(retryable).toBe(true);
          if (partial !== undefined) expect([partial.finishReason, partial.message.partial]).toEqual(["error", true]);
        }
      }
    });

    test(`the next request contains every signature and encrypted text (${file}) [providers.proof.round-trip]`, async () => {
      const sent: { messages: { role: string; content: Record<string, unknown>[] }[] }[] = [];
      const provider = replaying(model, {}, bytes, {}, sent);
      const { message } = finishedResponse((await collectChunks(provider.stream(ask))).chunks);
      const { messages } = compileHistory(
        [...ask.messages, message, { id: "u2", role: "user", content: "Go on." }],
        historyTarget(provider),
      );
      await collectChunks(provider.stream({ messages }));
      const again = JSON.stringify(sent[1]);
      const events = chunks.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown]));
      for (const text of opaqueTexts(events)) expect(again).toContain(JSON.stringify(text));
      for (const call of message.toolCalls) expect(again).toContain(JSON.stringify(call.id));
      const hosted = /"id":"(srvtoolu_[^"]+)"/g;
      for (const [, id] of chunks.matchAll(hosted)) {
        const blocks = (sent[1]?.messages ?? []).flatMap(({ content }) => content);
        const [use, result] = blocks.filter((block) => block["id"] === id || block["tool_use_id"] === id);
        expect([use?.["type"], String(result?.["type"])]).toEqual(["server_tool_use", "web_search_tool_result"]);
      }
    });
  });
}

for (const { file, model, whole } of rows.filter((row) => row.whole !== undefined)) {
  test(`its JSON gives the same kind of answer, and is sent back completely (${file}) [providers.proof.recorded-streams] [providers.proof.round-trip]`, async () => {
    const json = read(`${file}.json`);
    await using server = await recordedServer({ wire, json });
    const provider = anthropic(model, { apiKey: "test", baseURL: server.baseURL("anthropic") });
    const response = await provider.generate(ask);
    expect(gist(response)).toEqual(whole);
    expect(countedUsage(response)).toEqual(writtenUsage([json]));
    expect(response.usage.providerMetrics).toBeDefined();
    expect(response.raw).toEqual(JSON.parse(json));
    const history = compileHistory([...ask.messages, response.message, ...ask.messages], historyTarget(provider));
    await provider.generate({ messages: history.messages });
    for (const text of opaqueTexts(JSON.parse(json))) expect(server.requests[1]?.text).toContain(JSON.stringify(text));
  });
}
