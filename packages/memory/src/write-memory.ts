import { InvalidMemoryError, MemoryNotFoundError, MemorySupersededError } from "@bailiwick/core";
import type { MemoryEntry, MemoryKind, MemoryLabel, MemoryScope, MemoryStore, RememberOptions } from "@bailiwick/core";
import { textOf } from "./embeddings.ts";
import type { EmbeddingHost, Embeddings } from "./embeddings.ts";
import { isDoubted, joinLabels } from "./labels.ts";
import { longestText } from "./memory-options.ts";
import type { BlockOptions } from "./memory-options.ts";
import { checkRelations, plainRelation } from "./relations.ts";

/** A write: the memory and its author. */
export interface Writing extends RememberOptions {
  readonly id: string;
  readonly text: string;
  readonly label: MemoryLabel;
  /** The scope of the author; shared memories are stored without the user. */
  readonly scope: MemoryScope;
  readonly source: MemoryEntry["source"];
  /** Refuses to replace a person's memory with an untrusted value. */
  readonly refuseWorse?: ((known: MemoryEntry) => Error) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Functions that every write of one memory uses. */
export interface Writer {
  readonly embeddings: Embeddings;
  readonly blocks: Readonly<Record<string, BlockOptions>>;
}

/** Number of restarts of a write because another write came first. */
const mostTries = 5;

/**
 * Writes a memory. The memory that had its name before is superseded.
 *
 * @throws InvalidMemoryError if it is too long, or its block does not exist.
 * @throws MemoryNotFoundError if one of `from` does not exist.
 */
export async function writeMemory(writing: Writing, writer: Writer, host: EmbeddingHost): Promise<string> {
  const { kind = "semantic", text, name, data } = writing;
  checkText(kind, text, name, writer.blocks);
  checkRelations(writing.relations);
  const now = host.clock.now();
  const entry: MemoryEntry = {
    id: writing.id,
    kind,
    text,
    ...(data !== undefined && { data }),
    ...(name !== undefined && { name }),
    scope: kind === "shared" ? { ...writing.scope, userId: undefined } : writing.scope,
    label: await labelOf(writing, host.store),
    validFrom: writing.validFrom ?? now,
    ...(writing.validTo !== undefined && { validTo: writing.validTo }),
    recordedAt: now,
    source: writing.source,
    ...(writing.from !== undefined && { derivedFrom: writing.from }),
    ...(writing.relations !== undefined && { relations: writing.relations.map(plainRelation) }),
  };
  // Blocks are always in the context, so they are not searched.
  const vector = kind === "working" ? undefined : await writer.embeddings.ofMemory(textOf(entry), host, writing.signal);
  const embedded =
    vector === undefined ? entry : { ...entry, embedding: { model: vector.model, dims: vector.values.length } };
  if (name === undefined) await host.store.put(embedded, vector);
  else await putUnderName(embedded, vector, name, writing, host.store);
  return entry.id;
}

/** Supersedes the entry of the same name: one is current at a time, even if two writes arrive together. */
async function putUnderName(
  entry: MemoryEntry,
  vector: Parameters<MemoryStore["put"]>[1],
  name: string,
  { refuseWorse }: Writing,
  store: MemoryStore,
): Promise<void> {
  // Written before a crash, and superseded since.
  if ((await store.get(entry.id, entry.scope))?.supersededBy !== undefined) return;
  for (let tries = 1; ; tries += 1) {
    const known = (await namedMemories(store, entry.scope, entry.kind, name)).filter(({ id }) => id !== entry.id);
    const better = known.find(({ label }) => isDoubted(entry.label.integrity, label.integrity));
    if (better !== undefined && refuseWorse !== undefined) throw refuseWorse(better);
    try {
      for (const { id } of known) await store.supersede(id, entry, vector);
      if (known.length === 0) await store.put(entry, vector);
      return;
    } catch (error) {
      const again = error instanceof MemorySupersededError || error instanceof MemoryNotFoundError;
      if (!again || tries >= mostTries) throw error;
    }
  }
}

/** Returns the entries that are true under a name now, of exactly this scope. */
async function namedMemories(
  store: MemoryStore,
  scope: MemoryScope,
  kind: MemoryKind,
  name: string,
): Promise<readonly MemoryEntry[]> {
  const hits = await store.query({
    scope,
    kinds: [kind],
    name,
    limit: 100,
    budgetTokens: Number.MAX_SAFE_INTEGER,
  });
  return hits.map(({ entry }) => entry).filter((entry) => entry.scope.agentId === scope.agentId);
}

function checkText(
  kind: MemoryKind,
  text: string,
  name: string | undefined,
  blocks: Readonly<Record<string, BlockOptions>>,
): void {
  if (typeof text !== "string" || text.trim() === "") throw new InvalidMemoryError("it has no text");
  if (name !== undefined && (name.trim() === "" || name.length > 200))
    throw new InvalidMemoryError("its name is empty, or longer than 200 characters");
  if (kind !== "working") {
    if (text.length > longestText)
      throw new InvalidMemoryError(
        `it has ${text.length} characters, and ${longestText} are the most. Write what matters of it`,
      );
    return;
  }
  const block = name !== undefined && Object.hasOwn(blocks, name) ? blocks[name] : undefined;
  if (block === undefined)
    throw new InvalidMemoryError(
      `there is no block ${JSON.stringify(name)}; there are ${Object.keys(blocks).join(", ") || "none"}`,
    );
  const limit = block.limit ?? longestText;
  if (text.length > limit)
    throw new InvalidMemoryError(
      `it has ${text.length} characters, and the block "${name}" takes ${limit}. Shorten it`,
    );
}

/** [memory.labels.summary] A memory derived from others has the join of their labels. */
async function labelOf({ label, from = [], scope }: Writing, store: MemoryStore): Promise<MemoryLabel> {
  const sources = await Promise.all(
    from.map(async (id) => {
      const entry = await store.get(id, scope);
      if (entry === undefined) throw new MemoryNotFoundError(id);
      return entry.label;
    }),
  );
  return joinLabels([{ integrity: label.integrity, readers: label.readers }, ...sources]);
}
