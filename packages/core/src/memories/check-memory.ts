import type { MemoryEntry, MemoryScope, MemoryVector } from "../contracts/ports/memories.ts";
import { EmbedderMismatchError, InvalidMemoryError } from "../errors/memory-errors.ts";

const kinds: ReadonlySet<unknown> = new Set(["working", "episodic", "semantic", "procedural", "shared"]);
const trust: ReadonlySet<unknown> = new Set(["system", "user", "verified", "untrusted"]);

/**
 * Refuses an invalid entry. For authors of stores.
 *
 * @param entry - The entry to store.
 * @param vector - The vector to store with it.
 * @throws InvalidMemoryError when it has no id, kind, label or time, or is shared and has a user.
 * @throws EmbedderMismatchError if the vector does not fit `embedding`.
 * @example
 * ```ts
 * import { checkMemory } from "@bailiwick/core/store";
 * import type { MemoryEntry } from "@bailiwick/core";
 *
 * export function put(entry: MemoryEntry): void {
 *   checkMemory(entry);
 * }
 * ```
 */
export function checkMemory(entry: MemoryEntry, vector?: MemoryVector): void {
  checkContent(entry);
  checkMemoryScope(entry.scope);
  checkKind(entry);
  if (!Number.isFinite(entry.validFrom) || !Number.isFinite(entry.recordedAt))
    throw new InvalidMemoryError("it does not say when it is true and when it was written");
  checkEmbedding(entry, vector);
}

function checkContent(given: Partial<MemoryEntry>): void {
  if (typeof given.id !== "string" || given.id === "") throw new InvalidMemoryError("it has no id");
  if (typeof given.text !== "string") throw new InvalidMemoryError("its text is not text");
  if (given.searchText !== undefined && typeof given.searchText !== "string")
    throw new InvalidMemoryError("its searchText is not text");
  const { label } = given;
  if (!trust.has(label?.integrity) || !(label?.readers === "public" || Array.isArray(label?.readers)))
    throw new InvalidMemoryError("it has no label that says how far it is trusted and who may read it");
  for (const one of [given.id, given.name])
    if (one?.isWellFormed() === false) throw new InvalidMemoryError("its id or name is not well-formed text");
}

function checkKind({ kind, name, scope }: MemoryEntry): void {
  if (!kinds.has(kind)) throw new InvalidMemoryError(`"${kind}" is not a kind of memory`);
  if (kind === "shared" && scope.userId !== undefined)
    throw new InvalidMemoryError("what is shared belongs to no user; leave userId out of its scope");
  if (kind === "working" && (name === undefined || name === ""))
    throw new InvalidMemoryError("a working memory is a block, which needs a name");
}

function checkEmbedding({ embedding }: MemoryEntry, vector: MemoryVector | undefined): void {
  if (vector === undefined) {
    if (embedding !== undefined) throw new InvalidMemoryError("it names an embedding and comes without its vector");
    return;
  }
  if (embedding?.model !== vector.model)
    throw new InvalidMemoryError(`its vector is of "${vector.model}", and its embedding is not`);
  checkVector(vector, embedding.dims);
}

/**
 * Refuses a scope that a store could confuse with another one. For authors of stores.
 *
 * @param scope - Scope of the caller, or of an entry.
 * @throws InvalidMemoryError if it is not a scope, or one of its ids is not well-formed text.
 * @example
 * ```ts
 * import { checkMemoryScope } from "@bailiwick/core/store";
 *
 * checkMemoryScope({ tenantId: "t1", userId: "ana" });
 * ```
 */
export function checkMemoryScope(scope: MemoryScope | undefined): void {
  if (typeof scope !== "object" || scope === null) throw new InvalidMemoryError("it has no scope");
  for (const id of [scope.tenantId, scope.userId, scope.agentId, scope.namespace])
    if (id !== undefined && (typeof id !== "string" || !id.isWellFormed()))
      throw new InvalidMemoryError("an id of its scope is not well-formed text");
}

/**
 * Refuses a vector of another size than its model's.
 *
 * @param vector - From an embedder.
 * @param dims - Required length.
 * @throws EmbedderMismatchError
 * @throws InvalidMemoryError if it contains a value that is not a number.
 * @example
 * ```ts
 * import { checkVector } from "@bailiwick/core/store";
 *
 * checkVector({ model: "m", values: [1, 0] }, 2);
 * ```
 */
export function checkVector({ model, values }: MemoryVector, dims: number): void {
  if (values.length !== dims) throw new EmbedderMismatchError(model, dims, values.length);
  for (let at = 0; at < dims; at += 1)
    if (!Number.isFinite(values[at]))
      throw new InvalidMemoryError(`its vector of "${model}" holds a value that is not a number`);
}
