import type { MemoryEntry, MemoryHit, MemoryScope, MemoryStore } from "@bailiwick/core";
import type { ConformanceCase } from "../provider-conformance/index.ts";

/** A store under test, empty. */
export interface MemoriesUnderTest {
  /** The store to test. */
  readonly memories: MemoryStore;
  /** Opens the same data again, as another process would; absent if data ends with its store object. */
  readonly again?: (() => { readonly memories: MemoryStore; close(): Promise<void> }) | undefined;
  /** Called at the end of the case. */
  readonly dispose?: (() => void | Promise<void>) | undefined;
}

/** Makes an empty store; called for each case. */
export type CreateMemories = () => MemoriesUnderTest | Promise<MemoriesUnderTest>;

/** Number of random tries of each case. */
export interface MemoryTraits {
  /** Number of random stores for each property. Default 30. */
  readonly runs?: number | undefined;
}

/** Options of the cases. */
export interface MemorySetup {
  readonly createMemories: CreateMemories;
  readonly runs: number;
}

/** A case with its own store. */
export function memoryCase(
  setup: MemorySetup,
  name: string,
  run: (memories: MemoryStore, under: MemoriesUnderTest) => Promise<void>,
): ConformanceCase {
  return {
    name,
    async run() {
      const under = await setup.createMemories();
      try {
        await run(under.memories, under);
      } finally {
        await under.dispose?.();
      }
    },
  };
}

/** Ana, of tenant t1. */
export const ana: MemoryScope = { tenantId: "t1", userId: "ana" };

/** A time in the past, in milliseconds since the epoch, from which all cases count. */
export const longAgo = 1_700_000_000_000;
/** A day, in milliseconds. */
export const dayMs = 86_400_000;

/** An entry that is stored. */
export function entryOf(id: string, text: string, fields: Partial<MemoryEntry> = {}): MemoryEntry {
  return {
    id,
    kind: "semantic",
    text,
    scope: ana,
    label: { integrity: "user", readers: ["user:ana"] },
    validFrom: longAgo,
    recordedAt: longAgo,
    source: { runId: "r1", seq: 3, callId: "c1" },
    ...fields,
  };
}

/** Ids of hits, best first. */
export function idsOf(hits: readonly MemoryHit[]): readonly string[] {
  return hits.map(({ entry }) => entry.id);
}
