import { checkKnownNames, ConfigurationError } from "@bailiwick/core";
import type { Embedder, Logger, MemoryKind, MemoryStore, Reranker, Sealer } from "@bailiwick/core";

/** A block of working memory: a text that the model always sees and edits. */
export interface BlockOptions {
  /** Maximum length of the text, in characters; at most 2,000, which is the default. */
  readonly limit?: number | undefined;
  /** The purpose of the block; the model reads it. */
  readonly description?: string | undefined;
}

/** Tools that the model may get. */
export type MemoryToolName = "remember" | "recall" | "forget" | "edit_memory_block";

/** Options of `memory`. */
export interface MemoryOptions {
  /** The store of memories, such as `sqliteStore({ path })` or its `memories`. There is no default. */
  readonly store: MemoryStore | { readonly memories: MemoryStore };
  /** Also finds memories by meaning; without one, they are found by their words. */
  readonly embedder?: Embedder | undefined;
  /** Embedders of earlier models: they answer until the vectors are recomputed. */
  readonly formerEmbedders?: readonly Embedder[] | undefined;
  /** Sorts the found memories again, with a model that reads query and memory together. Default none. */
  readonly reranker?: Reranker | undefined;
  /** Time limit of an embedder or reranker, in milliseconds; then recall continues without it. Default 5,000. */
  readonly modelTimeoutMs?: number | undefined;
  /** Blocks of working memory, by name; default none. */
  readonly blocks?: Readonly<Record<string, BlockOptions>> | undefined;
  /** `user` (default): all agents of the store share the memories of a user. `agent`: each has its own. */
  readonly scope?: "user" | "agent" | undefined;
  /** Tools that the model gets. Default: all. */
  readonly tools?: readonly MemoryToolName[] | undefined;
  /**
   * Lets the model pass `relations` of people and things to `remember`, for `application.graph()`. Default `false`: their
   * description costs about 100 tokens in each request.
   */
  readonly relations?: boolean | undefined;
  /** The number and size of memories that are recalled for each user message; `false`: only tools recall. */
  readonly recall?:
    | false
    | {
        /** Maximum number of memories. Default 8. */
        readonly limit?: number | undefined;
        /** Maximum size of all memories together, in tokens. Default 1,000. */
        readonly budgetTokens?: number | undefined;
        /** Age in days at which the relevance of a memory is halved. Default 30. */
        readonly halfLifeDays?: number | undefined;
        /** Minimum cosine of a matching vector, from -1 to 1; default 0.25. */
        readonly leastSimilarity?: number | undefined;
        /** Default: all but `working`, whose blocks are always shown. */
        readonly kinds?: readonly MemoryKind[] | undefined;
      }
    | undefined;
  /**
   * Kinds whose memories are in the system prompt, below the instructions: those that are `verified`, the user's own
   * words, or the system's. All others are before the latest user message. Default none.
   */
  readonly inSystemPrompt?: readonly MemoryKind[] | undefined;
  /**
   * Seals stored memories if no agent with `keys.seal` does: for `application`. Made with `sealer(key)` of
   * `@bailiwick/security`.
   */
  readonly sealer?: Sealer | undefined;
  /** Receives warnings of `application`; default the console. Warnings of runs go to the agent's logger. */
  readonly logger?: Pick<Logger, "warn"> | undefined;
}

/** A complete list, checked by the compiler: a missing option would be refused as unknown. */
const optionNames: { readonly [Name in keyof Required<MemoryOptions>]: true } = {
  store: true,
  embedder: true,
  formerEmbedders: true,
  reranker: true,
  modelTimeoutMs: true,
  blocks: true,
  scope: true,
  tools: true,
  relations: true,
  recall: true,
  inSystemPrompt: true,
  sealer: true,
  logger: true,
};

/** Maximum length of a memory, in characters: one always fits into the default budget of a recall. */
export const longestText = 2_000;
/** Every existing tool. */
export const toolNames: readonly MemoryToolName[] = ["remember", "recall", "forget", "edit_memory_block"];
const kinds: readonly MemoryKind[] = ["working", "episodic", "semantic", "procedural", "shared"];

/**
 * Refuses options that are invalid or cannot be enforced.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 */
export function checkOptions(options: MemoryOptions): void {
  checkKnownNames(options, Object.keys(optionNames), "memory()");
  const given: Partial<MemoryOptions> = options ?? {};
  if (storeOf(given.store) === undefined)
    refuse(`needs the "store" that memories are kept in, such as sqliteStore({ path }) or inMemoryMemories()`);
  for (const embedder of [given.embedder, ...(given.formerEmbedders ?? [])]) checkEmbedder(embedder);
  checkReranker(given.reranker);
  checkNumber("modelTimeoutMs", given.modelTimeoutMs, 1, Number.MAX_SAFE_INTEGER);
  if (given.scope !== undefined && given.scope !== "user" && given.scope !== "agent")
    refuse(`takes "user" or "agent" as "scope", not ${JSON.stringify(given.scope)}`);
  if (given.relations !== undefined && typeof given.relations !== "boolean")
    refuse(`takes true or false as "relations", not ${JSON.stringify(given.relations)}`);
  for (const [name, block] of Object.entries(given.blocks ?? {})) {
    if (name === "") refuse("has a block without a name");
    checkKnownNames(block, ["limit", "description"], `the block "${name}" of memory()`);
    checkNumber(`blocks.${name}.limit`, block.limit, 1, longestText);
  }
  checkWords("tools", given.tools, toolNames);
  checkWords("inSystemPrompt", given.inSystemPrompt, kinds);
  checkRecall(given.recall);
}

function checkRecall(recall: MemoryOptions["recall"]): void {
  if (recall === undefined || recall === false) return;
  checkKnownNames(
    recall,
    ["limit", "budgetTokens", "halfLifeDays", "leastSimilarity", "kinds"],
    `the "recall" of memory()`,
  );
  checkNumber("recall.limit", recall.limit, 1, 1_000);
  checkNumber("recall.budgetTokens", recall.budgetTokens, 1, Number.MAX_SAFE_INTEGER);
  checkNumber("recall.halfLifeDays", recall.halfLifeDays, Number.MIN_VALUE, Number.MAX_VALUE);
  checkNumber("recall.leastSimilarity", recall.leastSimilarity, -1, 1);
  checkWords("recall.kinds", recall.kinds, kinds);
}

/** The store of memories in the given object. */
export function storeOf(given: Partial<MemoryOptions>["store"]): MemoryStore | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const store = "memories" in given ? given.memories : given;
  return typeof (store as Partial<MemoryStore> | undefined)?.supersede === "function" ? store : undefined;
}

function checkEmbedder(embedder: Embedder | undefined): void {
  if (embedder === undefined) return;
  const { model, dims, embed } = embedder as Partial<Embedder>;
  if (typeof model !== "string" || model === "" || !Number.isSafeInteger(dims) || typeof embed !== "function")
    refuse(`needs an "embedder" with a "model", its "dims" and embed(texts, { signal })`);
}

function checkReranker(reranker: Reranker | undefined): void {
  if (reranker === undefined) return;
  const { model, rerank } = reranker as Partial<Reranker>;
  if (typeof model !== "string" || model === "" || typeof rerank !== "function")
    refuse(`needs a "reranker" with a "model" and rerank(query, texts, { limit, signal })`);
}

function checkNumber(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isFinite(value) && value >= least && value <= most)) return;
  refuse(`takes a number from ${least} to ${most} as "${name}", not ${String(value)}`);
}

function checkWords(name: string, words: readonly string[] | undefined, known: readonly string[]): void {
  if (words === undefined) return;
  if (!Array.isArray(words)) refuse(`takes a list as "${name}"`);
  const wrong = words.find((word) => !known.includes(word));
  if (wrong !== undefined) refuse(`knows no ${JSON.stringify(wrong)} for "${name}"; there are ${known.join(", ")}`);
}

function refuse(why: string): never {
  throw new ConfigurationError("INVALID_OPTION", `memory() ${why}.`);
}
