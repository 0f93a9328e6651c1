import { isJsonObject, jsonText } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/**
 * Keywords of Google's OpenAPI subset that are copied unchanged; this module rewrites the others.
 */
const kept = new Set([
  "type",
  "format",
  "title",
  "description",
  "nullable",
  "enum",
  "maxItems",
  "minItems",
  "required",
  "minProperties",
  "maxProperties",
  "minLength",
  "maxLength",
  "pattern",
  "default",
  "minimum",
  "maximum",
]);
/** Keywords without meaning for a model. */
const silent = new Set(["$schema", "$id", "$comment", "$defs", "definitions", "$anchor", "readOnly", "writeOnly"]);
/** Number of times that a recursive schema is expanded into itself. */
const maxNested = 2;

/** A schema in Google's subset of OpenAPI. */
export interface OpenApiSchema {
  readonly schema: JsonSchema;
  /** Keywords that could not be expressed, each once. */
  readonly lost: readonly string[];
}

/**
 * Lowers a JSON Schema to Google's subset of OpenAPI, for backends without support for JSON Schema: references are
 * resolved, lists of types and unions with null become `nullable`, constants become enums of text.
 *
 * @param schema - The schema.
 */
export function openApiSchema(schema: JsonSchema): OpenApiSchema {
  const lost = new Set<string>();
  return { schema: lower(schema, schema, lost, []), lost: [...lost] };
}

function lower(given: JsonSchema, root: JsonSchema, lost: Set<string>, outer: readonly string[]): JsonSchema {
  const reference = jsonText(given["$ref"]);
  if (reference !== "" && outer.filter((name) => name === reference).length >= maxNested) {
    lost.add("$ref");
    return { type: "object" };
  }
  const source = resolve(given, root);
  const inside = reference === "" ? outer : [...outer, reference];
  const deeper = (value: unknown): JsonSchema =>
    isJsonObject(value) ? lower(value, root, lost, inside) : { type: "string" };
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(source)) {
    if (kept.has(key)) result[key] = value;
    else if (key === "const") result["enum"] = [value];
    else if (key === "items" && isJsonObject(value)) result["items"] = deeper(value);
    else if (key === "properties" && isJsonObject(value)) {
      result["properties"] = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, deeper(child)]));
    } else if ((key === "anyOf" || key === "oneOf") && Array.isArray(value) && value.every(saysType))
      result["anyOf"] = value.map(deeper);
    else if (key === "additionalProperties" && value === false) continue;
    else if (!silent.has(key)) lost.add(key);
  }
  takeNulls(result);
  writeEnums(result);
  writeTypes(result);
  return result;
}

/** True if a branch of a union can be expressed: one that only requires keys would become a text. */
function saysType(branch: unknown): boolean {
  return isJsonObject(branch) && typeWords.some((word) => Object.hasOwn(branch, word));
}

const typeWords = ["type", "properties", "items", "enum", "const", "anyOf", "oneOf", "$ref"];

/** `nullable` in place of the type null, in a list of types or a union. */
function takeNulls(result: Record<string, unknown>): void {
  const { type } = result;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== "null");
    if (types.length < type.length) result["nullable"] = true;
    if (types.length === 1) [result["type"]] = types;
    else {
      delete result["type"];
      result["anyOf"] = types.map((name) => ofType(String(name), result));
      for (const keyword of [...objectKeywords, "items"]) delete result[keyword];
    }
  }
  const union = result["anyOf"];
  if (!Array.isArray(union)) return;
  const others = union.filter((branch) => !(isJsonObject(branch) && branch["type"] === "null"));
  if (others.length === union.length) return;
  result["nullable"] = true;
  const [only] = others;
  if (others.length === 1 && isJsonObject(only)) {
    delete result["anyOf"];
    Object.assign(result, { ...only, ...result });
  } else result["anyOf"] = others;
}

/** Keywords that the backend only accepts for an object. */
const objectKeywords = ["properties", "required", "minProperties", "maxProperties"];

/** One of the types of a schema, with the keywords that belong to it. */
function ofType(type: string, schema: Readonly<Record<string, unknown>>): JsonSchema {
  if (type === "array") return arrayOf(schema["items"]);
  const own = Object.entries(schema).filter(([keyword]) => type === "object" && objectKeywords.includes(keyword));
  return { type, ...Object.fromEntries(own) };
}

/** Formats that the backend accepts; others are refused (https://ai.google.dev/api/caching#Schema). */
const formats: Readonly<Record<string, readonly string[]>> = {
  string: ["enum", "date-time"],
  integer: ["int32", "int64"],
  number: ["float", "double"],
};

/** Rules of the backend for each type: `items`, properties for required names, and a type. */
function writeTypes(result: Record<string, unknown>): void {
  if (result["type"] === undefined && (result["anyOf"] === undefined || isJsonObject(result["properties"]))) {
    // A text is valid where any value is.
    result["type"] = isJsonObject(result["properties"]) ? "object" : isJsonObject(result["items"]) ? "array" : "string";
  }
  if (result["type"] === "array" && !isJsonObject(result["items"])) result["items"] = { type: "string" };
  if (formats[jsonText(result["type"])]?.includes(jsonText(result["format"])) !== true) delete result["format"];
  const { type } = result;
  if (type !== "array") delete result["items"];
  if (type !== "object") for (const keyword of objectKeywords) delete result[keyword];
  const properties = isJsonObject(result["properties"]) ? result["properties"] : {};
  // The vendor refuses an object with an empty list of properties.
  if (Object.keys(properties).length === 0) delete result["properties"];
  if (!Array.isArray(result["required"])) return;
  const required = result["required"].filter((name) => Object.hasOwn(properties, String(name)));
  if (required.length > 0) result["required"] = required;
  else delete result["required"];
}

function arrayOf(items: unknown): JsonSchema {
  return { type: "array", items: isJsonObject(items) ? items : { type: "string" } };
}

/** Enums contain texts; enums of other types are described in words. */
function writeEnums(result: Record<string, unknown>): void {
  const values = result["enum"];
  if (!Array.isArray(values)) return;
  const texts = values.filter((value) => typeof value === "string");
  if (values.includes(null)) result["nullable"] = true;
  // The vendor refuses an empty text in an enum.
  const others = values.filter((value) => value === "" || (typeof value !== "string" && value !== null));
  const ofTexts = result["anyOf"] === undefined && (result["type"] ?? "string") === "string";
  if (others.length === 0 && ofTexts) {
    result["enum"] = texts;
    result["type"] = "string";
    return;
  }
  delete result["enum"];
  if (result["anyOf"] === undefined && others.length > 0)
    result["type"] ??= typeof others[0] === "number" ? "number" : typeof others[0];
  const one = `One of: ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
  result["description"] = [jsonText(result["description"]), one].filter((text) => text !== "").join(" ");
}

function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref: reference, ...rest } = schema;
  if (typeof reference !== "string" || !reference.startsWith("#")) return schema;
  let found: unknown = root;
  for (const step of reference.slice(1).split("/")) {
    if (step === "") continue;
    found = isJsonObject(found) ? found[step.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  return isJsonObject(found) ? { ...found, ...rest } : rest;
}
