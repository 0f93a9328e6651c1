import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { anthropic } from "@bailiwick/providers-anthropic";
import { google } from "@bailiwick/providers-google";
import { openai, type CompatName } from "@bailiwick/providers-openai";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import { recordedServer, type ModelServerWire, type RecordedServer } from "@bailiwick/testing/model-server";
import type { ModelProvider, ModelResponse } from "@bailiwick/core";
import { describe, expect, inject, test } from "vitest";
import { aiSdk } from "./index.ts";

/** One folder of recordings, with our adapter and the AI SDK's for it. */
interface Row {
  readonly folder: string;
  readonly wire: ModelServerWire;
  readonly ours: (server: RecordedServer) => ModelProvider;
  readonly theirs: (server: RecordedServer) => ModelProvider;
}

const apiKey = "sk-test-0123456789";
const chat = (folder: string, compat: CompatName): Row => ({
  folder,
  wire: "openai-chat",
  ours: ({ baseURL }) => openai("some-model", { apiKey, api: "chat", compat, baseURL: baseURL("openai") }),
  theirs: ({ baseURL }) =>
    aiSdk(
      compat === "mistral"
        ? createMistral({ apiKey, baseURL: baseURL("openai") })("some-model")
        : createOpenAICompatible({ name: compat, apiKey, baseURL: baseURL("openai"), includeUsage: true })(
            "some-model",
          ),
    ),
});
const responses = (folder: string): Row => ({
  folder,
  wire: "openai-responses",
  ours: ({ baseURL }) => openai("gpt-5.5", { apiKey, baseURL: baseURL("openai") }),
  theirs: ({ baseURL }) => aiSdk(createOpenAI({ apiKey, baseURL: baseURL("openai") }).responses("gpt-5.5")),
});
const rows: readonly Row[] = [
  {
    folder: "anthropic",
    wire: "anthropic-messages",
    ours: ({ baseURL }) => anthropic("claude-opus-5", { apiKey, baseURL: baseURL("anthropic") }),
    theirs: ({ baseURL }) => aiSdk(createAnthropic({ apiKey, baseURL: `${baseURL("anthropic")}/v1` })("claude-opus-5")),
  },
  {
    folder: "google",
    wire: "google-generate",
    ours: ({ baseURL }) => google("gemini-3-pro", { apiKey, baseURL: baseURL("google") }),
    theirs: ({ baseURL }) => aiSdk(createGoogle({ apiKey, baseURL: `${baseURL("google")}/v1beta` })("gemini-3-pro")),
  },
  chat("openai-chat", "openai"),
  chat("openai-chat-deepseek", "deepseek"),
  chat("openai-chat-groq", "groq"),
  chat("openai-chat-mistral", "mistral"),
  responses("openai-responses"),
  responses("openai-responses-azure"),
];

/** Recordings that the two read differently, and why. */
const differ: Readonly<Record<string, string>> = {
  "openai-custom-tool.1.chunks.txt": "the package gives the text of a custom tool as it is, the adapter as { input }",
  "openai-custom-tool.1.json": "the package gives the text of a custom tool as it is, the adapter as { input }",
  "openai-phase.1.chunks.txt": "the recording leaves deltas out, which are all that the package reads",
  "openai-reasoning-encrypted-content.1.chunks.txt":
    "it records three answers in one; the package reads past the first end",
};

/** The content of an answer that both have to read alike. */
function gist({ message, usage, finishReason }: ModelResponse): unknown {
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return {
    text,
    calls: message.toolCalls.map(({ name, input }) => ({ name, input })),
    finishReason,
    usage: [usage.promptTokens, usage.completionTokens],
  };
}

async function played(model: ModelProvider, streamed: boolean): Promise<unknown> {
  const request = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };
  try {
    if (!streamed) return gist(await model.generate(request));
    const { chunks, error } = await collectChunks(model.stream(request));
    if (error !== undefined) throw error;
    return gist(finishedResponse(chunks));
  } catch (error) {
    return { failed: (error as { code?: unknown }).code ?? String(error) };
  }
}

const root = inject("wireRecordings");
describe.each(rows)("$folder", ({ folder, wire, ours, theirs }) => {
  const path = join(root, folder);
  const files = existsSync(path) ? readdirSync(path).filter((file) => /\.(chunks\.txt|json)$/.test(file)) : [];
  for (const file of files) {
    test(`${file} comes to the same through the adapter and through the AI SDK [providers.ai-sdk.side-by-side]`, async () => {
      const text = readFileSync(join(path, file), "utf8");
      const streamed = file.endsWith(".chunks.txt");
      const status = file.includes("429") ? 429 : 200;
      const recording = { wire, status, ...(streamed ? { chunks: text } : { json: text }) };
      await using server = await recordedServer(recording);
      const own = await played(ours(server), streamed);
      const other = await played(theirs(server), streamed);
      // A difference that is gone is to be taken off the list.
      if (differ[file] === undefined) expect(other).toEqual(own);
      else expect(other, differ[file]).not.toEqual(own);
    });
  }
});
