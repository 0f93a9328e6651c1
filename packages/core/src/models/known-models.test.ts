import { expect, test } from "vitest";
import { listPrices } from "../index.ts";
import { knownModel, knownModels } from "../provider.ts";

test("each listed model has a price with its page, origin and day, and each price has a model [providers.models.table]", () => {
  expect(Object.keys(listPrices).toSorted()).toEqual(Object.keys(knownModels).toSorted());
  for (const [id, { price, source, origin, checked }] of Object.entries(knownModels)) {
    expect({ id, price }).toEqual({ id, price: listPrices[id as `${string}/${string}`] });
    expect(source).toMatch(/^https:/);
    expect(origin).toMatch(/^(pi-ai \d+\.\d+\.\d+|price page)$/);
    expect(new Date(checked).toISOString().slice(0, 10)).toBe(checked);
  }
});

test.each([
  "anthropic/claude-opus-5-5",
  "anthropic/claude-sonnet-5-5",
  "anthropic/claude-haiku-5-5",
  "anthropic/claude-fable-5-2",
  "openai/gpt-5.6-sol",
  "openai/gpt-6-sol",
  "openai/gpt-6.2-astra",
  "google/gemini-3.5-flash",
  "google/gemini-3.6-flash",
])("the current model %s has a row with a price [providers.models.table]", (id) => {
  const { price } = knownModels[id as `${string}/${string}`] ?? {};
  expect(price?.input).toBeGreaterThan(0);
  expect(price?.output).toBeGreaterThan(price?.input ?? Infinity);
});

test("a dated id has the row of its model, and another name that of the model that answers [providers.models.table]", () => {
  expect(knownModel("openai", "gpt-5.5-2026-04-23")).toBe(knownModels["openai/gpt-5.5"]);
  expect(knownModel("openai", "gpt-4o-2024-05-13")).not.toEqual(knownModels["openai/gpt-4o"]);
  expect(knownModel("openai", "gpt-5.6")).toEqual({
    ...knownModels["openai/gpt-5.6-sol"],
    aliasOf: "openai/gpt-5.6-sol",
  });
});
