import type { Label } from "../label.ts";

/**
 * The kind of a memory: a block that the agent edits (`working`), something that happened (`episodic`), a fact (`semantic`), how
 * something is done (`procedural`), or a fact for everyone of the tenant (`shared`).
 */
export type MemoryKind = "working" | "episodic" | "semantic" | "procedural" | "shared";

/**
 * The owner of a memory, part of every key and every query. Tenant and user must be given, even if `undefined`;
 * memories without a tenant or user are separate from those of every tenant or user.
 */
export interface MemoryScope {
  /** The tenant; `undefined` for memories without one. */
  readonly tenantId: string | undefined;
  /** Always `undefined` for `shared` memories. */
  readonly userId: string | undefined;
  /** True if only this agent sees the entry. Default: all agents that use the store. */
  readonly agentId?: string | undefined;
  /** A scope; only queries that name it see the entry, such as those of one tool of tier `isolated`. */
  readonly namespace?: string | undefined;
}

/** Integrity of a memory, and the people who may see it. */
export type MemoryLabel = Pick<Label, "integrity" | "readers">;

/** A relation between two people or things: `{ from: "Ana", kind: "works at", to: "Acme" }`. */
export interface MemoryRelation {
  /** Name of the person or thing that the relation begins at. */
  readonly from: string;
  /** The relation, in words. */
  readonly kind: string;
  /** Name of the person or thing that it leads to. */
  readonly to: string;
}

/** An entry of the memory. */
export interface MemoryEntry {
  /** Id of the entry, unique in the store. */
  readonly id: string;
  /** The kind of the memory. */
  readonly kind: MemoryKind;
  /** The text; the first 2,000 characters of it are searched and shown. */
  readonly text: string;
  /** The words that a search looks at in place of name and text, such as their stems. Default: name and text. */
  readonly searchText?: string | undefined;
  /** A JSON value that is stored with the text. */
  readonly data?: unknown;
  /** The name of the fact: for each name, one entry of a kind is current at a time. */
  readonly name?: string | undefined;
  /** The owner of the entry. */
  readonly scope: MemoryScope;
  /** Integrity of the text, and the people who may see it. */
  readonly label: MemoryLabel;
  /** Time from which the fact is true, in milliseconds since the epoch. */
  readonly validFrom: number;
  /** End of the time in which the memory is true; a superseded memory ends when the next one begins. */
  readonly validTo?: number | undefined;
  /** Time of the write. */
  readonly recordedAt: number;
  /** The entry that replaced it. */
  readonly supersededBy?: string | undefined;
  /** The time at which it was superseded; until then it was the newest fact. */
  readonly supersededAt?: number | undefined;
  /** The run that wrote it. */
  readonly source: {
    readonly runId: string;
    readonly seq: number;
    readonly callId?: string | undefined;
  };
  /** Source entries: when one is deleted, this entry is deleted too. */
  readonly derivedFrom?: readonly string[] | undefined;
  /** Relations that the text tells, for the graph of entities. */
  readonly relations?: readonly MemoryRelation[] | undefined;
  /** Model and length of the stored vector, if there is one. */
  readonly embedding?: { readonly model: string; readonly dims: number } | undefined;
}

/** A vector of one embedding model. */
export interface MemoryVector {
  /** Vectors of different models are never compared. */
  readonly model: string;
  /** The numbers of the vector. */
  readonly values: readonly number[] | Float32Array;
}

/** A query for memories. Without `text` and `vectors` it returns the newest entries. */
export interface MemoryQuery {
  /** The owner of the memories. */
  readonly scope: MemoryScope;
  /** Words to search for. */
  readonly text?: string | undefined;
  /** One vector per model. */
  readonly vectors?: readonly MemoryVector[] | undefined;
  /** Default: every kind. */
  readonly kinds?: readonly MemoryKind[] | undefined;
  /** Returns only facts of this name. Default: every entry. */
  readonly name?: string | undefined;
  /** Returns the facts that were true at this time, in milliseconds since the epoch; default now. */
  readonly asOf?: number | undefined;
  /** Returns the facts that were known at this time; default now. */
  readonly knownAt?: number | undefined;
  /** Default 8. */
  readonly limit?: number | undefined;
  /** Default 1,000. */
  readonly budgetTokens?: number | undefined;
  /** Age in days at which the relevance of a memory is halved. Default 30. */
  readonly halfLifeDays?: number | undefined;
  /** Minimum cosine of a matching vector; default 0.25. */
  readonly leastSimilarity?: number | undefined;
}

/** A memory that was found, and why. */
export interface MemoryHit {
  /** The memory. */
  readonly entry: MemoryEntry;
  /** Fused over all ranks, and lower with age. */
  readonly score: number;
  /** Rank among the entries that share words with the query, from 1. */
  readonly lexicalRank?: number | undefined;
  /** Rank among the entries with similar vectors, from 1. */
  readonly vectorRank?: number | undefined;
  /** Cosine to the query. */
  readonly similarity?: number | undefined;
  /** Relevance that a reranker gave it, from 0 to 1. */
  readonly relevance?: number | undefined;
  /** Age of the entry in days. */
  readonly ageDays: number;
}

/**
 * Stores memories. Every call is bound to a scope. It sees an entry if tenant and user are equal (for a `shared` entry,
 * only the tenant), and if the entry's agent and namespace are equal or unset.
 */
export interface MemoryStore {
  /** Names the store in errors. */
  readonly name: string;
  /**
   * Adds an entry. An entry with the same id stays unchanged: repeating a write after a crash has no effect.
   *
   * @param entry - The entry, with its id, scope and label.
   * @param vector - The entry's vector with the name of its model; without it, the entry is found by words only.
   * @throws InvalidMemoryError when it has no label, or a shared one has a user; EmbedderMismatchError when the vector
   * does not fit `embedding`.
   */
  put(entry: MemoryEntry, vector?: MemoryVector): Promise<void>;
  /**
   * Supersedes an entry: the old one stays, ends when the new one begins, and can be found with `asOf` and `knownAt`.
   * The old text of a `working` block is deleted. A repeated write has no effect, even after the new entry was
   * superseded itself.
   *
   * @param id - Id of the old entry.
   * @param by - The new entry.
   * @param vector - The new entry's vector with the name of its model.
   * @throws MemoryNotFoundError, TenantMismatchError, MemorySupersededError when another entry has already replaced it.
   */
  supersede(id: string, by: MemoryEntry, vector?: MemoryVector): Promise<void>;
  /**
   * Returns an entry of the scope; `undefined` if there is none.
   *
   * @param id - Id of the entry.
   * @param scope - Tenant, user, agent and namespace of the caller.
   */
  get(id: string, scope: MemoryScope): Promise<MemoryEntry | undefined>;
  /**
   * Returns the best matches first, or the newest entries.
   *
   * @param query - The scope, and the words or the vectors to search for; without both, the newest entries are
   *   returned.
   */
  query(query: MemoryQuery): Promise<readonly MemoryHit[]>;
  /**
   * Deletes an entry with its vector, its words in the index, the entries that it superseded, and the entries derived
   * from it. Returns the deleted ids.
   *
   * @param id - Id of the entry.
   * @param scope - Tenant, user, agent and namespace of the caller.
   */
  forget(id: string, scope: MemoryScope): Promise<readonly string[]>;
  /**
   * Deletes everything of this tenant and user, for every agent and namespace; returns the number of entries. Without a
   * user: the entries without a user, including the shared ones.
   *
   * @param scope - The tenant and the user. The agent and the namespace are ignored.
   */
  forgetAll(scope: MemoryScope): Promise<number>;
  /**
   * Entries that the scope sees, that are or will be true, and that have no vector of this model and size.
   *
   * @param scope - Tenant, user, agent and namespace of the caller.
   * @param embedding - Name of the model, and length of its vectors.
   * @param limit - Largest number of entries to return.
   */
  withoutVector(
    scope: MemoryScope,
    embedding: { readonly model: string; readonly dims: number },
    limit: number,
  ): Promise<readonly MemoryEntry[]>;
  /**
   * Models that have vectors of entries in the scope.
   *
   * @param scope - Tenant, user, agent and namespace of the caller.
   */
  models(scope: MemoryScope): Promise<readonly { readonly model: string; readonly dims: number }[]>;
  /**
   * Stores the vector of an entry and replaces an earlier one; does nothing if the entry was deleted. `data` replaces
   * the entry's `data`.
   *
   * @param id - Id of the entry.
   * @param scope - Tenant, user, agent and namespace of the caller.
   * @param vector - The vector with the name of its model; `undefined` leaves the vector unchanged.
   * @param data - The new `data` of the entry; if left out, it is unchanged.
   */
  setVector(id: string, scope: MemoryScope, vector: MemoryVector | undefined, data?: unknown): Promise<void>;
}

/** Makes vectors of texts. */
export interface Embedder {
  /** Names the model: vectors of different models cannot be compared. */
  readonly model: string;
  /** Length of its vectors. */
  readonly dims: number;
  /**
   * Returns one vector for each text, in the same order.
   *
   * @param texts - The texts; any number, which the embedder may split into several requests.
   * @param options - `signal` cancels the requests.
   */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly (readonly number[] | Float32Array)[]>;
}

/** Rank of one text from a {@link Reranker}. */
export interface RankedText {
  /** Place of the text in the list that was given, from 0. */
  readonly index: number;
  /** Relevance for the query; comparable within one answer. */
  readonly relevance: number;
}

/** Orders texts by their relevance for a query, with a model that reads both together. */
export interface Reranker {
  /** Names the model. */
  readonly model: string;
  /**
   * Orders texts. A text that is missing in the answer comes last.
   *
   * @param query - Such as the user's message.
   * @param texts - Texts to order.
   * @param options - `limit`: how many are needed; `signal` cancels.
   */
  rerank(
    query: string,
    texts: readonly string[],
    options?: { readonly limit?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly RankedText[]>;
}
