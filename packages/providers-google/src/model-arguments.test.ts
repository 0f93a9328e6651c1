import type { ModelProvider } from "@bailiwick/core";
import { anthropic } from "@bailiwick/providers-anthropic";
import { openai, openaiEmbedder } from "@bailiwick/providers-openai";
import { ollama } from "@bailiwick/providers-openai/ollama";
import { expect, test } from "vitest";
import { google, googleEmbedder } from "./index.ts";

type Options = { readonly apiKey: string; readonly baseURL?: string; readonly dimensions?: number };

/** Each function that makes a model, by the name that its errors use. */
const makers: Readonly<Record<string, (modelId: string, options: Options) => unknown>> = {
  "openai()": (id, options): ModelProvider => openai(id, options),
  "ollama()": (id, options): ModelProvider => ollama(id, options),
  "anthropic()": (id, options): ModelProvider => anthropic(id, options),
  "google()": (id, options): ModelProvider => google(id, options),
  "openaiEmbedder()": (id, options) => openaiEmbedder(id, { ...options, dimensions: 8 }),
  "googleEmbedder()": (id, options) => googleEmbedder(id, { ...options, dimensions: 8 }),
};

for (const [name, make] of Object.entries(makers)) {
  test(`${name} refuses an id that is not text, and an address that fetch cannot call [providers.rule.errors]`, () => {
    for (const id of [undefined, "", 42, null])
      expect(() => make(id as string, { apiKey: "k" })).toThrow(
        expect.objectContaining({
          code: "INVALID_OPTION",
          message: expect.stringContaining(`${name} takes the id of a model first`) as string,
        }),
      );
    for (const baseURL of ["localhost:8000", "my server", "file:///tmp", ""])
      expect(() => make("some-model", { apiKey: "k", baseURL })).toThrow(
        expect.objectContaining({
          code: "INVALID_OPTION",
          message: expect.stringContaining(`The baseURL ${JSON.stringify(baseURL)} of `) as unknown,
        }),
      );
    make("some-model", { apiKey: "k", baseURL: "http://127.0.0.1:9" });
  });
}
