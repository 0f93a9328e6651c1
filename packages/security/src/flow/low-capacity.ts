import type { JsonSchema } from "@bailiwick/core";

import { followReference, isSchema } from "./egress-arguments.ts";

/** Cost of a value without information. */
const none = 0;

/** A value that the schema does not bound. */
const unbounded: number = Infinity;

/**
 * [flow.r2.low-capacity-leaves] Bits that a value can carry according to its declared schema: booleans, enums, literals
 * and bounded integers, counted per element. Object keys that the schema does not name, unbounded numbers, fractions,
 * identifiers, dates and free text are unbounded.
 *
 * @returns Bits, or infinity.
 */
export function capacityOf(value: unknown, schema: JsonSchema | undefined): number {
  // Without a schema there is no position to refer to.
  return positionBits(value, schema, schema as JsonSchema, 0);
}

function positionBits(value: unknown, position: unknown, root: JsonSchema, depth: number): number {
  if (!isSchema(position) || depth > 32) return unbounded;
  if ("const" in position) return position["const"] === value ? none : unbounded;
  const choices = position["enum"];
  if (Array.isArray(choices)) return choices.includes(value) ? Math.log2(choices.length) : unbounded;
  const reference = position["$ref"];
  if (typeof reference === "string") return positionBits(value, followReference(reference, root), root, depth + 1);
  const alternatives = position["anyOf"] ?? position["oneOf"];
  if (Array.isArray(alternatives)) return alternativeBits(value, alternatives as readonly unknown[], root, depth);
  if (position["allOf"] !== undefined) return unbounded;
  const type = position["type"];
  if (type === "boolean") return typeof value === "boolean" ? 1 : unbounded;
  if (type === "null") return value === null ? none : unbounded;
  if (type === "integer") return integerBits(value, position);
  if (type === "array") return arrayBits(value, position, root, depth);
  if (type === "object") return objectBits(value, position, root, depth);
  return unbounded;
}

/** The choice of the alternative is information too. */
function alternativeBits(value: unknown, alternatives: readonly unknown[], root: JsonSchema, depth: number): number {
  const bits = alternatives.map((alternative) => positionBits(value, alternative, root, depth + 1));
  return Math.min(...bits) + Math.log2(alternatives.length);
}

function integerBits(value: unknown, position: JsonSchema): number {
  const low = bound(position["minimum"], position["exclusiveMinimum"], 1);
  const high = bound(position["maximum"], position["exclusiveMaximum"], -1);
  if (low === undefined || high === undefined || !Number.isInteger(value)) return unbounded;
  if ((value as number) < low || (value as number) > high) return unbounded;
  return Math.log2(high - low + 1);
}

function bound(inclusive: unknown, exclusive: unknown, step: number): number | undefined {
  if (typeof inclusive === "number") return inclusive;
  return typeof exclusive === "number" ? exclusive + step : undefined;
}

/** A list carries its length and each of its items. */
function arrayBits(value: unknown, position: JsonSchema, root: JsonSchema, depth: number): number {
  if (!Array.isArray(value) || position["prefixItems"] !== undefined) return unbounded;
  let bits = 2 * Math.log2(value.length + 1) + 1;
  for (const item of value as readonly unknown[]) bits += positionBits(item, position["items"], root, depth + 1);
  return bits;
}

function objectBits(value: unknown, position: JsonSchema, root: JsonSchema, depth: number): number {
  const properties = position["properties"];
  if (!isSchema(value) || !isSchema(properties)) return unbounded;
  const required = Array.isArray(position["required"]) ? (position["required"] as readonly unknown[]) : [];
  let bits = none;
  for (const key of Object.keys(properties)) {
    // The presence of an optional member is one bit.
    if (!required.includes(key)) bits += 1;
    if (Object.hasOwn(value, key)) {
      bits += positionBits(value[key], properties[key], root, depth + 1);
    }
  }
  for (const key of Object.keys(value)) if (!Object.hasOwn(properties, key)) return unbounded;
  return bits;
}
