import type {
  MemoryEntry,
  MemoryHit,
  MemoryKind,
  MemoryQuery,
  MemoryScope,
  RecalledMemory,
  RecallOptions,
} from "@bailiwick/core";
import { boundMemories } from "@bailiwick/core/store";
import type { EmbeddingHost, Embeddings } from "./embeddings.ts";
import type { Reranking } from "./reranking.ts";

/** Kinds that are searched by default: blocks are always there. */
const recalledKinds: readonly MemoryKind[] = ["episodic", "semantic", "procedural", "shared"];

/** Maximum length of a query, in characters. */
const longestQuestion = 2_000;

/** Defaults of a recall that passes no other value. */
export type RecallSettings = Pick<MemoryQuery, "limit" | "budgetTokens" | "halfLifeDays" | "leastSimilarity" | "kinds">;

/** Models that find and order memories. */
export interface RecallModels {
  readonly embeddings: Embeddings;
  readonly reranking: Reranking | undefined;
}

/** Finds memories that the user may read, by words and meaning. */
export async function recallMemories(
  question: string,
  scope: MemoryScope,
  options: RecallOptions & { readonly signal?: AbortSignal | undefined },
  settings: RecallSettings,
  { embeddings, reranking }: RecallModels,
  host: EmbeddingHost,
): Promise<readonly MemoryHit[]> {
  const text = question.slice(0, longestQuestion);
  if (text.trim() === "") return [];
  const { signal, ...asked } = options;
  const vectors = await embeddings.ofQuestion(text, scope, host, signal);
  const query: MemoryQuery = {
    kinds: recalledKinds,
    ...withoutUndefined(settings),
    ...withoutUndefined(asked),
    scope,
    text,
    vectors,
  };
  const hits = await host.store.query(reranking === undefined ? query : { ...query, ...reranking.widen(query) });
  const readable = hits.filter(({ entry }) => mayRead(entry, scope));
  if (reranking === undefined) return readable;
  return boundMemories(await reranking.order(text, readable, query, host, signal), query);
}

/** Shared memories have no user, so their readers are in the label. */
export function mayRead({ kind, label: { readers } }: MemoryEntry, { userId }: MemoryScope): boolean {
  return kind !== "shared" || readers === "public" || (userId !== undefined && readers.includes(`user:${userId}`));
}

/** A hit in the form for a run, with the reason why it was found. */
export function toRecalled(hit: MemoryHit): RecalledMemory {
  return { ...toRemembered(hit.entry), why: whyOf(hit) };
}

/** An entry in the form for a run. */
export function toRemembered({ id, text, label, kind, name, data }: MemoryEntry): RecalledMemory {
  return {
    id,
    text,
    integrity: label.integrity,
    readers: label.readers,
    why: "block",
    kind,
    ...(name !== undefined && { name }),
    ...(data !== undefined && { data }),
  };
}

function whyOf({ lexicalRank, vectorRank, similarity, relevance, ageDays, score }: MemoryHit): string {
  return [
    relevance === undefined ? undefined : `relevance ${relevance.toFixed(2)}`,
    lexicalRank === undefined ? undefined : `words #${lexicalRank}`,
    vectorRank === undefined ? undefined : `meaning #${vectorRank} (${(similarity ?? 0).toFixed(2)})`,
    `${ageDays < 1 ? "less than a day" : `${Math.floor(ageDays)} days`} old`,
    `score ${score.toPrecision(3)}`,
  ]
    .filter((part) => part !== undefined)
    .join(", ");
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
