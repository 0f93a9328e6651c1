import type { JsonSchema } from "../contracts/json.ts";
import { isJsonObject } from "./json-shapes.ts";
import { resolveReference } from "./tool-schema/resolve-ref.ts";
import { tellKeywords } from "./tool-schema/tell-keywords.ts";

/** A schema for a vendor's strict mode, or the reason why it is impossible. */
export type StrictSchema =
  | { readonly ok: true; readonly schema: JsonSchema; readonly changed: boolean }
  | { readonly ok: false; readonly reason: string };

/** Keywords that strict mode cannot express. */
const unsupported = [
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "prefixItems",
] as const;

/** Keywords that vendors refuse at the root, which must be an object with `properties`. */
const notAtRoot = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"] as const;

const supportedFormats = new Set([
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
]);
/** Moved into the description instead, because the answer is checked with the original schema anyway. */
const told = ["uniqueItems", "minProperties", "maxProperties", "minContains", "maxContains"] as const;
const dropped = new Set(["$schema", "$id", "$comment", "examples", "readOnly", "writeOnly", "deprecated"]);
const maxDepth = 10;

class NotExpressible extends Error {}

/**
 * Lowers a JSON Schema for strict mode: every key required (optional ones become nullable), no additional properties,
 * no keyword that strict mode refuses.
 *
 * @param schema - The schema of the tool or the answer.
 */
export function strictSchema(schema: JsonSchema): StrictSchema {
  try {
    if (schema["type"] !== "object") throw new NotExpressible("the root is not an object");
    const union = notAtRoot.find((name) => name in schema);
    if (union !== undefined) throw new NotExpressible(`"${union}" at "(root)" cannot be expressed`);
    const lowered = lower(schema, 0, "");
    return { ok: true, schema: lowered, changed: JSON.stringify(lowered) !== JSON.stringify(schema) };
  } catch (error) {
    if (error instanceof NotExpressible) return { ok: false, reason: error.message };
    throw error;
  }
}

type Mutable = Record<string, unknown>;

function lower(schema: JsonSchema, depth: number, path: string): JsonSchema {
  if (depth >= maxDepth) throw new NotExpressible(`it nests deeper than ${maxDepth} levels`);
  const keyword = unsupported.find((name) => name in schema);
  if (keyword !== undefined) throw new NotExpressible(`"${keyword}" at "${path || "(root)"}" cannot be expressed`);
  // A reference must be the only keyword.
  if (typeof schema["$ref"] === "string") return { $ref: schema["$ref"] };
  const kept: Mutable = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!dropped.has(key)) kept[key] = value;
  }
  flattenUnions(kept, path);
  const result = tellUnsupported(kept);
  for (const group of ["$defs", "definitions"]) {
    if (isJsonObject(result[group]))
      result[group] = mapValues(result[group], (child, key) => lower(child, 0, `${group}.${key}`));
  }
  if (Array.isArray(result["anyOf"])) {
    result["anyOf"] = result["anyOf"].map((child, index) => lower(asSchema(child, path), depth, `${path}/${index}`));
  } else if (!("type" in result) && !("enum" in result) && !("const" in result)) {
    throw new NotExpressible(`"${path || "(root)"}" has no type`);
  }
  if (hasType(result, "array")) {
    if (!isJsonObject(result["items"])) throw new NotExpressible(`the array "${path}" has no items`);
    result["items"] = lower(result["items"], depth, `${path}[]`);
  }
  if (hasType(result, "object")) lowerObject(result, depth, path);
  return result;
}

function lowerObject(result: Mutable, depth: number, path: string): void {
  const additional = result["additionalProperties"];
  const properties = isJsonObject(result["properties"]) ? result["properties"] : {};
  // Closing an open object changes its meaning; an object without keys is only open by default.
  if (
    isJsonObject(additional) ||
    additional === true ||
    (additional === undefined && Object.keys(properties).length === 0 && path !== "")
  ) {
    throw new NotExpressible(`"${path || "(root)"}" takes keys that are not named`);
  }
  const required = new Set(Array.isArray(result["required"]) ? result["required"] : []);
  result["properties"] = mapValues(properties, (child, key) => {
    const lowered = lower(child, depth + 1, path === "" ? key : `${path}.${key}`);
    return required.has(key) ? lowered : nullable(lowered);
  });
  result["required"] = Object.keys(properties);
  result["additionalProperties"] = false;
}

/** `oneOf` means the same as `anyOf` to a model; an `allOf` with one member is that member. */
function flattenUnions(result: Mutable, path: string): void {
  if (Array.isArray(result["oneOf"])) {
    if ("anyOf" in result) throw new NotExpressible(`"${path || "(root)"}" has both "oneOf" and "anyOf"`);
    result["anyOf"] = result["oneOf"];
    delete result["oneOf"];
  }
  if (Array.isArray(result["allOf"])) {
    const [only, ...more] = result["allOf"];
    if (more.length > 0 || !isJsonObject(only) || "$ref" in only) {
      throw new NotExpressible(`"allOf" at "${path || "(root)"}" cannot be expressed`);
    }
    delete result["allOf"];
    for (const [key, value] of Object.entries(only)) if (!(key in result)) result[key] = value;
  }
  if (path === "" && "anyOf" in result) throw new NotExpressible("the root is a union");
}

function tellUnsupported(schema: Mutable): Mutable {
  const { format } = schema;
  const isKnown = typeof format !== "string" || supportedFormats.has(format);
  return tellKeywords(schema, [...told, ...(isKnown ? [] : ["format"])]);
}

function nullable(schema: JsonSchema): JsonSchema {
  if (allowsNull(schema)) return schema;
  const { type } = schema;
  if (typeof type === "string" && !("const" in schema)) {
    const withNull: Mutable = { ...schema, type: [type, "null"] };
    if (Array.isArray(schema["enum"])) withNull["enum"] = [...schema["enum"], null];
    return withNull;
  }
  if (Array.isArray(schema["anyOf"])) return { ...schema, anyOf: [...schema["anyOf"], { type: "null" }] };
  return { anyOf: [schema, { type: "null" }] };
}

/** Keywords that limit a value's type: without any of them everything is allowed, null included. */
const typeWords = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "properties", "items"];

function allowsNull(schema: JsonSchema): boolean {
  if (!typeWords.some((word) => word in schema)) return true;
  if (hasType(schema, "null") || schema["const"] === null) return true;
  if (Array.isArray(schema["enum"]) && schema["enum"].includes(null)) return true;
  return ["anyOf", "oneOf"].some((union) => {
    const branches = schema[union];
    return Array.isArray(branches) && branches.some((branch) => isJsonObject(branch) && allowsNull(branch));
  });
}

/**
 * Removes the nulls that a model wrote for keys that are optional and not nullable in the original schema.
 *
 * @param value - The model's arguments, parsed.
 * @param schema - The original schema.
 */
export function removeAddedNulls(value: unknown, schema: JsonSchema): unknown {
  return strip(value, schema, schema);
}

function strip(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  const target = resolve(schema, root);
  const unions = [target["anyOf"], target["oneOf"], target["allOf"]].flatMap((union) =>
    Array.isArray(union) ? union : [],
  );
  const branches = unions.filter(isJsonObject);
  if (Array.isArray(value)) {
    const items = [target, ...branches].map((branch) => resolve(branch, root)["items"]).find(isJsonObject);
    if (items === undefined) return value;
    return value.map((item) => strip(item, items, root));
  }
  if (!isJsonObject(value)) return value;
  const shape = shapeFor(
    value,
    [target, ...branches].map((branch) => resolve(branch, root)),
  );
  if (shape === undefined) return value;
  const properties = isJsonObject(shape["properties"]) ? shape["properties"] : {};
  const required = new Set(Array.isArray(shape["required"]) ? shape["required"] : []);
  const result: Mutable = {};
  for (const [key, item] of Object.entries(value)) {
    const property = properties[key];
    if (!isJsonObject(property)) {
      result[key] = item;
      continue;
    }
    if (item === null && !required.has(key) && !allowsNull(resolve(property, root))) continue;
    result[key] = strip(item, property, root);
  }
  return result;
}

/** Chooses the object schema that the value was written for: its constants agree, and if possible it has every key. */
function shapeFor(value: JsonSchema, candidates: readonly JsonSchema[]): JsonSchema | undefined {
  const agreeing = candidates.filter((candidate) => {
    const properties = propertiesOf(candidate);
    return (
      properties !== undefined &&
      Object.entries(properties).every(
        ([key, property]) => !isJsonObject(property) || !("const" in property) || property["const"] === value[key],
      )
    );
  });
  return (
    agreeing.find((candidate) => Object.keys(value).every((key) => key in (propertiesOf(candidate) ?? {}))) ??
    agreeing[0]
  );
}

function propertiesOf(schema: JsonSchema): JsonSchema | undefined {
  return isJsonObject(schema["properties"]) ? schema["properties"] : undefined;
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref: reference } = schema;
  return (typeof reference === "string" ? resolveReference(reference, root) : undefined) ?? schema;
}

function hasType(schema: JsonSchema, name: string): boolean {
  const { type } = schema;
  return type === name || (Array.isArray(type) && type.includes(name));
}

function asSchema(value: unknown, path: string): JsonSchema {
  if (!isJsonObject(value)) throw new NotExpressible(`"${path || "(root)"}" has a schema that is not an object`);
  return value;
}

function mapValues(record: JsonSchema, map: (value: JsonSchema, key: string) => unknown): Mutable {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(asSchema(value, key), key)]));
}
