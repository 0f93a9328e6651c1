import {
  checkedMemories,
  checkMemory,
  checkMemoryScope,
  checkVector,
  indexedTerms,
  queryTerms,
  rankByWords,
  rankDepth,
  rankMemories,
  supersededMemory,
} from "@bailiwick/core/store";
import type {
  FoundMemory,
  MemoryEntry,
  MemoryQuery,
  MemoryScope,
  MemoryStore,
  MemoryVector,
} from "@bailiwick/core/store";
import type { DatabaseLink } from "../thread/link.ts";
import type { MemoryColumns, MemoryFilter, MemoryOwner, MemoryRow, VectorColumns } from "../thread/memory-service.ts";
import { fromText, toText } from "./plain-text.ts";

/** The memories of a store. */
export function memoriesOf(link: DatabaseLink): MemoryStore {
  return checkedMemories({
    name: link.name,
    async put(entry, vector) {
      checkMemory(entry, vector);
      await link.call("putMemory", toColumns(entry, vector));
    },
    async supersede(id, by, vector) {
      checkMemory(by, vector);
      await link.call("supersedeMemory", id, toColumns(by, vector));
    },
    async get(id, scope) {
      const row = await link.call("getMemory", id, ownerOf(scope));
      return row && toEntry(row);
    },
    async query(query) {
      const now = Date.now();
      const filter = filterOf(query, now);
      const { text, vectors, limit, leastSimilarity = 0.25 } = query;
      const depth = rankDepth(limit);
      if (text === undefined && vectors === undefined) {
        const latest = await link.call("latestMemories", filter, depth);
        const lexical = latest.map((row) => ({ entry: toEntry(row), relevance: 1 }));
        return rankMemories({ lexical, vectors: [] }, { ...query, halfLifeDays: Number.POSITIVE_INFINITY }, now);
      }
      const words = text === undefined ? [] : queryTerms(text);
      const asked = (vectors ?? []).map(vectorOf);
      const found = await link.call("searchMemories", filter, words, asked, leastSimilarity, depth);
      const ranked = rankByWords(found.counted, found)
        .slice(0, depth)
        .map(({ index, score }) => ({ n: found.counted[index]?.n ?? -1, score }));
      const numbers = ranked.map(({ n }) => n);
      const rows = numbers.length === 0 ? [] : await link.call("memoryRows", filter, numbers);
      const byNumber = new Map(rows.map((row) => [row.n, row]));
      return rankMemories(
        {
          lexical: ranked.flatMap(({ n, score }): readonly FoundMemory[] => {
            const row = byNumber.get(n);
            return row === undefined ? [] : [{ entry: toEntry(row), relevance: score }];
          }),
          vectors: found.nearest.map((list) =>
            list.map(({ row, similarity }) => ({ entry: toEntry(row), relevance: similarity, similarity })),
          ),
        },
        query,
        now,
      );
    },
    forget: async (id, scope) => link.call("forgetMemory", id, ownerOf(scope)),
    forgetAll: async (scope) => link.call("forgetMemories", ownerOf(scope)),
    async withoutVector(scope, { model, dims }, limit) {
      const rows = await link.call("memoriesWithoutVector", ownerOf(scope), model, dims, Date.now(), limit);
      return rows.map(toEntry);
    },
    models: async (scope) => link.call("memoryModels", ownerOf(scope)),
    async setVector(id, scope, vector, data) {
      if (vector !== undefined) checkVector(vector, vector.values.length);
      const columns = vector === undefined ? null : vectorOf(vector);
      await link.call("setMemoryVector", id, ownerOf(scope), columns, data === undefined ? undefined : toText(data));
    },
  });
}

function ownerOf(scope: MemoryScope): MemoryOwner {
  checkMemoryScope(scope);
  const { tenantId, userId, agentId, namespace } = scope;
  return {
    tenantId: tenantId ?? null,
    userId: userId ?? null,
    agentId: agentId ?? null,
    namespace: namespace ?? null,
  };
}

const vectorOf = ({ model, values }: MemoryVector): VectorColumns => ({ model, values: Float32Array.from(values) });

function filterOf({ scope, kinds, name, asOf, knownAt }: MemoryQuery, now: number): MemoryFilter {
  return {
    owner: ownerOf(scope),
    kinds: kinds === undefined ? null : JSON.stringify(kinds),
    name: name ?? null,
    at: asOf ?? now,
    loose: asOf === undefined,
    knownAt: knownAt ?? null,
  };
}

function toColumns(entry: MemoryEntry, vector: MemoryVector | undefined): MemoryColumns {
  const { data, embedding: _vectors, supersededBy: _later, supersededAt: _when, ...rest } = entry;
  const terms = indexedTerms(entry);
  return {
    id: entry.id,
    owner: ownerOf(entry.scope),
    kind: entry.kind,
    name: entry.name ?? null,
    entry: toText(rest),
    data: data === undefined ? null : toText(data),
    words: terms.join(" "),
    length: terms.length,
    validFrom: entry.validFrom,
    validTo: entry.validTo ?? null,
    recordedAt: entry.recordedAt,
    sources: entry.derivedFrom ?? [],
    vector: vector === undefined ? null : vectorOf(vector),
  };
}

function toEntry({ entry, data, supersededBy, supersededAt, supersededFrom, model, dims }: MemoryRow): MemoryEntry {
  const { scope, ...rest } = fromText<Omit<MemoryEntry, "scope"> & { readonly scope: Partial<MemoryScope> }>(entry);
  return supersededMemory({
    ...rest,
    // JSON drops `undefined`, so the empty fields of the scope are restored here.
    scope: { tenantId: undefined, userId: undefined, ...scope },
    ...(data !== null && { data: fromText<unknown>(data) }),
    ...(supersededBy !== null && { supersededBy }),
    ...(supersededAt !== null && { supersededAt }),
    ...(supersededFrom !== null && { supersededFrom }),
    ...(model !== null && dims !== null && { embedding: { model, dims } }),
  });
}
