import type { Ids } from "../contracts/ports/ids.ts";

/**
 * Random UUIDs.
 *
 * @example
 * ```ts
 * import { randomIds } from "@bailiwick/core";
 *
 * export const runId = randomIds.next("run");
 * ```
 */
export const randomIds: Ids = {
  next: () => globalThis.crypto.randomUUID(),
};
