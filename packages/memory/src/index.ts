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
export { documents } from "./documents/documents.ts";
export type { DocumentChanges, Documents, DocumentSearch } from "./documents/documents.ts";
export type { DocumentOptions, DocumentsOptions, NewDocument } from "./documents/document-options.ts";
export type { DocumentPassage } from "./documents/document-passage.ts";
export type { DocumentToolOptions } from "./documents/document-tool.ts";
export type { DocumentLanguage } from "./documents/stems.ts";
