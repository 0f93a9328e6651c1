import { isJsonObject, mapSchemas, objectSchema, tellKeywords } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";
import { kimiSchema } from "./kimi-schema.ts";
import type { SchemaDialect } from "./server-record.ts";

/**
 * A tool's schema as a server accepts it without strict mode: an object with `properties` and no union at its root, and
 * `items` for every array. Reported error texts of OpenAI: "object schema missing properties"
 * (https://github.com/openai/openai-agents-python/issues/449), "schema must have type 'object' and not have
 * 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level" (https://github.com/langchain-ai/langchainjs/issues/9804),
 * "array schema missing items" (https://github.com/langgenius/dify/issues/32894). Groq's: "'required' present but
 * 'properties' is missing" (https://github.com/usestrix/strix/issues/1088).
 *
 * @param schema - The tool's schema.
 * @param dialect - Further rules of the server.
 */
export function toolSchema(schema: unknown, dialect: SchemaDialect = "openai"): JsonSchema {
  const whole = mapSchemas(objectSchema(schema), withParts) as JsonSchema;
  switch (dialect) {
    case "openai":
      return whole;
    case "kimi":
      return kimiSchema(whole);
    case "grammar":
      return mapSchemas(whole, forGrammar) as JsonSchema;
  }
}

type Json = Record<string, unknown>;

function withParts(schema: Json): Json {
  const { type, items, prefixItems } = schema;
  if ((type === "array" || (Array.isArray(type) && type.includes("array"))) && !isJsonObject(items)) {
    schema["items"] = Array.isArray(prefixItems) ? { anyOf: prefixItems as unknown[] } : {};
  }
  if (type === "object" || schema["required"] !== undefined) schema["properties"] ??= {};
  return schema;
}

/** Longest repetition that is left to a grammar: nested ones multiply. */
const longest = 64;
const lengths = ["minLength", "maxLength", "minItems", "maxItems"];

/**
 * Removes the keywords that a grammar cannot express. llama.cpp makes one grammar of all tools, and refuses the request
 * for one pattern without anchors (https://github.com/ggml-org/llama.cpp/issues/26930), for one inside of a list
 * (https://github.com/ggml-org/llama.cpp/issues/25895), and for long repetitions
 * (https://github.com/AtomicBot-ai/Atomic-Chat/pull/272).
 */
function forGrammar(schema: Json): Json {
  return tellKeywords(schema, ["pattern", ...lengths.filter((name) => Number(schema[name]) > longest)]);
}
