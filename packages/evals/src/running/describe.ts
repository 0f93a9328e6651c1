import { compileSchema, isStandardSchema } from "@bailiwick/core/extension";

/** Deeper values are left out. */
const deepest = 12;

/**
 * A value as data for a hash: functions by their source text, models by their ids, schemas by their JSON Schema, and
 * other objects of classes by the name of the class.
 *
 * @param value - The value.
 */
export function described(value: unknown, depth: number = 0): unknown {
  if (typeof value === "function") return `function ${Function.prototype.toString.call(value)}`;
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  return depth > deepest ? "…" : objectData(value, depth);
}

function objectData(value: object, depth: number): unknown {
  if (Array.isArray(value)) return value.map((one) => described(one, depth + 1));
  if (isStandardSchema(value)) return schemaOf(value);
  if ("modelId" in value && "provider" in value) return [String(value.provider), String(value.modelId)];
  if (value instanceof RegExp || value instanceof Date) return String(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return `object of ${(prototype as object).constructor?.name ?? "a class"}`;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, described(one, depth + 1)]])),
  );
}

function schemaOf(value: object): unknown {
  try {
    return compileSchema(value, { what: "A schema" }).jsonSchema;
  } catch {
    return "a schema";
  }
}
