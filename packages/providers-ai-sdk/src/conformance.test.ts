import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { providerConformance, type ConformanceServer, type ConformanceTraits } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { aiSdk } from "./index.ts";
import type { AiSdkSource } from "./ai-sdk-model.ts";

interface Row {
  readonly name: string;
  readonly source: (server: ConformanceServer) => AiSdkSource;
  readonly traits: ConformanceTraits;
}

const rows: readonly Row[] = [
  {
    name: "@ai-sdk/openai-compatible",
    source:
      ({ baseURL, apiKey: own }) =>
      ({ fetch, apiKey = own }) =>
        createOpenAICompatible({ name: "compatible", includeUsage: true, baseURL: baseURL("openai"), apiKey, fetch })(
          "some-model",
        ),
    traits: { showsReasoning: false, splitEvery: 7, tellsRefusals: false },
  },
  {
    name: "@ai-sdk/openai chat",
    source:
      ({ baseURL, apiKey: own }) =>
      ({ fetch, apiKey = own }) =>
        createOpenAI({ baseURL: baseURL("openai"), apiKey, fetch }).chat("gpt-4.1"),
    traits: { showsReasoning: false, splitEvery: 7, tellsRefusals: false },
  },
  {
    name: "@ai-sdk/openai responses",
    source:
      ({ baseURL, apiKey: own }) =>
      ({ fetch, apiKey = own }) =>
        createOpenAI({ baseURL: baseURL("openai"), apiKey, fetch }).responses("gpt-5.5"),
    traits: { splitEvery: 7 },
  },
  {
    name: "@ai-sdk/anthropic",
    source:
      ({ baseURL, apiKey: own }) =>
      ({ fetch, apiKey = own }) =>
        createAnthropic({ baseURL: `${baseURL("anthropic")}/v1`, apiKey, fetch })("claude-opus-5-5"),
    traits: { splitEvery: 7, rawArguments: false },
  },
  {
    name: "@ai-sdk/google",
    source:
      ({ baseURL, apiKey: own }) =>
      ({ fetch, apiKey = own }) =>
        createGoogle({ baseURL: `${baseURL("google")}/v1beta`, apiKey, fetch })("gemini-3-pro"),
    traits: {
      splitEvery: 7,
      rawArguments: false,
      openingEvents: 0,
      // The package does not return the vendor's `modelVersion`.
      namesResponseModel: false,
    },
  },
];

for (const { name, source, traits } of rows) {
  describe(`aiSdk() with ${name}`, () => {
    for (const one of providerConformance((server) => aiSdk(source(server)), traits))
      test(`${one.name} (${name})`, one.run);
  });
}
