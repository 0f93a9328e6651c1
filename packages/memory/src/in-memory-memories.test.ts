import { memoryConformance } from "@bailiwick/testing/conformance";
import { describe, test } from "vitest";
import { inMemoryMemories } from "./in-memory-memories.ts";

describe("memories in memory", () => {
  for (const one of memoryConformance(() => ({ memories: inMemoryMemories() })))
    test(`${one.name} (in memory)`, one.run);
});
