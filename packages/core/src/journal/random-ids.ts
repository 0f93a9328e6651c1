import type { Ids } from "../contracts/ports/ids.ts";

/**
 * Random UUIDs.
 *
 * @example
 * ```ts
 * import { randomIds } from "@bailiwick/core/extension";
 *
 * export const runId = randomIds.next("run");
 * ```
 */
export const randomIds: Ids = {
  // Copied into one flat text: a platform's id may be a tree of pieces, which takes ten times the memory.
  next: () => globalThis.crypto.randomUUID().split("-").join("-"),
};
