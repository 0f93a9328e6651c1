import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelProvider, ModelResponse } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { google } from "@bailiwick/providers-google";
import { openai, type CompatName } from "@bailiwick/providers-openai";
import { collectChunks, finishedResponse } from "@bailiwick/testing";
import type { ModelServerWire, RecordedServer } from "@bailiwick/testing/model-server";
import { aiSdk } from "./index.ts";

/** The address and the `fetch` through which a recording is served. */
interface Served {
  readonly baseURL: RecordedServer["baseURL"];
  readonly fetch: typeof globalThis.fetch;
}

/** One folder of recordings, with our adapter and the AI SDK's for it. */
export interface Row {
  readonly folder: string;
  readonly wire: ModelServerWire;
  readonly ours: (server: Served) => ModelProvider;
  readonly theirs: (server: Served) => ModelProvider;
}

const apiKey = "sk-test-0123456789";
const chat = (folder: string, compat: CompatName): Row => ({
  folder,
  wire: "openai-chat",
  ours: ({ baseURL, fetch }) =>
    openai("some-model", { apiKey, api: "chat", compat, baseURL: baseURL("openai"), fetch }),
  theirs: ({ baseURL, fetch }) =>
    aiSdk(
      compat === "mistral"
        ? createMistral({ apiKey, baseURL: baseURL("openai"), fetch })("some-model")
        : createOpenAICompatible({ name: compat, apiKey, baseURL: baseURL("openai"), includeUsage: true, fetch })(
            "some-model",
          ),
    ),
});
const responses = (folder: string): Row => ({
  folder,
  wire: "openai-responses",
  ours: ({ baseURL, fetch }) => openai("gpt-5.5", { apiKey, baseURL: baseURL("openai"), fetch }),
  theirs: ({ baseURL, fetch }) =>
    aiSdk(createOpenAI({ apiKey, baseURL: baseURL("openai"), fetch }).responses("gpt-5.5")),
});
/** The folders of recordings. */
export const rows: readonly Row[] = [
  {
    folder: "anthropic",
    wire: "anthropic-messages",
    ours: ({ baseURL, fetch }) => anthropic("claude-opus-5", { apiKey, baseURL: baseURL("anthropic"), fetch }),
    theirs: ({ baseURL, fetch }) =>
      aiSdk(createAnthropic({ apiKey, baseURL: `${baseURL("anthropic")}/v1`, fetch })("claude-opus-5")),
  },
  {
    folder: "google",
    wire: "google-generate",
    ours: ({ baseURL, fetch }) => google("gemini-3-pro", { apiKey, baseURL: baseURL("google"), fetch }),
    theirs: ({ baseURL, fetch }) =>
      aiSdk(createGoogle({ apiKey, baseURL: `${baseURL("google")}/v1beta`, fetch })("gemini-3-pro")),
  },
  chat("openai-chat", "openai"),
  chat("openai-chat-deepseek", "deepseek"),
  chat("openai-chat-groq", "groq"),
  chat("openai-chat-mistral", "mistral"),
  responses("openai-responses"),
  responses("openai-responses-azure"),
];

/** The content of an answer that both have to read equally. */
export interface Gist {
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly input: unknown }[];
  readonly finishReason: string;
  readonly usage: readonly (number | undefined)[];
}

/** The code of the error that a call ended with. */
export interface Failure {
  readonly failed: unknown;
}

/** Returns the content of an answer. */
export function gist({ message, usage, finishReason }: ModelResponse): Gist {
  const text = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  return {
    text,
    calls: message.toolCalls.map(({ name, input }) => ({ name, input })),
    finishReason,
    usage: [usage.inputTokens, usage.outputTokens],
  };
}

/**
 * Calls a model that answers with a recording.
 *
 * @param model - The model.
 * @param streamed - True if the recording is a stream.
 */
export async function played(model: ModelProvider, streamed: boolean): Promise<Gist | Failure> {
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

/** Recordings that the two read differently, and why. */
export const differ: Readonly<Record<string, string>> = {
  "openai-custom-tool.1.chunks.txt": "the package gives the text of a custom tool as it is, the adapter as { input }",
  "openai-custom-tool.1.json": "the package gives the text of a custom tool as it is, the adapter as { input }",
  "openai-phase.1.chunks.txt": "the recording leaves deltas out, which are all that the package reads",
  "openai-reasoning-encrypted-content.1.chunks.txt":
    "it records three answers in one; the package reads past the first end",
};
