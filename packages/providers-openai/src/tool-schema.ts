import { isJsonObject, objectSchema } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/**
 * A tool's schema as OpenAI takes it without strict mode: an object with `properties` and no union at its root, and
 * `items` for every array. Reports of the vendor's words: "object schema missing properties"
 * (https://github.com/openai/openai-agents-python/issues/449), "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" (https://github.com/langchain-ai/langchainjs/issues/9804),
 * "array schema missing items" (https://github.com/langgenius/dify/issues/32894).
 *
 * @param schema - The schema as the tool has it.
 */
export function toolSchema(schema: unknown): JsonSchema {
  return withItems(objectSchema(schema)) as JsonSchema;
}

const oneSchema = new Set(
  "items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties".split(
    " ",
  ),
);
const schemaLists = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const schemaMaps = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

function withItems(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const schema: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) schema[key] = child(key, inner);
  const { type, items, prefixItems } = schema;
  if ((type === "array" || (Array.isArray(type) && type.includes("array"))) && !isJsonObject(items)) {
    schema["items"] = Array.isArray(prefixItems) ? { anyOf: prefixItems as unknown[] } : {};
  }
  if (type === "object") schema["properties"] ??= {};
  return schema;
}

function child(key: string, value: unknown): unknown {
  if (oneSchema.has(key)) return withItems(value);
  if (schemaLists.has(key) && Array.isArray(value)) return value.map(withItems);
  if (schemaMaps.has(key) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withItems(inner)]));
  }
  return value;
}
