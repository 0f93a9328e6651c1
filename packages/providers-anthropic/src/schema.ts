import { resolveReference, strictSchema, tellKeywords, validSchema } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/** A schema in the form that the vendor enforces, or the reason why it cannot be enforced. */
export type EnforcedSchema =
  | { readonly ok: true; readonly schema: JsonSchema; readonly optional: number; readonly unions: number }
  | { readonly ok: false; readonly reason: string };

const formats = new Set(["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"]);
/** Keywords that are described in the schema's text instead; the original schema checks the result. */
const told = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
] as const;
const dropped = new Set(["$schema", "$id", "$comment", "examples", "readOnly", "writeOnly", "deprecated"]);

type Mutable = Record<string, unknown>;

/**
 * Lowers a JSON Schema for enforcement: no additional properties, no keyword that the vendor refuses. Keys may stay
 * optional here; their number, and that of unions, is limited for a whole request.
 *
 * @param schema - The schema of the tool or the answer.
 */
export function enforcedSchema(schema: JsonSchema): EnforcedSchema {
  const valid = validSchema(schema);
  // A schema without a strict form stays without one.
  const expressible = strictSchema(valid);
  if (!expressible.ok) return expressible;
  if (isRecursive(valid)) return { ok: false, reason: "it refers to itself" };
  const counts = { optional: 0, unions: 0 };
  return { ok: true, schema: lower(valid, counts), ...counts };
}

function lower(schema: JsonSchema, counts: { optional: number; unions: number }): JsonSchema {
  if (typeof schema["$ref"] === "string") return { $ref: schema["$ref"] };
  const kept: Mutable = {};
  for (const [key, value] of Object.entries(schema)) if (!dropped.has(key)) kept[key] = value;
  flatten(kept);
  const result = tell(kept);
  for (const group of ["$defs", "definitions"]) {
    if (isRecord(result[group])) result[group] = mapValues(result[group], (child) => lower(child, counts));
  }
  if (Array.isArray(result["anyOf"])) {
    counts.unions += 1;
    result["anyOf"] = result["anyOf"].filter(isRecord).map((child) => lower(child, counts));
  } else if (Array.isArray(result["type"])) {
    counts.unions += 1;
  }
  if (isRecord(result["items"])) result["items"] = lower(result["items"], counts);
  if (result["type"] === "object" || isRecord(result["properties"])) {
    const properties = isRecord(result["properties"]) ? result["properties"] : {};
    const required = new Set(Array.isArray(result["required"]) ? result["required"] : []);
    counts.optional += Object.keys(properties).filter((key) => !required.has(key)).length;
    result["properties"] = mapValues(properties, (child) => lower(child, counts));
    result["additionalProperties"] = false;
  }
  return result;
}

/** `oneOf` means the same as `anyOf` to a model; an `allOf` with one member is that member. */
function flatten(result: Mutable): void {
  if (Array.isArray(result["oneOf"])) {
    result["anyOf"] = result["oneOf"];
    delete result["oneOf"];
  }
  if (Array.isArray(result["allOf"]) && isRecord(result["allOf"][0])) {
    for (const [key, value] of Object.entries(result["allOf"][0])) if (!(key in result)) result[key] = value;
    delete result["allOf"];
  }
}

function tell(schema: Mutable): Mutable {
  const { minItems, format } = schema;
  return tellKeywords(schema, [
    ...told,
    ...(Number(minItems) > 1 ? ["minItems"] : []),
    ...(typeof format === "string" && !formats.has(format) ? ["format"] : []),
  ]);
}

/** True if following references leads to a cycle. */
function isRecursive(root: JsonSchema): boolean {
  const visit = (value: unknown, path: readonly string[]): boolean => {
    if (Array.isArray(value)) return value.some((item) => visit(item, path));
    if (!isRecord(value)) return false;
    const ref = value["$ref"];
    if (typeof ref === "string") return path.includes(ref) || visit(resolveReference(ref, root), [...path, ref]);
    // Definitions count where they are used.
    return Object.entries(value).some(([key, child]) => key !== "$defs" && key !== "definitions" && visit(child, path));
  };
  return visit(root, []);
}

function isRecord(value: unknown): value is Mutable {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function mapValues(record: Mutable, map: (value: JsonSchema) => unknown): Mutable {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, isRecord(value) ? map(value) : value]));
}
