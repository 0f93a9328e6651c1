import { isJsonObject, mapSchemas, resolveReference } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

type Json = Record<string, unknown>;

/**
 * A schema in the subset that Moonshot accepts ("not a valid moonshot flavored json schema"): each schema has a type or
 * alternatives with one, `anyOf` has no type next to it (https://github.com/abhigyanpatwari/GitNexus/issues/2703), and
 * a reference has no neighbours (https://github.com/MoonshotAI/kimi-cli/issues/2061) and begins with `#/$defs/`
 * (https://github.com/CommandCodeAI/command-code/issues/594).
 *
 * @param schema - The schema of a tool, an object.
 */
export function kimiSchema(schema: JsonSchema): JsonSchema {
  const definitions: Json = {};
  const names = new Map<string, string>();
  /** The definition that a reference points to; it is copied where it is first used. */
  const defined = (reference: string): string => {
    const known = names.get(reference);
    if (known !== undefined) return known;
    const name = `ref_${names.size}`;
    names.set(reference, name);
    definitions[name] = {};
    definitions[name] = written(resolveReference(reference, schema) ?? {});
    return name;
  };
  const written = (value: unknown): unknown =>
    mapSchemas(value, (inner) => {
      const { $ref: reference } = inner;
      if (typeof reference === "string") return { $ref: `#/$defs/${defined(reference)}` };
      return typed(merged(inner));
    });
  const { $defs: _defs, definitions: _definitions, ...rest } = schema;
  const root = written(rest) as Json;
  return { ...root, ...(names.size === 0 ? {} : { $defs: definitions }) };
}

/** `allOf` as one schema, and `oneOf` as `anyOf`, whose branches have all keywords of the schema. */
function merged(schema: Json): Json {
  const { allOf, oneOf, anyOf, ...rest } = schema;
  const parts = Array.isArray(allOf) ? allOf.filter(isJsonObject) : [];
  const [only] = parts;
  // A reference has no other keywords: it represents the whole schema.
  if (parts.length === 1 && only?.["$ref"] !== undefined) return only;
  const own = parts.filter(({ $ref }) => $ref === undefined).reduce<Json>(both, rest);
  const branches = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  if (branches.length === 0) return own;
  const { description, title, default: preset, ...shared } = own;
  // A branch without a type has the type of the schema.
  const limits = (branch: Json): Json => {
    const { anyOf: types, ...limit } = branch;
    return types === anything ? limit : branch;
  };
  const said = Object.entries({ description, title, default: preset }).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(said),
    anyOf: branches.map((branch) => (branch["$ref"] === undefined ? typed(both(shared, limits(branch))) : branch)),
  };
}

/** Both schemas as one: the keys of both, and for other keywords those of the second. */
function both(one: Json, other: Json): Json {
  const properties = { ...objectOf(one["properties"]), ...objectOf(other["properties"]) };
  const required = [...new Set([...listOf(one["required"]), ...listOf(other["required"])])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The schema with a type. */
function typed(schema: Json): Json {
  if (schema["type"] !== undefined || schema["anyOf"] !== undefined || schema["$ref"] !== undefined) return schema;
  const { const: constant, enum: values, ...rest } = schema;
  const all = Array.isArray(values) ? values : constant === undefined ? undefined : [constant];
  if (all !== undefined) {
    const types = [...new Set(all.map(typeOf))];
    if (types.length === 1) return { ...rest, type: types[0], enum: all };
    const branches = types.map((type) => ({ type, enum: all.filter((value) => typeOf(value) === type) }));
    return { ...rest, anyOf: branches };
  }
  if (isJsonObject(schema["properties"])) return { ...schema, type: "object" };
  if (isJsonObject(schema["items"])) return { ...schema, type: "array" };
  return { ...rest, anyOf: anything };
}

/** The alternatives of a schema that allows anything. */
const anything = [
  { type: "string" },
  { type: "number" },
  { type: "boolean" },
  { type: "object", properties: {} },
  { type: "array", items: { type: "string" } },
];

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function objectOf(value: unknown): Json {
  return isJsonObject(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
