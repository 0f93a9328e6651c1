import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type {
  Embedder,
  MemoryEntry,
  MemoryHit,
  MemoryScope,
  MemoryStore,
  MemoryVector,
  Logger,
  Readers,
  Tool,
} from "@bailiwick/core";
import { ConfigurationError } from "@bailiwick/core";
import { defaultHasher, systemClock } from "@bailiwick/core/extension";
import { createEmbeddings, type EmbeddingHost } from "../embeddings.ts";
import { storeOf } from "../memory-options.ts";
import { chunksOf, type Chunk } from "./chunks.ts";
import {
  checkDocument,
  checkDocumentsOptions,
  invalid,
  type DocumentOptions,
  type DocumentsOptions,
  type NewDocument,
} from "./document-options.ts";
import { documentShelves, type ShelfDocument } from "./document-shelf.ts";
import type { DocumentPassage } from "./document-passage.ts";
import { documentTool, type DocumentToolOptions } from "./document-tool.ts";
import { stemmingOf, type Stemming } from "./stems.ts";

/** A question to the documents. */
export interface DocumentSearch {
  /** The person who asks: passages with other readers are not looked at. Default: only passages that everyone may see. */
  readonly userId?: string | undefined;
  /** Further principals of that person, such as `["team:shop"]`. */
  readonly principals?: readonly string[] | undefined;
  /** Largest number of passages. Default 8. */
  readonly limit?: number | undefined;
  /** Cancels the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A count of what changed. */
export interface DocumentChanges {
  /** Passages that were stored. */
  readonly added: number;
  /** Passages that were deleted. */
  readonly removed: number;
  /** Passages that stayed: they were not embedded again. */
  readonly kept: number;
}

/** A collection of documents that agents search. */
export interface Documents {
  /**
   * Adds a document, or replaces the one of the same name. Passages that did not change are kept.
   *
   * @param document - Name, text, origin and readers.
   * @throws ConfigurationError `INVALID_OPTION`
   */
  add(document: NewDocument): Promise<DocumentChanges>;
  /**
   * Adds the Markdown and text files of a folder, and removes the documents whose files are gone.
   *
   * @param path - The folder. Hidden files and `node_modules` are left out, and links are not followed.
   * @param options - Origin and readers of all files.
   * @throws ConfigurationError `INVALID_OPTION`
   */
  folder(path: string, options: DocumentOptions): Promise<DocumentChanges>;
  /**
   * Removes a document.
   *
   * @param source - Its name.
   */
  remove(source: string): Promise<DocumentChanges>;
  /** The names of all documents. */
  sources(): Promise<readonly string[]>;
  /**
   * Finds passages by words, and with an embedder by meaning; both lists are merged by reciprocal rank.
   *
   * @param query - The question.
   * @param options - The person who asks, and the number of passages.
   */
  search(query: string, options?: DocumentSearch): Promise<readonly DocumentPassage[]>;
  /**
   * The tool with which a model searches. Its results have citations, and the labels of the passages.
   *
   * @param options - Name and description.
   */
  tool(options?: DocumentToolOptions): Tool;
}

const hasher = defaultHasher();
const nothing: DocumentChanges = { added: 0, removed: 0, kept: 0 };
/** Texts that are embedded at once. */
const batch = 32;
const longestSource = 1_000;
/** Characters of a question. */
const longestQuestion = 2_000;
const endings = /\.(?:md|mdx|markdown|txt)$/iu;

/**
 * A collection of documents that agents search and cite. Documents are split by headings and paragraphs; a passage that
 * did not change is stored and embedded once.
 *
 * @param options - The store, and an embedder for questions in other words than the text.
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @example
 * ```ts
 * import { Agent, type ModelProvider } from "@bailiwick/agent";
 * import { documents, inMemoryMemories } from "@bailiwick/memory";
 *
 * export async function helper(model: ModelProvider) {
 *   const manuals = documents({ store: inMemoryMemories() });
 *   await manuals.folder("./manuals", { returns: "own" });
 *   return new Agent({ name: "helper", model, tools: [manuals.tool()] });
 * }
 * ```
 */
export function documents(options: DocumentsOptions): Documents {
  checkDocumentsOptions(options);
  const { name = "documents", tenantId, embedder, modelTimeoutMs = 5_000, logger = console } = options;
  const store = storeIn(options);
  const shelves = documentShelves(store, name, tenantId);
  const embeddings = createEmbeddings(embedder, [], modelTimeoutMs);
  const host: EmbeddingHost = { store, logger, clock: systemClock };
  let stemming: Promise<Stemming> | undefined;
  const stems = async (): Promise<Stemming> => (stemming ??= stemmingOf(options.languages ?? ["english"]));
  const vectorsOf = async (texts: readonly string[]): Promise<readonly (MemoryVector | undefined)[]> =>
    embedder === undefined ? texts.map(() => undefined) : embedAll(embedder, texts, logger);

  async function add(document: NewDocument, folder?: string): Promise<DocumentChanges> {
    const { source, text, returns, readers } = document;
    if (typeof source !== "string" || source === "" || source.length > longestSource)
      throw invalid(`a source is a text of 1 to ${longestSource} characters`);
    if (typeof text !== "string")
      throw invalid(`the text of "${source}" is not text. Extract the text of other formats first`);
    checkDocument(document, `"${source}"`);
    const before = await shelves.find(source);
    if (folder !== undefined && before !== undefined && before.folder !== folder)
      throw invalid(
        `"${source}" of ${folder} has the name of another document. Add one of them under another name with add()`,
      );
    const scope = shelves.scopeFor(readers);
    const chunks = new Map(chunksOf(text).map((chunk) => [idOf(document, chunk), chunk]));
    const kept = new Set((before?.chunks ?? []).filter((id) => chunks.has(id)));
    const fresh = [...chunks].filter(([id]) => !kept.has(id));
    const words = await stems();
    const texts = fresh.map(([, chunk]) => whole(chunk));
    const vectors = await vectorsOf(texts);
    for (const [at, [id, chunk]] of fresh.entries())
      await store.put(...entryOf(id, document, chunk, scope, words(texts[at] ?? ""), vectors[at]));
    await shelves.put({
      source,
      returns,
      ...(readers !== undefined && { readers }),
      ...(folder !== undefined && { folder }),
      chunks: [...chunks.keys()],
    });
    const gone = (before?.chunks ?? []).filter((id) => !chunks.has(id));
    await forget(before, gone);
    return { added: fresh.length, removed: gone.length, kept: kept.size };
  }

  async function forget(document: ShelfDocument | undefined, ids: readonly string[]): Promise<void> {
    if (document === undefined) return;
    const scope = shelves.scopeFor(document.readers);
    for (const id of ids) await store.forget(id, scope);
  }

  async function remove(source: string): Promise<DocumentChanges> {
    const document = await shelves.find(source);
    if (document === undefined) return nothing;
    await forget(document, document.chunks);
    await shelves.remove(source);
    return { ...nothing, removed: document.chunks.length };
  }

  async function search(query: string, asked: DocumentSearch = {}): Promise<readonly DocumentPassage[]> {
    const { limit = 8, signal } = asked;
    if (query.trim() === "") return [];
    const question = query.slice(0, longestQuestion);
    const words = (await stems())(question);
    const all = await shelves.all();
    const readable = new Map(
      all
        .filter(({ readers }) => mayRead(readers, asked))
        .map(({ readers }) => {
          const scope = shelves.scopeFor(readers);
          return [scope.userId, scope] as const;
        }),
    );
    const hits: MemoryHit[] = [];
    for (const scope of readable.values()) {
      const vectors = await embeddings.ofQuestion(question, scope, host, signal);
      hits.push(
        ...(await store.query({
          scope,
          text: words,
          vectors,
          limit,
          budgetTokens: Number.MAX_SAFE_INTEGER,
          halfLifeDays: Number.MAX_VALUE,
        })),
      );
    }
    return hits
      .toSorted((left, right) => right.score - left.score)
      .slice(0, limit)
      .map(({ entry }) => passageOf(entry));
  }

  return {
    add: async (document) => add(document),
    remove,
    search,
    async folder(path, given) {
      checkDocument(given, `folder "${path}"`);
      const folder = resolve(path);
      const files = await filesOf(folder);
      const former = (await shelves.all()).filter((one) => one.folder === folder && !files.includes(one.source));
      let changes = nothing;
      for (const source of files) {
        const document = { ...given, source, text: await readFile(join(folder, source), "utf8") };
        changes = sum(changes, await add(document, folder));
      }
      for (const { source } of former) changes = sum(changes, await remove(source));
      return changes;
    },
    sources: async () => (await shelves.all()).map(({ source }) => source).toSorted(),
    tool: (toolOptions = {}) =>
      documentTool(toolOptions, async (query, limit, { userId, signal, tenantId: asking }) =>
        tenantId !== undefined && asking !== tenantId ? [] : search(query, { userId, limit, signal }),
      ),
  };
}

function storeIn(options: DocumentsOptions): MemoryStore {
  const store = storeOf(options.store);
  if (store !== undefined) return store;
  throw invalid("store is missing. Pass sqliteStore({ path }) or inMemoryMemories()");
}

const whole = ({ headings, text }: Chunk): string => [headings.join(" > "), text].filter(Boolean).join("\n\n");

/** The same passage of the same document has the same id, also after a restart. */
function idOf({ source, returns, readers }: NewDocument, chunk: Chunk): string {
  return hasher.sha256(JSON.stringify([source, returns, readers ?? null, chunk.headings, chunk.text]));
}

function entryOf(
  id: string,
  { source, returns, readers }: NewDocument,
  { headings, text }: Chunk,
  scope: MemoryScope,
  searchText: string,
  vector: MemoryVector | undefined,
): [MemoryEntry, MemoryVector | undefined] {
  const now = Date.now();
  const entry: MemoryEntry = {
    id,
    kind: "semantic",
    text,
    searchText,
    data: { source, headings, returns, ...(readers !== undefined && { readers }) },
    scope,
    label: { integrity: returns === "own" ? "verified" : "untrusted", readers: readers ?? [] },
    validFrom: now,
    recordedAt: now,
    source: { runId: "documents", seq: 0 },
    ...(vector !== undefined && { embedding: { model: vector.model, dims: vector.values.length } }),
  };
  return [entry, vector];
}

function passageOf({ data, text }: MemoryEntry): DocumentPassage {
  const kept = data as Pick<DocumentPassage, "source" | "headings" | "returns" | "readers">;
  const heading = kept.headings.at(-1);
  return { ...kept, text, citation: heading === undefined ? kept.source : `${kept.source}#${heading}` };
}

/** Documents without readers are for every user of the application. */
function mayRead(readers: Readers | undefined, { userId, principals = [] }: DocumentSearch): boolean {
  if (readers === undefined || readers === "public") return true;
  return readers.some((one) => one === `user:${userId}` || principals.includes(one));
}

async function embedAll(
  embedder: Embedder,
  texts: readonly string[],
  logger: Pick<Logger, "warn">,
): Promise<readonly (MemoryVector | undefined)[]> {
  const vectors: (MemoryVector | undefined)[] = [];
  for (let at = 0; at < texts.length; at += batch) {
    const some = texts.slice(at, at + batch);
    try {
      const made = await embedder.embed(some);
      if (made.length !== some.length) throw new Error(`it gave ${made.length} vectors for ${some.length} texts`);
      vectors.push(...made.map((values) => ({ model: embedder.model, values })));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      logger.warn(
        `The embedder "${embedder.model}" failed (${why}). These passages are found by their words until a search computes their vectors.`,
        { error },
      );
      vectors.push(...some.map(() => undefined));
    }
  }
  return vectors;
}

async function filesOf(folder: string, inside = ""): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, inside), { withFileTypes: true }).catch(notAFolder)) {
    const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    if (entry.isDirectory()) files.push(...(await filesOf(folder, path)));
    else if (entry.isFile() && endings.test(entry.name)) files.push(path);
  }
  return files.toSorted();

  function notAFolder(error: unknown): never {
    throw new ConfigurationError(
      "INVALID_OPTION",
      `documents(): the folder ${folder} cannot be read: ${String(error)}.`,
      {
        cause: error,
      },
    );
  }
}

function sum(one: DocumentChanges, other: DocumentChanges): DocumentChanges {
  return { added: one.added + other.added, removed: one.removed + other.removed, kept: one.kept + other.kept };
}
