import { checkArgument } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";
import { entryCases } from "./entry-cases.ts";
import { forgetCases } from "./forget-cases.ts";
import type { CreateMemories, MemoryTraits } from "./memory-case.ts";
import { propertyCases } from "./property-cases.ts";
import { recallCases } from "./recall-cases.ts";
import { scopeCases } from "./scope-cases.ts";
import { timeCases } from "./time-cases.ts";
import { vectorCases } from "./vector-cases.ts";

/**
 * Everything that a store of memories must do, as cases for any test runner: each makes its own store.
 *
 * @param createMemories - Makes an empty store.
 * @param traits - Number of random stores.
 * @example
 * ```ts
 * import type { MemoryStore } from "@bailiwick/core";
 * import { memoryConformance } from "@bailiwick/testing/conformance";
 *
 * export function register(make: () => MemoryStore, test: (name: string, run: () => Promise<void>) => void) {
 *   for (const { name, run } of memoryConformance(() => ({ memories: make() }))) test(name, run);
 * }
 * ```
 */
export function memoryConformance(
  createMemories: CreateMemories,
  traits: MemoryTraits = {},
): readonly ConformanceCase[] {
  checkArgument(createMemories, "function", "memoryConformance(createMemories)");
  const setup = { createMemories, runs: traits.runs ?? 30 };
  return [
    ...entryCases(setup),
    ...scopeCases(setup),
    ...timeCases(setup),
    ...recallCases(setup),
    ...vectorCases(setup),
    ...forgetCases(setup),
    ...propertyCases(setup),
  ];
}
