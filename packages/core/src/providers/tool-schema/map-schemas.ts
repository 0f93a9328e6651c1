import { isJsonObject } from "../json-shapes.ts";

type Json = Record<string, unknown>;

/** Keywords whose value is a schema. */
const single = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
/** Keywords whose value is a list of schemas. */
const lists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
/** Keywords whose value is schemas by name. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/**
 * Changes a schema and every schema inside it, the inner ones first. Only in the place of a schema: a property may be
 * named like a keyword.
 *
 * @param schema - The schema; anything else is returned as it is.
 * @param change - Gives the schema that takes the place of one. The schema itself is a copy.
 */
export function mapSchemas(schema: unknown, change: (schema: Json) => Json): unknown {
  if (!isJsonObject(schema)) return schema;
  const inner = (value: unknown): unknown => mapSchemas(value, change);
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    if (single.has(key)) return [key, inner(value)];
    if (lists.has(key) && Array.isArray(value)) return [key, value.map(inner)];
    if (!named.has(key) || !isJsonObject(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inner(child)]))];
  });
  return change(Object.fromEntries(entries));
}
