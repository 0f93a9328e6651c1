import { BailiwickError } from "./bailiwick-error.ts";

/** A tool tried to do more with memory than its `memoryGuardTier` allows. Nothing was changed. */
export class MemoryGuardDeniedError extends BailiwickError {
  constructor(toolName: string, reason: string) {
    super("MEMORY_GUARD_DENIED", `Tool "${toolName}" may not do this with memory: ${reason}`);
  }
}

/** The scope has no memory with that id. */
export class MemoryNotFoundError extends BailiwickError {
  /** Id of the memory. */
  readonly memoryId: string;

  /**
   * @param memoryId - Id of the memory.
   */
  constructor(memoryId: string) {
    super(
      "MEMORY_NOT_FOUND",
      `There is no memory "${memoryId}" in this scope. Check the id, the tenant and the user: memories of other users are not visible.`,
    );
    this.memoryId = memoryId;
  }
}

/** Another memory has replaced this one in the meantime. Nothing was written. */
export class MemorySupersededError extends BailiwickError {
  /** Id of the memory. */
  readonly memoryId: string;

  /**
   * @param memoryId - Id of the memory that was superseded before.
   */
  constructor(memoryId: string) {
    super(
      "MEMORY_SUPERSEDED",
      `The memory "${memoryId}" was superseded in the meantime. Read the newest memory, and write again.`,
    );
    this.memoryId = memoryId;
  }
}

/** A memory is invalid and was not stored. */
export class InvalidMemoryError extends BailiwickError {
  /**
   * @param reason - The wrong part of the entry, as a sentence.
   */
  constructor(reason: string) {
    super("INVALID_MEMORY", `This cannot be kept as a memory: ${reason}. Nothing was written.`);
  }
}

/** A write would replace data of another tenant or user. Nothing was written. */
export class TenantMismatchError extends BailiwickError {
  /**
   * @param what - The entry of another owner, as the subject of a sentence.
   */
  constructor(what: string) {
    super("TENANT_MISMATCH", `${what} belongs to another tenant or user. Nothing was written.`);
  }
}

/** A vector does not have the length or the numbers that its embedder declares. */
export class EmbedderMismatchError extends BailiwickError {
  /**
   * @param model - Name of the embedding model.
   * @param expected - Length of the vectors that the store has of this model.
   * @param found - Length of the given vector.
   */
  constructor(model: string, expected: number, found: number) {
    super(
      "EMBEDDER_MISMATCH",
      `The embedder "${model}" declares vectors with ${expected} numbers, but returned one with ${found}. Correct its "dims", or use another name as "model" for another size.`,
    );
  }
}
