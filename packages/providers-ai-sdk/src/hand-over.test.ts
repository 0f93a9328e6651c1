import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { handOverConformance, type HandOverModel } from "@bailiwick/testing/conformance";
import { test } from "vitest";
import { aiSdk } from "./index.ts";

const models: readonly HandOverModel[] = [
  {
    name: "an OpenAI-compatible model",
    createModel: ({ apiKey, baseURL }) =>
      aiSdk(createOpenAICompatible({ name: "compatible", baseURL: baseURL("openai"), apiKey })("some-model")),
  },
  {
    name: "Claude",
    createModel: ({ apiKey, baseURL }) =>
      aiSdk(createAnthropic({ baseURL: `${baseURL("anthropic")}/v1`, apiKey })("claude-opus-4-6")),
  },
  {
    name: "Gemini",
    createModel: ({ apiKey, baseURL }) =>
      aiSdk(createGoogle({ baseURL: `${baseURL("google")}/v1beta`, apiKey })("gemini-3-pro")),
  },
];

for (const { name, run } of handOverConformance(models)) test(`${name} (over the AI SDK)`, run);
