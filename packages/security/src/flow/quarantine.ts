import type { ResolvedTool } from "@bailiwick/core";

import { isTrusted } from "./lattice.ts";
import { segment } from "./leaves.ts";
import { capacityOf } from "./low-capacity.ts";
import { fieldIntegrity } from "./output-level.ts";

/** What stands in the context for a value that the model does not see. */
export interface Reference {
  readonly $ref: string;
  /** Kind of the value: `string`, `number`, `boolean`, `null`. */
  readonly type: string;
  /** Characters of its text. */
  readonly length: number;
  /** The tool that returned it. */
  readonly from: string;
}

const prefix = "$ref:";

/** A reference as it may stand in arguments: its text, or the whole object. */
export function referenceIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.startsWith(prefix) ? value : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { $ref } = value as { readonly $ref?: unknown };
  return typeof $ref === "string" && $ref.startsWith(prefix) ? $ref : undefined;
}

/**
 * [quarantine.references] An output in which leaves that the model may not see are references: untrusted ones with
 * `flow.quarantine`, all of a `secret` tool's. Member names are shown only where the output's schema names them.
 */
export function referencesFor(tool: ResolvedTool, callId: string, output: unknown, quarantine: boolean): unknown {
  const secret = tool.sensitivity === "secret";
  if (!secret && !quarantine) return output;
  const hide = (path: string): boolean => secret || !isTrusted(fieldIntegrity(tool, path));
  const bounded = !secret && Number.isFinite(capacityOf(output, tool.__outputJsonSchema));
  if (bounded) return output;
  return replace(output, "", "", { callId, tool, hide });
}

interface Replacing {
  readonly callId: string;
  readonly tool: ResolvedTool;
  readonly hide: (path: string) => boolean;
}

function replace(value: unknown, path: string, location: string, how: Replacing): unknown {
  if (typeof value !== "object" || value === null) return how.hide(path) ? reference(value, location, how) : value;
  if (Array.isArray(value)) return value.map((item, index) => replace(item, `${path}[]`, `${location}[${index}]`, how));
  // Names that nobody declared are text of the source: the object is hidden as a whole.
  if (how.hide(path) && !namesAreDeclared(value, path, how.tool)) return reference(value, location, how);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      replace(member, segment(path, key), segment(location, key), how),
    ]),
  );
}

function namesAreDeclared(value: object, path: string, tool: ResolvedTool): boolean {
  const known = schemaNames(tool.__outputJsonSchema, path);
  return Object.keys(value).every((key) => known.has(key));
}

/** The member names that a schema declares at a path; none where it is open. */
function schemaNames(schema: unknown, path: string): ReadonlySet<string> {
  let position: unknown = schema;
  for (const part of path.match(/\[\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/gu) ?? []) {
    const fields = position as
      | { readonly items?: unknown; readonly properties?: Readonly<Record<string, unknown>> }
      | undefined;
    const name = part.startsWith('["') ? (JSON.parse(part.slice(1, -1)) as string) : part;
    position = part === "[]" ? fields?.items : fields?.properties?.[name];
  }
  const { properties } = (position ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> };
  return new Set(Object.keys(properties ?? {}));
}

function reference(value: unknown, location: string, { callId, tool }: Replacing): Reference {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  return {
    $ref: `${prefix}${callId}${location === "" ? "" : `:${location}`}`,
    type: value === null ? "null" : typeof value,
    length: text.length,
    from: tool.name,
  };
}

/** [quarantine.boundary] The value that a reference stands for. */
export function valueOf(
  reference: string,
  outputOf: (callId: string) => unknown,
): { readonly value: unknown } | undefined {
  const match = /^\$ref:(t\d+\/c\d+)(?::(.*))?$/su.exec(reference);
  const [, callId, location = ""] = match ?? [];
  if (callId === undefined) return undefined;
  let value = outputOf(callId);
  for (const part of location.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/gu) ?? []) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = part.startsWith("[") ? String(JSON.parse(part.slice(1, -1))) : part;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value === undefined ? undefined : { value };
}

/** The call whose output a reference points into. */
export function callOfReference(reference: string): string | undefined {
  return /^\$ref:(t\d+\/c\d+)(?::|$)/u.exec(reference)?.[1];
}

/** Every reference in some arguments, with the place where it stands. */
export function expandReferences(
  args: unknown,
  outputOf: (callId: string) => unknown,
): { readonly args: unknown; readonly found: readonly string[] } {
  const found: string[] = [];
  const expand = (value: unknown): unknown => {
    const reference = referenceIn(value);
    if (reference !== undefined) {
      const target = valueOf(reference, outputOf);
      if (target === undefined) return value;
      found.push(reference);
      return target.value;
    }
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
  };
  const expanded = expand(args);
  return found.length === 0 ? { args, found } : { args: expanded, found };
}
