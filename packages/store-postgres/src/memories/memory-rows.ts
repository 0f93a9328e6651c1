import { indexedTerms, supersededMemory } from "@bailiwick/core/store";
import type { MemoryEntry, MemoryScope, MemoryVector } from "@bailiwick/core/store";
import { fromColumn, toColumn } from "../connection/names.ts";
import { number, optionalNumber, text } from "../connection/statements.ts";
import type { Row } from "../connection/statements.ts";
import { fromText, toText } from "../plain-text.ts";
import { optional, ownerColumn } from "./conditions.ts";

/** The selected columns of an entry. */
export const entryColumns =
  "m.n, m.entry, m.data, m.superseded_by, m.superseded_at, m.superseded_from, m.model, m.dims";
/** Columns of a new entry, in the order of `newEntry`. */
export const newColumns =
  "tenant, owner, id, agent_id, namespace, kind, name, entry, data, words, length, valid_from, valid_to, recorded_at, sources, model, dims, vector, mark";

export function newEntry(entry: MemoryEntry, vector: MemoryVector | undefined, mark: string): unknown[] {
  const { data, embedding: _vectors, supersededBy: _later, supersededAt: _when, ...rest } = entry;
  const { tenantId, userId, agentId, namespace } = entry.scope;
  const words = indexedTerms(entry);
  return [
    ownerColumn(tenantId),
    ownerColumn(userId),
    toColumn(entry.id),
    optional(agentId),
    optional(namespace),
    entry.kind,
    optional(entry.name),
    toText(rest),
    data === undefined ? null : toText(data),
    words,
    words.length,
    entry.validFrom,
    entry.validTo ?? null,
    entry.recordedAt,
    (entry.derivedFrom ?? []).map(toColumn),
    ...vectorColumns(vector),
    mark,
  ];
}

/** Model, size and numbers of a vector. */
export function vectorColumns(
  vector: MemoryVector | undefined,
): [model: string | null, dims: number | null, values: number[] | null] {
  return vector === undefined
    ? [null, null, null]
    : [toColumn(vector.model), vector.values.length, [...Float32Array.from(vector.values)]];
}

export function toEntry(row: Row): MemoryEntry {
  const { scope, ...rest } = fromText<Omit<MemoryEntry, "scope"> & { readonly scope: Partial<MemoryScope> }>(
    text(row, "entry"),
  );
  const { data, superseded_by: supersededBy, model } = row;
  const supersededAt = optionalNumber(row, "superseded_at");
  const supersededFrom = optionalNumber(row, "superseded_from");
  return supersededMemory({
    ...rest,
    // JSON has no value for a member that is omitted on purpose.
    scope: { tenantId: undefined, userId: undefined, ...scope },
    ...(typeof data === "string" && { data: fromText<unknown>(data) }),
    ...(typeof supersededBy === "string" && { supersededBy: fromColumn(supersededBy) }),
    ...(supersededAt !== undefined && { supersededAt }),
    ...(supersededFrom !== undefined && { supersededFrom }),
    ...(typeof model === "string" && { embedding: { model: fromColumn(model), dims: number(row, "dims") } }),
  });
}
