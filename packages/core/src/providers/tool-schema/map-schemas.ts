import { isJsonObject } from "../json-shapes.ts";
import { listKeywords, mapKeywords, schemaKeywords } from "./schema-keywords.ts";

type Json = Record<string, unknown>;

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
    if (schemaKeywords.has(key)) return [key, inner(value)];
    if (listKeywords.has(key) && Array.isArray(value)) return [key, value.map(inner)];
    if (!mapKeywords.has(key) || !isJsonObject(value)) return [key, value];
    return [key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, inner(child)]))];
  });
  return change(Object.fromEntries(entries));
}
