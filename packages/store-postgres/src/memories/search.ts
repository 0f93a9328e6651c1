import { queryTerms, rankByWords, rankDepth, rankMemories } from "@bailiwick/core/store";
import type { FoundMemory, MemoryHit, MemoryQuery, MemoryVector, WordCounts } from "@bailiwick/core/store";
import { toColumn } from "../connection/names.ts";
import { number, text } from "../connection/statements.ts";
import type { Ask, Row } from "../connection/statements.ts";
import type { Tables } from "../schema/tables.ts";
import { askedFor, parameters } from "./conditions.ts";
import { entryColumns, toEntry } from "./memory-rows.ts";

/** Maximum number of entries that one search counts, newest first. */
const mostCounted = 5_000;
const newestFirst = "m.recorded_at DESC, m.id";

/** Answers a query, inside a transaction over one snapshot. */
export async function searchIn(
  ask: Ask,
  tables: Tables,
  query: MemoryQuery,
  now: number,
): Promise<readonly MemoryHit[]> {
  const { text: asked, vectors, limit, leastSimilarity = 0.25 } = query;
  const depth = rankDepth(limit);
  if (asked === undefined && vectors === undefined) {
    const lexical = await latest(ask, tables, query, now, depth);
    return rankMemories({ lexical, vectors: [] }, { ...query, halfLifeDays: Number.POSITIVE_INFINITY }, now);
  }
  const lexical = await byWords(ask, tables, query, now, asked === undefined ? [] : queryTerms(asked), depth);
  const lists: (readonly FoundMemory[])[] = [];
  for (const vector of vectors ?? [])
    lists.push(await nearest(ask, tables, query, now, vector, leastSimilarity, depth));
  return rankMemories({ lexical, vectors: lists }, query, now);
}

async function latest(
  ask: Ask,
  { memories }: Tables,
  query: MemoryQuery,
  now: number,
  depth: number,
): Promise<readonly FoundMemory[]> {
  const given = parameters();
  const rows = await ask(
    `SELECT ${entryColumns} FROM ${memories} AS m WHERE ${askedFor(query, now, given)} ORDER BY ${newestFirst} LIMIT ${given.add(depth, "bigint")}`,
    given.values,
  );
  return rows.map((row) => ({ entry: toEntry(row), relevance: 1 }));
}

/** Entries that share words with the query, best first. */
async function byWords(
  ask: Ask,
  { memories }: Tables,
  query: MemoryQuery,
  now: number,
  words: readonly string[],
  depth: number,
): Promise<readonly FoundMemory[]> {
  if (words.length === 0) return [];
  const given = parameters();
  const asked = askedFor(query, now, given);
  const wanted = given.add(words, "text[]");
  const rows = await ask(
    `SELECT m.n, m.length,
       (SELECT array_agg((SELECT count(*) FROM unnest(m.words) AS one WHERE one = wanted.word) ORDER BY wanted.place)
        FROM unnest(${wanted}) WITH ORDINALITY AS wanted (word, place)) AS counts
     FROM ${memories} AS m WHERE m.words && ${wanted} AND ${asked} ORDER BY ${newestFirst} LIMIT ${mostCounted}`,
    given.values,
  );
  if (rows.length === 0) return [];
  const statistics = parameters();
  const [all] = await ask(
    `SELECT count(*) AS count, coalesce(sum(m.length), 0) AS length FROM ${memories} AS m WHERE ${askedFor(query, now, statistics)}`,
    statistics.values,
  );
  const count = number(all ?? {}, "count");
  const ranked = rankByWords(rows.map(countsOf), {
    count,
    averageLength: number(all ?? {}, "length") / Math.max(1, count),
  }).slice(0, depth);
  const numbers = ranked.map(({ index }) => text(rows[index] ?? {}, "n"));
  const entries = await ask(`SELECT ${entryColumns} FROM ${memories} AS m WHERE n = ANY ($1::bigint[])`, [numbers]);
  const byNumber = new Map(entries.map((row) => [text(row, "n"), row]));
  return ranked.flatMap(({ score }, place) => {
    const row = byNumber.get(numbers[place] ?? "");
    return row === undefined ? [] : [{ entry: toEntry(row), relevance: score }];
  });
}

/** Entries with the nearest vectors of one model (cosine), nearest first. */
async function nearest(
  ask: Ask,
  { memories }: Tables,
  query: MemoryQuery,
  now: number,
  { model, values }: MemoryVector,
  least: number,
  depth: number,
): Promise<readonly FoundMemory[]> {
  const wanted = Float32Array.from(values);
  const length = Math.sqrt(wanted.reduce((sum, value) => sum + value * value, 0));
  const given = parameters();
  const { add } = given;
  const asked = askedFor(query, now, given);
  const rows = await ask(
    `SELECT * FROM (
       SELECT ${entryColumns}, m.recorded_at, m.id,
         (SELECT sum(pair.one::double precision * pair.other::double precision)
            / nullif(${add(length, "double precision")} * sqrt(sum(pair.one::double precision * pair.one::double precision)), 0)
          FROM unnest(m.vector, ${add([...wanted], "real[]")}) AS pair (one, other)) AS similarity
       FROM ${memories} AS m WHERE m.model = ${add(toColumn(model), "text")} AND m.dims = ${add(wanted.length, "integer")} AND ${asked}
     ) AS m WHERE m.similarity >= ${add(least, "double precision")}
     ORDER BY m.similarity DESC, ${newestFirst} LIMIT ${add(depth, "bigint")}`,
    given.values,
  );
  return rows.map((row) => {
    const similarity = number(row, "similarity");
    return { entry: toEntry(row), relevance: similarity, similarity };
  });
}

/** PostgreSQL writes an array of numbers as `{1,2}`. */
function countsOf(row: Row): WordCounts {
  return { length: number(row, "length"), counts: text(row, "counts").slice(1, -1).split(",").map(Number) };
}
