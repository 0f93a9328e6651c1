import {
  checkedMemories,
  checkMemory,
  readPlain,
  searchMemories,
  writePlain,
  checkArgument,
} from "@bailiwick/core/store";
import { SealKeyMissingError } from "@bailiwick/core";
import { systemClock } from "@bailiwick/core/extension";
import type { MemoryEntry, MemoryQuery, MemoryStore, MemoryVector, Sealer } from "@bailiwick/core";
import type { SearchedMemory } from "@bailiwick/core/store";

interface SealedData {
  readonly $sealed: string;
}

interface Content {
  readonly text: string;
  readonly data?: unknown;
  readonly relations?: MemoryEntry["relations"];
  readonly vector?: { readonly model: string; readonly values: readonly number[] } | undefined;
}

/**
 * Memories whose text, data, relations and vectors cannot be read in their store. An agent with `keys.seal` seals its memory
 * already; this is for an application that reads or edits the same memories. Ids, kinds, names, labels and times stay
 * readable. Values that were written without a key are read unchanged. A search decrypts all memories of its scope.
 *
 * @param store - The store of the memories.
 * @param sealer - Made from `keys.seal`, with `sealer(key)` of `@bailiwick/security`; without one nothing is sealed,
 * and sealed values are refused.
 * @throws SealKeyMissingError from every read of a sealed value, if there is no sealer.
 * @example
 * ```ts
 * import type { Sealer } from "@bailiwick/core";
 * import { inMemoryMemories, sealedMemories } from "@bailiwick/memory";
 *
 * export const readable = (sealer: Sealer) => sealedMemories(inMemoryMemories(), sealer);
 * ```
 */
export function sealedMemories(store: MemoryStore, sealer: Sealer | undefined): MemoryStore {
  checkArgument(store, "put", "sealedMemories(store, sealer)");
  const placeOf = ({ id, scope }: MemoryEntry): string =>
    JSON.stringify(["memory", scope.tenantId ?? null, scope.userId ?? null, id]);

  async function seal(entry: MemoryEntry, vector: MemoryVector | undefined): Promise<MemoryEntry> {
    if (sealer === undefined) return entry;
    checkMemory(entry, vector);
    const { text, data, relations, embedding: _inside, ...open } = entry;
    const content: Content = {
      text,
      data,
      relations,
      vector: vector && { model: vector.model, values: [...vector.values] },
    };
    const sealed = await sealer.seal(writePlain(content), placeOf(entry));
    return { ...open, text: "", data: { $sealed: sealed.$sealed } };
  }

  async function open(entry: MemoryEntry): Promise<SearchedMemory> {
    if (!isSealed(entry.data)) return { entry };
    if (sealer === undefined) throw noKey(entry.id);
    const content = readPlain(await sealer.open(entry.data, placeOf(entry))) as Content;
    const { data: _sealed, ...rest } = entry;
    const { text, data, relations, vector } = content;
    const embedding = vector && { model: vector.model, dims: vector.values.length };
    return {
      entry: {
        ...rest,
        text,
        ...(data !== undefined && { data }),
        ...(relations !== undefined && { relations }),
        ...(embedding !== undefined && { embedding }),
      },
      vector,
    };
  }

  /** Everything that is true then, newest first, opened. */
  async function opened(query: Omit<MemoryQuery, "text" | "vectors">): Promise<readonly SearchedMemory[]> {
    const hits = await store.query({ ...query, limit: Number.MAX_SAFE_INTEGER, budgetTokens: Number.MAX_SAFE_INTEGER });
    return Promise.all(hits.map(({ entry }) => open(entry)));
  }

  if (sealer === undefined) {
    return checkedMemories({
      ...store,
      async query(query) {
        const hits = await store.query(query);
        for (const { entry } of hits) if (isSealed(entry.data)) throw noKey(entry.id);
        return hits;
      },
      async get(id, scope) {
        const entry = await store.get(id, scope);
        return entry && (await open(entry)).entry;
      },
    });
  }
  return checkedMemories({
    ...store,
    put: async (entry, vector) => store.put(await seal(entry, vector)),
    supersede: async (id, by, vector) => store.supersede(id, await seal(by, vector)),
    async get(id, scope) {
      const entry = await store.get(id, scope);
      return entry && (await open(entry)).entry;
    },
    async query(query) {
      const { text: _text, vectors: _vectors, ...rest } = query;
      const chosen = (await opened(rest)).map((memory) => ({ ...memory, chosen: true }));
      return searchMemories(chosen, query, systemClock.now());
    },
    async withoutVector(scope, { model, dims }, limit) {
      const all = await opened({ scope });
      return all
        .filter(({ vector }) => vector?.model !== model || vector.values.length !== dims)
        .slice(0, limit)
        .map(({ entry }) => entry);
    },
    async models(scope) {
      const all = (await opened({ scope })).flatMap(({ entry: { embedding } }) => embedding ?? []);
      return [...new Map(all.map((embedding) => [JSON.stringify(embedding), embedding])).values()];
    },
    async setVector(id, scope, vector, data) {
      const entry = await store.get(id, scope);
      if (entry === undefined) return;
      const { entry: readable, vector: before } = await open(entry);
      const after = vector ?? before;
      const { embedding: _before, ...rest } = data === undefined ? readable : { ...readable, data };
      const embedding = after && { model: after.model, dims: after.values.length };
      const sealed = await seal(embedding === undefined ? rest : { ...rest, embedding }, after);
      await store.setVector(id, scope, undefined, sealed.data);
    },
  });
}

function isSealed(data: unknown): data is SealedData {
  return typeof data === "object" && data !== null && typeof (data as Partial<SealedData>).$sealed === "string";
}

function noKey(id: string): SealKeyMissingError {
  return new SealKeyMissingError(
    `The memory "${id}" is sealed, and there is no key to open it. Give Agent({ keys: { seal } }) the key that it was sealed with. Nothing was changed.`,
  );
}
