import { checkMemoryScope } from "@bailiwick/core/store";
import type { MemoryQuery, MemoryScope } from "@bailiwick/core/store";
import { toColumn, toTenant } from "../connection/names.ts";

/** Values of a statement, and their positions in it. */
export interface Parameters {
  readonly values: unknown[];
  /** Adds a value; returns its placeholder, such as `$3`. */
  readonly add: (value: unknown, type: string) => string;
}

export function parameters(): Parameters {
  const values: unknown[] = [];
  return {
    values,
    add: (value, type) => `$${values.push(value)}::${type}`,
  };
}

/** A tenant or a user in a column that is never null: an absent one is a value too. */
export const ownerColumn: (id: string | undefined) => string = toTenant;

/**
 * The entries `m` that a scope sees: its own and those that the tenant shares, of its agent or of none, in its
 * namespace. Every statement that reads entries uses it.
 */
export function seenBy(scope: MemoryScope, { add }: Parameters): string {
  checkMemoryScope(scope);
  const { tenantId, userId, agentId, namespace } = scope;
  return `m.tenant = ${add(ownerColumn(tenantId), "text")}
    AND (m.owner = ${add(ownerColumn(userId), "text")} OR (m.owner = '' AND m.kind = 'shared'))
    AND (m.agent_id IS NULL OR m.agent_id = ${add(optional(agentId), "text")})
    AND m.namespace IS NOT DISTINCT FROM ${add(optional(namespace), "text")}`;
}

/**
 * Entries that a query can find: visible in its scope, and true as known at that time; see `isTrueAt` of the core.
 */
export function askedFor({ scope, kinds, name, asOf, knownAt }: MemoryQuery, now: number, given: Parameters): string {
  const { add } = given;
  const at = add(asOf ?? now, "double precision");
  /** Without a time, an entry from a clock ahead of this process's has begun. */
  const began = (from: string, written: string): string =>
    asOf === undefined ? `(${from} <= ${at} OR ${from} <= ${written})` : `${from} <= ${at}`;
  const known = knownAt === undefined ? undefined : add(knownAt, "double precision");
  return [
    seenBy(scope, given),
    kinds === undefined ? "true" : `m.kind = ANY (${add(kinds, "text[]")})`,
    name === undefined ? "true" : `m.name = ${add(toColumn(name), "text")}`,
    known === undefined ? "true" : `m.recorded_at <= ${known}`,
    began("m.valid_from", "m.recorded_at"),
    `(m.valid_to IS NULL OR m.valid_to > ${at})`,
    `(m.superseded_by IS NULL ${known === undefined ? "" : `OR m.superseded_at > ${known}`}
      OR NOT ${began("m.superseded_from", "m.superseded_at")})`,
  ].join("\n    AND ");
}

export function optional(name: string | undefined): string | null {
  return name === undefined ? null : toColumn(name);
}
