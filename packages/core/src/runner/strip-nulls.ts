import type { JsonSchema } from "../contracts/json.ts";

/**
 * Removes members that are `null` where the schema has them as optional and does not allow `null`: strict modes make
 * optional members nullable, and models then answer `null` for what they leave out.
 *
 * @param value - A parsed answer.
 * @param schema - Its JSON Schema before any vendor's changes.
 */
export function stripOptionalNulls(value: unknown, schema: JsonSchema): unknown {
  return strip(value, schema, schema, 0);
}

function strip(value: unknown, given: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > 64 || typeof value !== "object" || value === null) return value;
  const schema = resolve(given, root);
  if (Array.isArray(value)) {
    const items = asSchema(schema["items"]);
    return items === undefined ? value : value.map((item) => strip(item, items, root, depth + 1));
  }
  const properties = asSchema(schema["properties"]);
  if (properties === undefined) return value;
  const required: readonly unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const property = Object.hasOwn(properties, key) ? asSchema(properties[key]) : undefined;
      if (property === undefined) return [[key, member]];
      if (member === null && !required.includes(key) && !allowsNull(property, root, depth)) return [];
      return [[key, strip(member, property, root, depth + 1)]];
    }),
  );
}

function allowsNull(given: JsonSchema, root: JsonSchema, depth: number): boolean {
  if (depth > 64) return true;
  const schema = resolve(given, root);
  const { type } = schema;
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  if (schema["const"] === null || (Array.isArray(schema["enum"]) && schema["enum"].includes(null))) return true;
  for (const keyword of ["anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    return branches.some((branch) => {
      const next = asSchema(branch);
      return next === undefined || allowsNull(next, root, depth + 1);
    });
  }
  // Without any word about its type everything is allowed, null included.
  return type === undefined && schema["enum"] === undefined && schema["const"] === undefined;
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return schema;
  let target: unknown = root;
  for (const segment of reference.slice(2).split("/")) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    target = typeof target === "object" && target !== null ? (target as Record<string, unknown>)[key] : undefined;
  }
  return asSchema(target) ?? schema;
}

function asSchema(value: unknown): JsonSchema | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchema) : undefined;
}
