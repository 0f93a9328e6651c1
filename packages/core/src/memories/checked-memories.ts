import { id } from "../errors/id-check.ts";
import type { MemoryStore } from "../contracts/ports/memories.ts";
import { anyText, atLeast, fields, record } from "../errors/value-checks.ts";
import { checked, maybe, type Method } from "../journal/checked-sessions.ts";

const text = maybe(anyText);
const vector = maybe(record);

const memoryCalls: Readonly<Record<Exclude<keyof MemoryStore, "name">, Method>> = {
  put: { entry: record, vector },
  supersede: { id, by: record, vector },
  get: { id, scope: record },
  query: { query: fields({ scope: record, text }) },
  forget: { id, scope: record },
  forgetAll: { scope: record },
  withoutVector: { scope: record, embedding: fields({ model: anyText, dims: atLeast(0) }), limit: atLeast(0) },
  models: { scope: record },
  setVector: { id, scope: record, vector },
};

/**
 * A store of memories whose methods refuse wrong arguments before the store sees them. For authors of stores.
 *
 * @param memories - The store. Its other members are kept.
 * @returns a store whose methods reject with `INVALID_INPUT` for an argument of another kind, such as a missing scope.
 *   The message has a correct call.
 * @throws ConfigurationError `INVALID_INPUT` from each method of the result.
 * @example
 * ```ts
 * import { checkedMemories, type MemoryStore } from "@bailiwick/core/store";
 *
 * export const exported = (memories: MemoryStore): MemoryStore => checkedMemories(memories);
 * ```
 */
export function checkedMemories<Store extends MemoryStore>(memories: Store): Store {
  return checked("memories", memories, memoryCalls);
}
