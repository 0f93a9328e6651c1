export { memoryConformance } from "./memory-conformance.ts";
export type { CreateMemories, MemoriesUnderTest, MemoryTraits } from "./memory-case.ts";
