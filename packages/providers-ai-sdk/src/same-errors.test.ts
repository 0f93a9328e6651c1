import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import type { ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { google } from "@bailiwick/providers-google";
import { openai } from "@bailiwick/providers-openai";
import { collectChunks, scriptedModel, type ScriptStep } from "@bailiwick/testing";
import { modelServer, type ModelServer } from "@bailiwick/testing/model-server";
import { describe, expect, test } from "vitest";
import { aiSdk } from "./index.ts";

const apiKey = "sk-test-0123456789";
const adapters: Readonly<Record<string, (server: ModelServer) => ModelProvider>> = {
  "OpenAI's Responses": (server) => openai("gpt-5.5", { apiKey, baseURL: server.baseURL("openai") }),
  "Chat Completions": (server) => openai("gpt-5.5", { apiKey, api: "chat", baseURL: server.baseURL("openai") }),
  Anthropic: (server) => anthropic("claude-opus-5", { apiKey, baseURL: server.baseURL("anthropic") }),
  Google: (server) => google("gemini-3-pro", { apiKey, baseURL: server.baseURL("google") }),
  "the AI SDK's OpenAI": (server) => aiSdk(createOpenAI({ apiKey, baseURL: server.baseURL("openai") })("gpt-5.5")),
  "the AI SDK's Anthropic": (server) =>
    aiSdk(createAnthropic({ apiKey, baseURL: `${server.baseURL("anthropic")}/v1` })("claude-opus-5")),
  "the AI SDK's Google": (server) =>
    aiSdk(createGoogle({ apiKey, baseURL: `${server.baseURL("google")}/v1beta` })("gemini-3-pro")),
};
const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 498, 500, 502, 503, 504, 529] as const;
const overloaded = { status: 529, type: "overloaded_error", message: "Overloaded" };
const steps: Readonly<Record<string, ScriptStep>> = {
  ...Object.fromEntries(statuses.map((status) => [`status ${status}`, { faults: { error: { status } } }])),
  "a spent quota": {
    faults: { error: { status: 429, code: "insufficient_quota", message: "You exceeded your current quota." } },
  },
  "an overload": { faults: { error: overloaded } },
  "a request that is too long": {
    faults: { error: { status: 400, message: "prompt is too long: 9 tokens > 8 maximum" } },
  },
  "a delay in a header": { faults: { error: { status: 429, retryAfterSeconds: 7 } } },
};
const frames: Readonly<Record<string, ScriptStep>> = {
  "an overload before the first word": { text: "Hi", faults: { errorFrame: { afterEvents: 0, error: overloaded } } },
  "a failure before the first word": { text: "Hi", faults: { errorFrame: { afterEvents: 0, error: { status: 500 } } } },
  "a limit before the first word": { text: "Hi", faults: { errorFrame: { afterEvents: 0, error: { status: 429 } } } },
};

async function failure(model: ModelProvider, streamed: boolean): Promise<object> {
  const request = { messages: [{ id: "u", role: "user", content: "Hi" } as const] };
  const error: unknown = streamed
    ? (await collectChunks(model.stream(request))).error
    : await model.generate(request).catch((thrown: unknown) => thrown);
  const { code, retryable, retryAfterMs } = error as Readonly<Record<string, unknown>>;
  return { code, retryable, retryAfterMs };
}

describe.each(Object.entries(adapters))("%s", (_name, make) => {
  test.each(Object.entries(steps))(
    "%s gives the same error as a scripted model [providers.rule.errors]",
    async (_case, step) => {
      await using server = await modelServer(() => step);
      for (const streamed of [false, true]) {
        const scripted = await failure(
          scriptedModel(() => step),
          streamed,
        );
        expect(scripted).toHaveProperty("code");
        expect(await failure(make(server), streamed)).toEqual(scripted);
      }
    },
  );

  test.each(Object.entries(frames))(
    "%s in a stream gives the same error as a scripted model [providers.rule.errors]",
    async (_case, step) => {
      await using server = await modelServer(() => step);
      expect(await failure(make(server), true)).toEqual(
        await failure(
          scriptedModel(() => step),
          true,
        ),
      );
    },
  );
});
