import { isJsonObject } from "../json-shapes.ts";
import { listKeywords, mapKeywords, schemaKeywords } from "./schema-keywords.ts";

type Json = Record<string, unknown>;

/**
 * Changes a schema and every schema inside it, the inner ones first. Only at schema positions: a property may have the
 * name of a keyword.
 *
 * @param schema - The schema; anything else is returned unchanged.
 * @param change - Returns the replacement of a schema. It may change its argument, which is a copy.
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
