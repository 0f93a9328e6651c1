import { knownModels, type KnownModel } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { knowModel } from "./capabilities.ts";
import { compat } from "./compat.ts";

const listed = Object.entries(knownModels).filter(([id]) => id.startsWith("openai/"));

test("the model table and the adapter's rules agree on each model [providers.models.table]", () => {
  expect(listed.length).toBeGreaterThan(10);
  for (const [id, model] of listed) {
    const { capabilities, traits } = knowModel(id.slice("openai/".length), "responses", compat.openai, {});
    const input: KnownModel["input"] = (["image", "audio", "file"] as const).filter((kind) => capabilities.input[kind]);
    expect({ id, input, efforts: traits.efforts }).toEqual({ id, input: model.input, efforts: model.efforts });
    expect([id, capabilities.contextWindow, capabilities.maxOutputTokens]).toEqual([
      id,
      model.contextWindow,
      model.maxOutputTokens,
    ]);
  }
});

test("an unlisted id behaves like the vendor's newest models [providers.models.unknown]", () => {
  const newest = knowModel("gpt-9-mega", "responses", compat.openai, {});
  expect(newest.capabilities.contextWindow).toBe(undefined);
  expect(newest.traits.efforts.length).toBeGreaterThan(2);
  expect(newest.capabilities.structuredOutput).toBe("with-tools");
});
