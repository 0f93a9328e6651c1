import { knownModels, type KnownModel } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { knowModel } from "./capabilities.ts";

const listed = Object.entries(knownModels).filter(([id]) => id.startsWith("google/"));

test("the table of models and the rules of the adapter agree on each model [providers.models.table]", () => {
  expect(listed.length).toBeGreaterThan(3);
  for (const [id, model] of listed) {
    const { capabilities, traits } = knowModel(id.slice("google/".length), {});
    const input: KnownModel["input"] = (["image", "audio", "file"] as const).filter((kind) => capabilities.input[kind]);
    expect({ id, input, efforts: traits.levels }).toEqual({ id, input: model.input, efforts: model.efforts });
    expect([id, capabilities.contextWindow, capabilities.maxOutputTokens]).toEqual([
      id,
      model.contextWindow,
      model.maxOutputTokens,
    ]);
  }
});

test("an id that is not listed behaves as the newest kind of its vendor [providers.models.unknown]", () => {
  const newest = knowModel("gemini-9-ultra", {});
  expect(newest.capabilities.contextWindow).toBe(undefined);
  expect(newest.traits.levels.length).toBeGreaterThan(2);
  expect(newest.capabilities.structuredOutput).toBe("with-tools");
});
