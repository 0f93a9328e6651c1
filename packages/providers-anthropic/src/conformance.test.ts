import { providerConformance } from "@bailiwick/testing/conformance";
import type { ModelProvider, ModelRequest } from "@bailiwick/core";
import { describe, test } from "vitest";
import { anthropic } from "./index.ts";

const asked =
  (reasoning: ModelRequest["reasoning"]) =>
  (model: ModelProvider): ModelProvider => ({
    ...model,
    generate: (request) => model.generate({ ...request, reasoning }),
    stream: (request) => model.stream({ ...request, reasoning }),
  });
const unasked = (model: ModelProvider): ModelProvider => model;

const rows = [
  { name: "adaptive thinking", model: "claude-opus-5", change: unasked, traits: {} },
  {
    name: "adaptive thinking, asked for",
    model: "claude-opus-5-5",
    change: asked({ enabled: true, effort: "high" }),
    traits: { splitEvery: 7 },
  },
  {
    name: "a thinking budget",
    model: "claude-sonnet-4-5",
    change: asked({ enabled: true, budgetTokens: 2048 }),
    traits: { splitEvery: 7 },
  },
  {
    name: "no thinking",
    model: "claude-3-5-haiku-latest",
    change: unasked,
    traits: { showsReasoning: false, splitEvery: 7 },
  },
];

for (const { name, model, change, traits } of rows) {
  describe(`anthropic with ${name}`, () => {
    const cases = providerConformance(
      (server) => change(anthropic(model, { apiKey: server.apiKey, baseURL: server.baseURL("anthropic") })),
      traits,
    );
    for (const one of cases) test(`${one.name} (${model})`, one.run);
  });
}
