import { knownModels, type KnownModel } from "@bailiwick/core/provider";
import { expect, test } from "vitest";
import { knowModel } from "./capabilities.ts";

const listed = Object.entries(knownModels).filter(([id]) => id.startsWith("anthropic/"));

test("the model table and the adapter's rules agree on each model [providers.models.table]", () => {
  expect(listed.length).toBeGreaterThan(10);
  for (const [id, model] of listed) {
    const { capabilities, traits } = knowModel(id.slice("anthropic/".length), {});
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
  const newest = knowModel("claude-novel-9", {});
  expect(newest.capabilities.contextWindow).toBe(1_000_000);
  expect(newest.traits.efforts.length).toBeGreaterThan(2);
  expect(newest.capabilities.structuredOutput).toBe("with-tools");
});
