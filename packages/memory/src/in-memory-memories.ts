import {
  checkMemory,
  checkMemoryScope,
  checkVector,
  checkedMemories,
  isInScope,
  isTrueAt,
  indexedTerms,
  searchMemories,
  supersededMemory,
  checkKnownNames,
} from "@bailiwick/core/store";
import { MemoryNotFoundError, MemorySupersededError, TenantMismatchError } from "@bailiwick/core";
import { systemClock } from "@bailiwick/core/extension";
import type { Clock, MemoryEntry, MemoryScope, MemoryStore, MemoryVector } from "@bailiwick/core";
import type { StoredMemory } from "@bailiwick/core/store";

interface Row {
  entry: StoredMemory;
  readonly terms: readonly string[];
  vector: MemoryVector | undefined;
}

/**
 * Memories that are kept in memory and end with the process. For tests, and for agents whose memory need not last.
 *
 * @param options - `name`, for errors; `clock`, default the system's.
 * @example
 * ```ts
 * import { inMemoryMemories, memory } from "@bailiwick/memory";
 *
 * export const short = memory({ store: inMemoryMemories() });
 * ```
 */
export function inMemoryMemories(
  options: { readonly name?: string | undefined; readonly clock?: Clock | undefined } = {},
): MemoryStore {
  checkKnownNames(options, ["name", "clock"], "inMemoryMemories()");
  const clock = options.clock ?? systemClock;
  const rows = new Map<string, Row>();
  const keyOf = (id: string, { tenantId, userId }: MemoryScope): string =>
    JSON.stringify([tenantId ?? null, userId ?? null, id]);

  /** The entry with that id that a scope sees; a shared entry has no user. */
  function find(id: string, scope: MemoryScope): Row | undefined {
    checkMemoryScope(scope);
    return [scope, { ...scope, userId: undefined }]
      .map((one) => rows.get(keyOf(id, one)))
      .find((row) => row !== undefined && isInScope(row.entry, scope));
  }

  function add(entry: MemoryEntry, vector: MemoryVector | undefined): void {
    const key = keyOf(entry.id, entry.scope);
    if (rows.has(key)) return;
    const copy = structuredClone(entry);
    rows.set(key, { entry: copy, terms: indexedTerms(entry), vector: copyOf(vector) });
  }

  /** Entries of the tenant that are deleted with one of these. */
  function dependants(gone: ReadonlySet<Row>): readonly Row[] {
    const ids = new Set([...gone].map(({ entry }) => entry.id));
    const [first] = gone;
    return [...rows.values()].filter(
      (row) =>
        !gone.has(row) &&
        row.entry.scope.tenantId === first?.entry.scope.tenantId &&
        (ids.has(row.entry.supersededBy ?? "") || (row.entry.derivedFrom ?? []).some((id) => ids.has(id))),
    );
  }

  return checkedMemories({
    name: options.name ?? "memory",
    async put(entry, vector) {
      checkMemory(entry, vector);
      add(entry, vector);
    },
    async supersede(id, by, vector) {
      checkMemory(by, vector);
      const row = find(id, by.scope);
      if (row === undefined) throw new MemoryNotFoundError(id);
      const { scope } = row.entry;
      if (scope.userId !== by.scope.userId) throw new TenantMismatchError(`The memory "${id}"`);
      if (row.entry.supersededBy !== undefined && row.entry.supersededBy !== by.id) throw new MemorySupersededError(id);
      // The entry was written, and has its own successor since: this is a repetition of that write.
      if (rows.get(keyOf(by.id, by.scope))?.entry.supersededBy !== undefined) return;
      add(by, vector);
      if (row.entry.kind === "working") rows.delete(keyOf(id, scope));
      else
        row.entry = {
          ...row.entry,
          supersededBy: by.id,
          supersededAt: by.recordedAt,
          supersededFrom: by.validFrom,
        };
    },
    async get(id, scope) {
      const row = find(id, scope);
      return row && structuredClone(supersededMemory(row.entry));
    },
    async query(query) {
      checkMemoryScope(query.scope);
      return structuredClone(searchMemories(rows.values(), query, clock.now()));
    },
    async forget(id, scope) {
      const first = find(id, scope);
      if (first === undefined) return [];
      const gone = new Set([first]);
      for (let more = dependants(gone); more.length > 0; more = dependants(gone)) for (const row of more) gone.add(row);
      for (const { entry } of gone) rows.delete(keyOf(entry.id, entry.scope));
      return [...gone].map(({ entry }) => entry.id);
    },
    async forgetAll({ tenantId, userId }) {
      const all = [...rows].filter(
        ([
          ,
          {
            entry: { scope },
          },
        ]) => scope.tenantId === tenantId && scope.userId === userId,
      );
      for (const [key] of all) rows.delete(key);
      return all.length;
    },
    async withoutVector(scope, embedding, limit) {
      return [...rows.values()]
        .filter(({ entry, vector }) => isInScope(entry, scope) && isLasting(entry) && !isOf(vector, embedding))
        .slice(0, limit)
        .map(({ entry }) => structuredClone(supersededMemory(entry)));
    },
    async models(scope) {
      const found = new Map<string, { readonly model: string; readonly dims: number }>();
      for (const { entry, vector } of rows.values()) {
        if (vector === undefined || !isInScope(entry, scope)) continue;
        const embedding = { model: vector.model, dims: vector.values.length };
        found.set(JSON.stringify(embedding), embedding);
      }
      return [...found.values()];
    },
    async setVector(id, scope, vector, data) {
      if (vector !== undefined) checkVector(vector, vector.values.length);
      const row = find(id, scope);
      if (row === undefined) return;
      if (data !== undefined) row.entry = { ...row.entry, data: structuredClone(data) };
      if (vector === undefined) return;
      row.vector = copyOf(vector);
      row.entry = { ...row.entry, embedding: { model: vector.model, dims: vector.values.length } };
    },
  });

  function isLasting(entry: StoredMemory): boolean {
    return entry.supersededBy === undefined && (entry.validFrom > clock.now() || isTrueAt(entry, { now: clock.now() }));
  }
}

function isOf(vector: MemoryVector | undefined, { model, dims }: { readonly model: string; readonly dims: number }) {
  return vector?.model === model && vector.values.length === dims;
}

function copyOf(vector: MemoryVector | undefined): MemoryVector | undefined {
  return vector && { model: vector.model, values: Float32Array.from(vector.values) };
}
