import type { JsonSchema, ResolvedTool } from "@bailiwick/core";

import { isTrusted } from "./trusted.ts";
import type { Level } from "./lattice.ts";
import { segment } from "./paths.ts";
import { valueIntegrity } from "./output-level.ts";
import { schemaPosition } from "./schema-position.ts";
import { referencePrefix } from "./reference-text.ts";

/** Reference in the context for a value that the model does not see. */
interface Reference {
  readonly $ref: string;
  /** Kind of the value: `string`, `number`, `boolean`, `null`. */
  readonly type: string;
  /** Characters of its text. */
  readonly length: number;
  /** The tool that returned it. */
  readonly from: string;
}

/** Inputs that decide which leaves of an output are hidden. */
export interface Hiding {
  /** The output's label. */
  readonly level: Level;
  /** The output carries no more than the bits that the run has spent on it. */
  readonly paid: boolean;
  /** Its label is worse than its tool's fields say. */
  readonly distrusted: boolean;
}

/**
 * [quarantine.references] An output in which leaves that the model may not see are references: all of a `secret` tool's,
 * untrusted ones of others, whose outputs come here with `flow.quarantine` alone. Member names are shown only where the output's schema names them.
 */
export function referencesFor(tool: ResolvedTool, callId: string, output: unknown, hiding: Hiding): unknown {
  const secret = tool.sensitivity === "secret";
  if (!secret && hiding.paid) return output;
  const pure = tool.__sideEffectClass === "pure" && tool.__effectDeclared;
  // The result of a pure tool is as trusted as its arguments; an inner run may have read less trusted text
  // [flow.r2.pure].
  const whole = pure ? !isTrusted(hiding.level.integrity) : hiding.distrusted;
  const hide = (path: string, value?: unknown): boolean =>
    secret || whole || (!pure && !isTrusted(valueIntegrity(tool, path, value)));
  return replace(output, "", "", { callId, tool, hide });
}

interface Replacing {
  readonly callId: string;
  readonly tool: ResolvedTool;
  readonly hide: (path: string, value?: unknown) => boolean;
}

function replace(value: unknown, path: string, location: string, how: Replacing): unknown {
  if (typeof value !== "object" || value === null)
    return how.hide(path, value) ? reference(value, location, how) : value;
  if (Array.isArray(value)) return value.map((item, index) => replace(item, `${path}[]`, `${location}[${index}]`, how));
  // Undeclared names are text of the source, so the whole object is hidden.
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

/** The member names that a schema declares at a path; `undefined` if the path is open. */
function schemaNames(schema: JsonSchema | undefined, path: string): ReadonlySet<string> {
  const { properties } = (schemaPosition(schema, path) ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  return new Set(Object.keys(properties ?? {}));
}

function reference(value: unknown, location: string, { callId, tool }: Replacing): Reference {
  const shown = value ?? null;
  const text = typeof shown === "string" ? shown : JSON.stringify(shown);
  return {
    $ref: `${referencePrefix}${callId}${location === "" ? "" : `:${location}`}`,
    type: shown === null ? "null" : typeof shown,
    length: text.length,
    from: tool.name,
  };
}
