import type { MemoryEntry, MemoryScope, MemoryStore, Readers } from "@bailiwick/core";
import { canonicalJson, defaultHasher } from "@bailiwick/core/extension";

/** A stored document. */
export interface ShelfDocument {
  readonly source: string;
  readonly returns: "own" | "outside";
  readonly readers?: Readers | undefined;
  /** The folder that it was read from. */
  readonly folder?: string | undefined;
  /** Ids of its chunks, in order. */
  readonly chunks: readonly string[];
}

/** The documents of a collection in a store of memories. */
export interface DocumentShelves {
  /** All documents. */
  all(): Promise<readonly ShelfDocument[]>;
  /** A document. */
  find(source: string): Promise<ShelfDocument | undefined>;
  /** Stores a document: it names its passages, which were stored before. */
  put(document: ShelfDocument): Promise<void>;
  /** Forgets a document, after its passages were deleted. */
  remove(source: string): Promise<void>;
  /**
   * The place of passages with these readers. Those of other readers are searched apart, so that no ranking tells a
   * person of a text that they may not see.
   */
  scopeFor(readers: Readers | undefined): MemoryScope;
}

/** Largest number of documents of a collection. */
const most = 100_000;

const hasher = defaultHasher();

/**
 * The documents of a collection. They belong to users that no run has, so that no memory of a person is among them.
 *
 * @param store - The store.
 * @param name - The collection.
 * @param tenantId - Its tenant.
 */
export function documentShelves(store: MemoryStore, name: string, tenantId: string | undefined): DocumentShelves {
  const scopeOf = (part: string): MemoryScope => ({ tenantId, userId: `documents:${name}:${part}` });
  const list = scopeOf("list");
  const idOf = (source: string): string => hasher.sha256(`document ${source}`);
  const read = (entry: MemoryEntry): ShelfDocument => entry.data as ShelfDocument;
  return {
    async all() {
      const hits = await store.query({ scope: list, limit: most, budgetTokens: Number.MAX_SAFE_INTEGER });
      return hits.map(({ entry }) => read(entry));
    },
    async find(source) {
      const entry = await store.get(idOf(source), list);
      return entry === undefined ? undefined : read(entry);
    },
    async put(document) {
      const id = idOf(document.source);
      const now = Date.now();
      await store.put({
        id,
        kind: "semantic",
        text: document.source.slice(0, 2_000),
        data: document,
        scope: list,
        label: { integrity: "verified", readers: "public" },
        validFrom: now,
        recordedAt: now,
        source: { runId: "documents", seq: 0 },
      });
      await store.setVector(id, list, undefined, document);
    },
    remove: async (source) => void (await store.forget(idOf(source), list)),
    scopeFor(readers) {
      const sorted = readers === undefined || readers === "public" ? readers : readers.toSorted();
      return scopeOf(hasher.sha256(canonicalJson(sorted ?? null)).slice(0, 16));
    },
  };
}
