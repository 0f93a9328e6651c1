import { ConfigurationError } from "@bailiwick/core";
import { expect, test } from "vitest";
import { inMemoryMemories, memory } from "./index.ts";
import type { MemoryOptions } from "./index.ts";

const store = inMemoryMemories();

test.each<[object | string | undefined, string]>([
  [undefined, `memory() needs the "store" that memories are kept in, such as sqliteStore({ path })`],
  ["memory.db", "Write memory() with { store"],
  [{}, `memory() needs the "store"`],
  [{ store: {} }, `memory() needs the "store"`],
  [{ store, path: "x" }, `"path" is not an option of memory()`],
  [{ store, embeder: {} }, `did you mean "embedder"?`],
  [{ store, embedder: { embed: async () => [] } }, `memory() needs an "embedder" with a "model"`],
  [{ store, reranker: { model: "r" } }, `memory() needs a "reranker" with a "model"`],
  [{ store, modelTimeoutMs: 0 }, `as "modelTimeoutMs", not 0`],
  [{ store, scope: "tenant" }, `memory() takes "user" or "agent" as "scope", not "tenant"`],
  [{ store, blocks: { notes: { limit: 3_000 } } }, `memory() takes a number from 1 to 2000 as "blocks.notes.limit"`],
  [{ store, blocks: { notes: { size: 1 } } }, `"size" is not an option of the block "notes" of memory()`],
  [{ store, blocks: { "": {} } }, "memory() has a block without a name"],
  [{ store, tools: ["remeber"] }, `memory() knows no "remeber" for "tools"`],
  [{ store, inSystemPrompt: ["facts"] }, `memory() knows no "facts" for "inSystemPrompt"`],
  [{ store, recall: { top: 1 } }, `"top" is not an option of the "recall" of memory()`],
  [{ store, recall: { limit: 0 } }, `as "recall.limit", not 0`],
  [{ store, recall: { halfLifeDays: -1 } }, `as "recall.halfLifeDays", not -1`],
  [{ store, recall: { leastSimilarity: 2 } }, `as "recall.leastSimilarity", not 2`],
])("options that cannot be honoured, %j, are refused", (options, message) => {
  expect(() => memory(options as unknown as MemoryOptions)).toThrow(ConfigurationError);
  expect(() => memory(options as unknown as MemoryOptions)).toThrow(message);
});

test("the model has only the configured memory tools, and the block tool if there are blocks [feature:X050]", () => {
  const names = (options: Omit<MemoryOptions, "store">) => memory({ store, ...options }).tools.map(({ name }) => name);
  expect(names({})).toEqual(["remember", "recall", "forget"]);
  expect(names({ blocks: { notes: {} } })).toEqual(["remember", "recall", "forget", "edit_memory_block"]);
  expect(names({ tools: ["recall"] })).toEqual(["recall"]);
  expect(names({ tools: [] })).toEqual([]);
});
