/** Calls about memories; plain values, as in `service.ts`. */

/** The owner of a query: a tenant and user, with the agent and namespace that it may see. */
export interface MemoryOwner {
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly namespace: string | null;
}

/** A vector of a model, as 32-bit numbers. */
export interface VectorColumns {
  readonly model: string;
  readonly values: Float32Array;
}

/** An entry that is written; `entry` and `data` are JSON, `words` are separated by spaces. */
export interface MemoryColumns {
  readonly id: string;
  readonly owner: MemoryOwner;
  readonly kind: string;
  readonly name: string | null;
  readonly entry: string;
  readonly data: string | null;
  readonly words: string;
  readonly length: number;
  readonly validFrom: number;
  readonly validTo: number | null;
  readonly recordedAt: number;
  readonly sources: readonly string[];
  readonly vector: VectorColumns | null;
}

/** A stored entry. */
export interface MemoryRow {
  readonly n: number;
  readonly entry: string;
  readonly data: string | null;
  readonly supersededBy: string | null;
  readonly supersededAt: number | null;
  readonly supersededFrom: number | null;
  readonly model: string | null;
  readonly dims: number | null;
}

/** Filter of entries. */
export interface MemoryFilter {
  readonly owner: MemoryOwner;
  /** JSON list, or `null` for all. */
  readonly kinds: string | null;
  readonly name: string | null;
  readonly at: number;
  /** The query names no time: entries of a clock that is ahead count too. */
  readonly loose: boolean;
  readonly knownAt: number | null;
}

/** Number of occurrences of each query word in an entry. */
export interface CountedRow {
  readonly n: number;
  readonly length: number;
  readonly counts: readonly number[];
}

/** The result of a search, over one snapshot of the file. */
interface MemorySearch {
  /** Entries that contain one of the words, newest first. */
  readonly counted: readonly CountedRow[];
  readonly count: number;
  readonly averageLength: number;
  /** The nearest rows for each vector, nearest first. */
  readonly nearest: readonly (readonly { readonly row: MemoryRow; readonly similarity: number }[])[];
}

/** The calls. Each refuses with a `Failure`. */
export interface MemoryCalls {
  putMemory(entry: MemoryColumns): Promise<void>;
  supersedeMemory(id: string, by: MemoryColumns): Promise<void>;
  getMemory(id: string, owner: MemoryOwner): Promise<MemoryRow | undefined>;
  searchMemories(
    filter: MemoryFilter,
    words: readonly string[],
    vectors: readonly VectorColumns[],
    leastSimilarity: number,
    depth: number,
  ): Promise<MemorySearch>;
  /** Returns those of these entries that still match. */
  memoryRows(filter: MemoryFilter, rows: readonly number[]): Promise<readonly MemoryRow[]>;
  latestMemories(filter: MemoryFilter, limit: number): Promise<readonly MemoryRow[]>;
  forgetMemory(id: string, owner: MemoryOwner): Promise<readonly string[]>;
  forgetMemories(owner: MemoryOwner): Promise<number>;
  memoriesWithoutVector(
    owner: MemoryOwner,
    model: string,
    dims: number,
    now: number,
    limit: number,
  ): Promise<readonly MemoryRow[]>;
  memoryModels(owner: MemoryOwner): Promise<readonly { readonly model: string; readonly dims: number }[]>;
  setMemoryVector(
    id: string,
    owner: MemoryOwner,
    vector: VectorColumns | null,
    data: string | null | undefined,
  ): Promise<void>;
}
