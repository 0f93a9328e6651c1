import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compileHistory, historyTarget } from "@bailiwick/core/provider";
import { ModelError, type ModelResponse } from "@bailiwick/core";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedFrames, recordedServer } from "@bailiwick/testing/model-server";
import { describe, expect, inject, test } from "vitest";
import { google } from "./index.ts";
import { listAt, replaying, type Sent } from "./replay.fixture.ts";

interface Row {
  readonly file: string;
  readonly model: string;
  /** Summary of the answer: `[finish, kinds of parts, calls]`. */
  readonly streamed: readonly unknown[];
  /** Checks the JSON recording, which is a separate request, in the same way. */
  readonly whole: readonly unknown[];
}

const answered = ["stop", ["text"], []] as const;
const called = ["tool_calls", ["tool_call"], ["weather"]] as const;
const rows: readonly Row[] = [
  { file: "google-text", model: "gemini-3-pro-preview", streamed: answered, whole: answered },
  { file: "google-reasoning-gemini3", model: "gemini-3-pro-preview", streamed: answered, whole: answered },
  { file: "google-tool-call", model: "gemini-3-pro-preview", streamed: called, whole: called },
  { file: "google-tool-call-gemini3", model: "gemini-3-pro-preview", streamed: called, whole: called },
];

const folder = join(inject("wireRecordings"), "google");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const linesOf = (chunks: string): readonly string[] => chunks.split("\n").filter((line) => line.trim() !== "");

const gist = ({ finishReason, message }: ModelResponse) => [
  finishReason,
  [...new Set(message.content.map(({ type }) => type))],
  message.toolCalls.map(({ name }) => name),
];

/** The last usage that the vendor wrote, by its own names. */
function writtenUsage(texts: readonly string[]): readonly unknown[] {
  const usages = texts.map((text) => (JSON.parse(text) as { usageMetadata?: Record<string, number> }).usageMetadata);
  const last = usages.findLast((usage) => usage !== undefined);
  const output = (last?.["candidatesTokenCount"] ?? 0) + (last?.["thoughtsTokenCount"] ?? 0);
  return [last?.["promptTokenCount"], output, last?.["totalTokenCount"]];
}

const countedUsage = ({ usage }: ModelResponse) => [usage.inputTokens, usage.outputTokens, usage.totalTokens];

/** The parts of each signature that a recording has, in order. */
function signedParts(chunks: string): readonly Record<string, unknown>[] {
  return linesOf(chunks)
    .flatMap((line) => listAt(JSON.parse(line), "candidates", 0, "content", "parts"))
    .filter((part) => "thoughtSignature" in part);
}

for (const { file, model, streamed } of rows) {
  const chunks = read(`${file}.chunks.txt`);
  const frames = recordedFrames({ wire: "google-generate", chunks });
  const bytes = Buffer.from(frames.join(""), "utf8");
  const ask = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };

  describe(`recording ${file}`, () => {
    test(`its events give the message, usage and finish reason (${file}) [providers.proof.recorded-streams] [providers.google.usage]`, async () => {
      await using server = await recordedServer({ wire: "google-generate", chunks });
      const answers = await collectChunks(
        google(model, { apiKey: "test", baseURL: server.baseURL("google") }).stream(ask),
      );
      expect(answers.error).toBeUndefined();
      const response = finishedResponse(answers.chunks);
      expect(gist(response)).toEqual(streamed);
      expect(countedUsage(response)).toEqual(writtenUsage(linesOf(chunks)));
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
      const expected = await collectChunks(replaying(model, bytes).stream(ask));
      const everywhere = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
      const stride = Math.max(1, Math.floor(bytes.length / 400));
      const splits = [everywhere, ...everywhere.filter((at) => at % stride === 0).map((at) => [at])];
      const essence = (result: typeof expected) => JSON.stringify(result).replaceAll(/call_[0-9a-f]{24}/g, "");
      for (const splitAt of splits) {
        expect(essence(await collectChunks(replaying(model, bytes, { splitAt }).stream(ask)))).toBe(essence(expected));
      }
    });

    test(`a stream cut at any event is an error or complete (${file}) [providers.proof.cut]`, async () => {
      for (let cut = 0; cut < frames.length; cut += 1) {
        const cutBytes = Buffer.from(frames.slice(0, cut).join(""), "utf8");
        for (const broken of [false, true]) {
          const { chunks: seen, error } = await collectChunks(replaying(model, cutBytes, { broken }).stream(ask));
          expect(error).toBeInstanceOf(ModelError);
          expect(seen.some(({ type }) => type === "finish")).toBe(false);
          const { partial } = error as ModelError;
          if (partial !== undefined) expect([partial.finishReason, partial.message.partial]).toEqual(["error", true]);
        }
      }
    });

    test(`the next request contains every signature, on its own part (${file}) [providers.proof.round-trip] [providers.google.thought-signature]`, async () => {
      const sent: Sent[] = [];
      const provider = replaying(model, bytes, {}, sent);
      const { message } = finishedResponse((await collectChunks(provider.stream(ask))).chunks);
      const history = compileHistory(
        [...ask.messages, message, { id: "u2", role: "user", content: "Go on." }],
        historyTarget(provider),
      );
      await collectChunks(provider.stream({ messages: history.messages }));
      const parts = listAt(sent[1]?.body, "contents", 1, "parts");
      const expected = signedParts(chunks);
      expect(expected.length).toBeGreaterThan(0);
      const withoutId = parts
        .filter((part) => "thoughtSignature" in part)
        .map((part) =>
          "functionCall" in part
            ? { ...part, functionCall: { ...(part["functionCall"] as object), id: undefined } }
            : part,
        );
      expect(withoutId).toEqual(expected);
    });
  });
}

for (const { file, model, whole } of rows) {
  test(`its JSON sibling gives the same kind of answer (${file}) [providers.proof.recorded-streams]`, async () => {
    const json = read(`${file}.json`);
    await using server = await recordedServer({ wire: "google-generate", json });
    const provider = google(model, { apiKey: "test", baseURL: server.baseURL("google") });
    const response = await provider.generate({ messages: [{ id: "u", role: "user", content: "Hi" }] });
    expect(gist(response)).toEqual(whole);
    expect(countedUsage(response)).toEqual(writtenUsage([json]));
    expect(response.usage.providerMetrics).toEqual(JSON.parse(json).usageMetadata);
    expect(response.raw).toEqual(JSON.parse(json));
  });
}

test("a recorded per-minute limit can be retried after the delay in its body [providers.rule.retry.delay] [providers.rule.retry.quota]", async () => {
  const json = read("google-429-retry-info.json");
  for (const body of [json, `[${json}]`]) {
    await using server = await recordedServer({ wire: "google-generate", json: body, status: 429 });
    const provider = google("gemini-2.5-flash", { apiKey: "test", baseURL: server.baseURL("google") });
    const asked = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };
    for (const attempt of [
      provider.generate(asked),
      collectChunks(provider.stream(asked)).then(({ error }) => Promise.reject(error as Error)),
    ]) {
      await expect(attempt).rejects.toMatchObject({
        code: "MODEL_RATE_LIMITED",
        status: 429,
        retryable: true,
        retryAfterMs: 34_400,
      });
    }
  }
});
