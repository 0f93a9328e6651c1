import { memoryStore } from "@bailiwick/core";
import { describe, test } from "vitest";
import { storeConformance } from "./store-conformance.ts";

describe("the store in memory", () => {
  for (const one of storeConformance(() => ({ store: memoryStore() }))) test(`${one.name} (in memory)`, one.run);
});
