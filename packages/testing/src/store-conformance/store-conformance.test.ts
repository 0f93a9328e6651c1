import { memoryStore } from "@bailiwick/core";
import { describe, test } from "vitest";
import { storeConformance } from "./store-conformance.ts";

describe("the store in memory", () => {
  for (const { name, run } of storeConformance(() => ({ store: memoryStore() }))) test(name, run);
});
