import type { JsonSchema } from "../contracts/json.ts";
import { isObject } from "../errors/value-checks.ts";
import type { PathStep } from "./paths.ts";

/** A schema position: a sub-schema, or `true` if anything is allowed. */
export type Position = JsonSchema | true;

/**
 * True if a value that a JSON Schema allows can have a member at a path. Open objects and untyped positions allow any
 * member; `$ref` is followed within the document.
 *
 * @param schema - The root schema.
 * @param steps - A parsed path.
 */
export function schemaHasPath(schema: JsonSchema, steps: readonly PathStep[]): boolean {
  let positions: readonly Position[] = expand(schema, schema);
  for (const step of steps) {
    positions = positions
      .flatMap((position) => ("items" in step ? itemsOf(position) : memberOf(position, step.key)))
      .flatMap((next) => (next === true ? [true as const] : expand(next, schema)));
    if (positions.length === 0) return false;
    if (positions.includes(true)) return true;
  }
  return true;
}

/** The alternatives at a position, with references resolved and combinations expanded. */
export function expand(schema: JsonSchema, root: JsonSchema): readonly Position[] {
  const found: Position[] = [];
  const seen = new Set<JsonSchema>();
  const stack: JsonSchema[] = [schema];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const target = typeof next["$ref"] === "string" ? followReference(next["$ref"], root) : undefined;
    if (target !== undefined) stack.push(target);
    let combined = target !== undefined;
    for (const keyword of ["anyOf", "oneOf", "allOf"]) {
      const parts = next[keyword];
      if (!Array.isArray(parts)) continue;
      combined = true;
      for (const part of parts as readonly unknown[]) if (isObject(part)) stack.push(part);
    }
    const own = ["properties", "items", "prefixItems", "additionalProperties", "patternProperties", "type"];
    if (!combined || own.some((keyword) => keyword in next)) found.push(next);
  }
  return found;
}

function followReference(reference: string, root: JsonSchema): JsonSchema | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let target: unknown = root;
  for (const token of reference.slice(2).split("/")) {
    const key = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = (target as Record<string, unknown>)[key];
  }
  return isObject(target) ? target : undefined;
}

export function memberOf(position: Position, key: string): readonly Position[] {
  if (position === true) return [true];
  const properties = position["properties"];
  if (isObject(properties) && Object.hasOwn(properties, key)) return asPosition(properties[key]);
  const patterns = position["patternProperties"];
  if (isObject(patterns)) return Object.values(patterns).flatMap(asPosition);
  if ("additionalProperties" in position) return asPosition(position["additionalProperties"]);
  // `properties` without `additionalProperties: false` allows more members, but a path to one is nearly always a typo.
  return isObject(properties) || !admits(position, "object") ? [] : [true];
}

export function itemsOf(position: Position): readonly Position[] {
  if (position === true) return [true];
  const items = position["items"];
  const prefix = position["prefixItems"];
  const found = [...(Array.isArray(prefix) ? prefix : []), ...(Array.isArray(items) ? items : [items])];
  const positions = found.flatMap(asPosition);
  if (positions.length > 0) return positions;
  return items === undefined && prefix === undefined && admits(position, "array") ? [true] : [];
}

function asPosition(value: unknown): readonly Position[] {
  if (value === true) return [true];
  if (!isObject(value)) return [];
  return Object.keys(value).length === 0 ? [true] : [value];
}

function admits(schema: JsonSchema, type: "object" | "array"): boolean {
  const types = schema["type"];
  return types === undefined || types === type || (Array.isArray(types) && types.includes(type));
}
