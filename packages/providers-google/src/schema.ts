import { isJsonObject } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/** Keywords whose value is a schema. */
const single = new Set(
  "items additionalProperties not contains propertyNames if then else unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
/** Keywords whose value is a list of schemas. */
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value is schemas by name. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A JSON Schema as the vendor takes it: `const` is written as an `enum` of one value, and the dialect is left out. Only
 * in the place of a schema: a property may be named `const`.
 *
 * @param schema - The schema.
 */
export function vendorSchema(schema: JsonSchema): JsonSchema {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "$schema") continue;
    if (key === "const") result["enum"] = [value];
    else result[key] = child(key, value);
  }
  return result;
}

function child(key: string, value: unknown): unknown {
  if (lists.has(key) && Array.isArray(value)) return value.map(schemaOf);
  if (named.has(key) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]));
  }
  return single.has(key) ? schemaOf(value) : value;
}

function schemaOf(value: unknown): unknown {
  return isJsonObject(value) ? vendorSchema(value) : value;
}
