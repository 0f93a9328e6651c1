import { knownModels, type KnownModel } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { knowModel } from "./capabilities.ts";

const listed = Object.entries(knownModels).filter(([id]) => id.startsWith("google/"));

test("the model table and the adapter's rules agree on each model [providers.models.table]", () => {
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

test("an unlisted id behaves like the vendor's newest models [providers.models.unknown]", () => {
  const newest = knowModel("gemini-9-ultra", {});
  expect(newest.capabilities.contextWindow).toBe(undefined);
  expect(newest.traits.levels.length).toBeGreaterThan(2);
  expect(newest.capabilities.structuredOutput).toBe("with-tools");
});
