import { expect, test } from "vitest";
import { compareModels } from "./lib/model-list.mjs";

const table = {
  "openai/gpt-a": { contextWindow: 1000, maxOutputTokens: 100, price: { input: 2.5, cachedInput: 1.25, output: 10 } },
  "google/gemini-a": { contextWindow: 2000, maxOutputTokens: 200, price: { input: 0.3, output: 2.5 } },
  "anthropic/claude-a": { contextWindow: 3000, maxOutputTokens: 300, price: { input: 3, output: 15 } },
};
const gptA = {
  litellm_provider: "openai",
  mode: "chat",
  max_input_tokens: 1000,
  max_output_tokens: 100,
  input_cost_per_token: 0.0000025,
  output_cost_per_token: 0.00001,
  cache_read_input_token_cost: 0.00000125,
};

test("a newer list shows changed prices and limits, models that it lacks, and new ones [providers.models.checked]", () => {
  const same = compareModels(table, { "gpt-a": gptA });
  expect(same).toEqual({ differences: [], absent: ["google/gemini-a", "anthropic/claude-a"], unlisted: [] });
  const newer = compareModels(table, {
    "gpt-a": { ...gptA, input_cost_per_token: 0.000002, max_output_tokens: 128 },
    "gpt-b": gptA,
    "gpt-b-2026-11-01": gptA,
    "gemini/gemini-a": {
      litellm_provider: "gemini",
      mode: "chat",
      max_input_tokens: 2000,
      input_cost_per_token: 3e-7,
      cache_read_input_token_cost: 3e-8,
    },
    "embed-a": { ...gptA, mode: "embedding" },
    "azure/gpt-c": { ...gptA, litellm_provider: "azure" },
  });
  expect(newer.differences).toEqual([
    "openai/gpt-a: maxOutputTokens is 100, the list has 128",
    "openai/gpt-a: price.input is 2.5, the list has 2",
    "google/gemini-a: price.cachedInput is undefined, the list has 0.03",
  ]);
  expect(newer.unlisted).toEqual(["openai/gpt-b"]);
});
