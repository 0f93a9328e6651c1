import { providerConformance } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { openai } from "./index.ts";
import { ollama } from "./ollama/index.ts";

const rows = [
  { name: "responses, reasoning model", api: "responses", model: "gpt-5.5", traits: {} },
  {
    name: "responses, other model",
    api: "responses",
    model: "gpt-4.1",
    traits: { showsReasoning: false },
  },
  { name: "chat, reasoning model", api: "chat", model: "gpt-5.5", traits: { showsReasoning: false } },
  { name: "chat, other model", api: "chat", model: "gpt-4.1", traits: { showsReasoning: false } },
] as const;

for (const { name, api, model, traits } of rows) {
  describe(`openai over ${name}`, () => {
    const cases = providerConformance(
      (server) => openai(model, { api, apiKey: server.apiKey, baseURL: server.baseURL("openai") }),
      traits,
    );
    for (const one of cases) test(`${one.name} (${api})`, one.run);
  });
}

describe("ollama over its own API", () => {
  const cases = providerConformance(
    (server) => ollama("qwen3", { apiKey: server.apiKey, baseURL: server.baseURL("ollama") }),
    {
      // Thinking is plain text without a signature.
      showsReasoning: false,
      tellsRefusals: false,
      rawArguments: false,
      tellsCachedTokens: false,
      openingEvents: 0,
    },
  );
  for (const one of cases) test(`${one.name} (native)`, one.run);
});
