import type { JsonSchema } from "../../contracts/json.ts";
import { isJsonObject } from "../json-shapes.ts";
import { resolveReference } from "./resolve-ref.ts";
import { listKeywords, mapKeywords, schemaKeywords } from "./schema-keywords.ts";

type Json = Record<string, unknown>;

const types = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** Type names of other languages, as used by tools of MCP servers. */
const typeNames: Readonly<Record<string, string>> = {
  int: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  bool: "boolean",
  str: "string",
  text: "string",
  dict: "object",
  map: "object",
  list: "array",
  none: "null",
};
const numbers = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
];
const texts = ["title", "description", "format", "$comment", "contentEncoding", "contentMediaType"];
/** Deeper schemas allow anything. */
const maxDepth = 64;

/**
 * Converts any schema of a tool to valid JSON Schema (draft 2020-12): forms of older drafts are rewritten, and unknown
 * forms are left out, which makes the schema more permissive. Vendors refuse a whole request for one invalid keyword;
 * the model's arguments are checked with the tool's original schema in any case.
 *
 * @param schema - The tool's schema.
 */
export function validSchema(schema: unknown): JsonSchema {
  if (!isJsonObject(schema)) return {};
  return valid(schema, schema, 0).schema;
}

interface Valid {
  readonly schema: Json;
  /** True if the property itself has `required: true`, as in JSON Schema draft 3. */
  readonly isRequired: boolean;
}

function valid(given: Readonly<Json>, root: Readonly<Json>, depth: number): Valid {
  if (depth > maxDepth) return { schema: {}, isRequired: false };
  const schema: Json = { ...given };
  delete schema["$schema"];
  delete schema["$id"];
  writeReference(schema, root);
  writeType(schema);
  writeTuple(schema);
  writeBounds(schema);
  for (const name of texts) if (name in schema && typeof schema[name] !== "string") delete schema[name];
  if ("pattern" in schema && !isPattern(schema["pattern"])) delete schema["pattern"];
  if ("enum" in schema && !(Array.isArray(schema["enum"]) && schema["enum"].length > 0)) delete schema["enum"];
  const isRequired = schema["required"] === true;
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"].filter(isText) : []);
  writeChildren(schema, root, depth, required);
  if (required.size > 0) schema["required"] = [...required];
  else if (!Array.isArray(schema["required"]) || schema["required"].length > 0) delete schema["required"];
  return { schema, isRequired };
}

function writeChildren(schema: Json, root: Readonly<Json>, depth: number, required: Set<unknown>): void {
  const child = (value: unknown): unknown => {
    if (typeof value === "boolean") return value;
    return isJsonObject(value) ? valid(value, root, depth + 1).schema : {};
  };
  for (const name of schemaKeywords) {
    const value = schema[name];
    if (value === undefined) delete schema[name];
    else if (isJsonObject(value) || typeof value === "boolean") schema[name] = child(value);
    else delete schema[name];
  }
  for (const name of listKeywords) {
    const value = schema[name];
    if (!(name in schema)) continue;
    if (Array.isArray(value) && value.length > 0) schema[name] = value.map(child);
    else delete schema[name];
  }
  for (const name of mapKeywords) {
    const value = schema[name];
    if (!(name in schema)) continue;
    if (!isJsonObject(value)) {
      delete schema[name];
      continue;
    }
    const entries = Object.entries(value).map(([key, inner]): [string, unknown] => {
      if (!isJsonObject(inner)) return [key, child(inner)];
      const made = valid(inner, root, depth + 1);
      if (name === "properties" && made.isRequired) required.add(key);
      return [key, made.schema];
    });
    schema[name] = Object.fromEntries(entries);
  }
}

/** A reference that leads nowhere makes the whole schema unusable; without it, any value is allowed there. */
function writeReference(schema: Json, root: Readonly<Json>): void {
  const reference = schema["$ref"];
  if (reference === undefined) return;
  if (!isText(reference) || resolveReference(reference, root) === undefined) delete schema["$ref"];
}

function writeType(schema: Json): void {
  if (!("type" in schema)) return;
  const given: readonly unknown[] = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  const names = new Set(given.map(typeName).filter((name) => name !== undefined));
  if (names.size === 0 || names.size < new Set(given).size) delete schema["type"];
  else schema["type"] = names.size === 1 && !Array.isArray(schema["type"]) ? [...names][0] : [...names];
}

function typeName(value: unknown): string | undefined {
  if (!isText(value)) return undefined;
  const name = value.toLowerCase();
  return types.has(name) ? name : typeNames[name];
}

/** Tuples of older drafts: a list of schemas under `items`. */
function writeTuple(schema: Json): void {
  if (!Array.isArray(schema["items"])) return;
  schema["prefixItems"] = schema["items"];
  delete schema["items"];
  if (schema["additionalItems"] !== undefined) schema["items"] = schema["additionalItems"];
  delete schema["additionalItems"];
}

/** Bounds of draft 4: `exclusiveMinimum: true` beside `minimum`. */
function writeBounds(schema: Json): void {
  for (const [exclusive, plain] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (schema[exclusive] !== true) continue;
    schema[exclusive] = schema[plain];
    delete schema[plain];
  }
  for (const name of numbers) {
    const value = schema[name];
    if (name in schema && (typeof value !== "number" || !Number.isFinite(value))) delete schema[name];
  }
}

function isPattern(value: unknown): boolean {
  if (!isText(value)) return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
