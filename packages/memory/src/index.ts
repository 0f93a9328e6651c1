/**
 * Memory of agents across sessions: blocks, events, facts and procedures, with their labels.
 *
 * @module
 */
export { memory } from "./memory.ts";
export type { ApplicationMemory, Memory } from "./memory.ts";
export type { MemoryGraph, MemoryGraphEdge, MemoryGraphNode, MemoryGraphOptions } from "./memory-graph.ts";
export type { BlockOptions, MemoryOptions, MemoryToolName } from "./memory-options.ts";
export { inMemoryMemories } from "./in-memory-memories.ts";
export { sealedMemories } from "./sealed-memories.ts";
