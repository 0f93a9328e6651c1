import type { Database } from "./database.ts";
import { RefusedError } from "../thread/failure.ts";
import type {
  CountedRow,
  MemoryCalls,
  MemoryColumns,
  MemoryFilter,
  MemoryOwner,
  MemoryRow,
  VectorColumns,
} from "../thread/memory-service.ts";
import type { GroupCommit } from "./group-commit.ts";
import { memoryStatements } from "./memory-statements.ts";
import { nearest } from "./nearest.ts";

/** Maximum number of entries that one search counts, newest first. */
const mostCounted = 5_000;

/** Deletes rows so that their bytes are overwritten, if the database supports it. */
export type Overwrite = (remove: () => void) => void;

type Named = Record<string, string | number | null>;

/** The memories. Their statements are prepared on first use, so that a store without memories pays nothing. */
export function memoryCalls(database: Database, commits: GroupCommit, overwrite: Overwrite): MemoryCalls {
  let made: ReturnType<typeof memoryStatements> | undefined;
  const statements = (): ReturnType<typeof memoryStatements> => (made ??= memoryStatements(database));

  const scopeOf = (tenantId: string | null, userId: string | null): number | undefined =>
    statements().scope.get(tenantId, userId)?.["n"] as number | undefined;

  function scopeFor({ tenantId, userId }: MemoryOwner): number {
    return scopeOf(tenantId, userId) ?? Number(statements().addScope.run(tenantId, userId).lastInsertRowid);
  }

  /** The numbers of a scope's own entries and of those shared in its tenant; -1 if there are none. */
  const seenBy = ({ tenantId, userId, agentId, namespace }: MemoryOwner): Named => ({
    own: scopeOf(tenantId, userId) ?? -1,
    shared: scopeOf(tenantId, null) ?? -1,
    agentId,
    namespace,
  });

  const askedBy = ({ owner, kinds, name, at, loose, knownAt }: MemoryFilter): Named => ({
    ...seenBy(owner),
    kinds,
    name,
    at,
    loose: loose ? 1 : 0,
    knownAt,
  });

  const find = (id: string, owner: MemoryOwner) => statements().find.get({ ...seenBy(owner), id });

  function add(entry: MemoryColumns): void {
    const sql = statements();
    const { id, owner, kind, name, data, length, validFrom, validTo, recordedAt } = entry;
    const scope = scopeFor(owner);
    const { changes, lastInsertRowid } = sql.insert.run(
      scope,
      id,
      owner.agentId,
      owner.namespace,
      kind,
      name,
      entry.entry,
      data,
      length,
      validFrom,
      validTo,
      recordedAt,
    );
    if (changes === 0) return;
    sql.insertWords.run(lastInsertRowid, String(scope), entry.words);
    for (const source of entry.sources) sql.insertSource.run(source, lastInsertRowid);
    if (entry.vector !== null) putVector(Number(lastInsertRowid), entry.vector);
  }

  function putVector(n: number, { model, values }: VectorColumns): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    statements().putVector.run(n, model, values.length, bytes);
  }

  /** Removes rows. Forgotten memories are overwritten in the file. */
  function remove(rows: readonly number[]): void {
    const sql = statements();
    overwrite(() => {
      for (const n of rows) {
        sql.removeWords.run(n);
        sql.remove.run(n);
      }
    });
  }

  function forget(id: string, owner: MemoryOwner): readonly string[] {
    const first = find(id, owner);
    if (first === undefined) return [];
    const gone = new Map([[first["n"] as number, id]]);
    // Grows during the loop: entries that depend on deleted ones are deleted too.
    for (const [, goneId] of gone)
      for (const row of statements().dependants.all({ scope: first["scope"] as number, id: goneId }))
        gone.set(row["n"] as number, row["id"] as string);
    remove([...gone.keys()]);
    return [...gone.values()];
  }

  function counted(filter: MemoryFilter, words: readonly string[], own: Named): readonly CountedRow[] {
    if (words.length === 0) return [];
    const match = `scope : ("${String(own["own"])}" OR "${String(own["shared"])}") AND words : (${words
      .map((word) => `"${word.replaceAll('"', '""')}"`)
      .join(" OR ")})`;
    return statements()
      .matching.all({ ...askedBy(filter), match, limit: mostCounted })
      .map((row) => ({
        n: row["n"] as number,
        length: row["length"] as number,
        counts: countsOf((row["words"] as string).split(" "), words),
      }))
      .filter(({ counts }) => counts.some((count) => count > 0));
  }

  return {
    putMemory: (entry) => commits.write(() => add(entry)),
    supersedeMemory: (id, by) =>
      commits.write(() => {
        const row = find(id, by.owner);
        if (row === undefined) throw new RefusedError({ kind: "memory-not-found", memoryId: id });
        if (row["scope"] !== scopeFor(by.owner)) throw new RefusedError({ kind: "tenant-mismatch", memoryId: id });
        const successor = row["superseded_by"];
        if (successor !== null && successor !== by.id)
          throw new RefusedError({ kind: "memory-superseded", memoryId: id });
        // It was written, and has a successor by now: this is a repeated write.
        if ((find(by.id, by.owner)?.["superseded_by"] ?? null) !== null) return;
        add(by);
        const n = row["n"] as number;
        if (row["kind"] === "working") remove([n]);
        else statements().supersede.run(by.id, by.recordedAt, by.validFrom, n);
      }),
    getMemory: (id, owner) =>
      commits.read(() => {
        const row = find(id, owner);
        return row && toRow(row);
      }),
    searchMemories: (filter, words, vectors, leastSimilarity, depth) =>
      commits.read(() => {
        const named = askedBy(filter);
        const { count, average } = statements().statistics.get(named) as { count: number; average: number };
        return {
          counted: counted(filter, words, named),
          count,
          averageLength: average,
          nearest: vectors.map(({ model, values }) => {
            const candidates = statements().vectors.iterate({ ...named, model, dims: values.length });
            const found = nearest(values, candidates, leastSimilarity, depth);
            const rows = new Map(rowsOf(named, [...found.keys()]).map((row) => [row.n, row]));
            return [...found].flatMap(([n, similarity]) => {
              const row = rows.get(n);
              return row === undefined ? [] : [{ row, similarity }];
            });
          }),
        };
      }),
    memoryRows: (filter, rows) => commits.read(() => rowsOf(askedBy(filter), rows)),
    latestMemories: (filter, limit) =>
      commits.read(() =>
        statements()
          .latest.all({ ...askedBy(filter), limit })
          .map(toRow),
      ),
    forgetMemory: (id, owner) => commits.write(() => forget(id, owner)),
    forgetMemories: ({ tenantId, userId }) =>
      commits.write(() => {
        const scope = scopeOf(tenantId, userId);
        const rows =
          scope === undefined
            ? []
            : statements()
                .ofScope.all(scope)
                .map((row) => row["n"] as number);
        remove(rows);
        return rows.length;
      }),
    memoriesWithoutVector: (owner, model, dims, now, limit) =>
      commits.read(() =>
        statements()
          .withoutVector.all({ ...seenBy(owner), model, dims, now, limit })
          .map(toRow),
      ),
    memoryModels: (owner) =>
      commits.read(() =>
        statements()
          .models.all(seenBy(owner))
          .map((row) => ({ model: row["model"] as string, dims: row["dims"] as number })),
      ),
    setMemoryVector: (id, owner, vector, data) =>
      commits.write(() => {
        const row = find(id, owner);
        if (row === undefined) return;
        if (data !== undefined) statements().setData.run(data, row["n"] as number);
        if (vector !== null) putVector(row["n"] as number, vector);
      }),
  };

  function rowsOf(named: Named, rows: readonly number[]): readonly MemoryRow[] {
    if (rows.length === 0) return [];
    return statements()
      .rows.all({ ...named, rows: JSON.stringify(rows) })
      .map(toRow);
  }
}

function countsOf(words: readonly string[], asked: readonly string[]): readonly number[] {
  const found = new Map<string, number>(asked.map((word) => [word, 0]));
  for (const word of words) {
    const count = found.get(word);
    if (count !== undefined) found.set(word, count + 1);
  }
  return asked.map((word) => found.get(word) ?? 0);
}

function toRow(row: Record<string, unknown>): MemoryRow {
  return {
    n: row["n"] as number,
    entry: row["entry"] as string,
    data: row["data"] as string | null,
    supersededBy: row["superseded_by"] as string | null,
    supersededAt: row["superseded_at"] as number | null,
    supersededFrom: row["superseded_from"] as number | null,
    model: row["model"] as string | null,
    dims: row["dims"] as number | null,
  };
}
