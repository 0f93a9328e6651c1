import type { MemoryEntry, MemoryScope } from "../contracts/ports/memories.ts";

/**
 * True if a scope sees an entry: tenant, namespace and user are equal (shared entries have no user), and its agent is
 * equal or unset.
 *
 * @param entry - The memory.
 * @param scope - Scope of the caller.
 * @example
 * ```ts
 * import { isInScope } from "@bailiwick/core/store";
 *
 * const entry = { kind: "semantic", scope: { tenantId: "t1", userId: "ana" } } as const;
 * console.log(isInScope(entry, { tenantId: "t1", userId: "ben" })); // false
 * ```
 */
export function isInScope(entry: Pick<MemoryEntry, "kind" | "scope">, scope: MemoryScope): boolean {
  const of = entry.scope;
  return (
    of.tenantId === scope.tenantId &&
    of.namespace === scope.namespace &&
    (entry.kind === "shared" || of.userId === scope.userId) &&
    (of.agentId === undefined || of.agentId === scope.agentId)
  );
}
