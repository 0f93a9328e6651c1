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
  // Joined anew, as one text: what a platform gives may be a tree of its pieces, which takes ten times the memory.
  next: () => globalThis.crypto.randomUUID().split("-").join("-"),
};
