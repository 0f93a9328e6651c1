import { firstFound } from "../first-found.ts";
import { isObject, objectOf, textOf, type JsonObject } from "../json.ts";
import { schemasIn } from "../json-schema-problem.ts";
import type { WireError } from "../wire-error.ts";
import { invalidArgument, unknownField } from "./google-error.ts";

const keywords = new Set(
  "type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum".split(
    " ",
  ),
);

/**
 * Google's error for its own schema kind (`parameters`, `responseSchema`), which is a subset of OpenAPI's.
 *
 * @param schema - The schema.
 * @param field - Place of the schema, as Google's errors name it.
 */
export function schemaProblem(schema: JsonObject, field: string): WireError | undefined {
  const unknown = Object.keys(schema).find((name) => !keywords.has(name));
  if (unknown !== undefined) return unknownField(unknown, field);
  if (Array.isArray(schema["type"]))
    return invalidArgument(
      `Invalid JSON payload received. Unknown name "type" at '${field}': Proto field is not repeating, cannot start list.`,
    );
  const values = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const wrong = values.findIndex((value) => typeof value !== "string");
  if (wrong !== -1)
    return invalidArgument(
      `Invalid value at '${field}.enum[${wrong}]' (TYPE_STRING), ${JSON.stringify(values[wrong])}`,
    );
  const empty = values.indexOf("");
  if (empty !== -1) return invalidArgument(`* GenerateContentRequest.${field}.enum[${empty}]: cannot be empty\n`);
  const properties = Object.entries(objectOf(schema["properties"]));
  if (isObject(schema["properties"]) && properties.length === 0)
    return invalidArgument(`* GenerateContentRequest.${field}.properties: should be non-empty for OBJECT type\n`);
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const undefinedAt = required.findIndex((name) => !properties.some(([known]) => known === name));
  if (undefinedAt !== -1)
    return invalidArgument(`* GenerateContentRequest.${field}.required[${undefinedAt}]: property is not defined\n`);
  const misplaced = misplacedKeyword(schema);
  if (misplaced !== undefined)
    return invalidArgument(
      `* GenerateContentRequest.${field}.${misplaced.keyword}: only allowed for ${misplaced.type} type\n`,
    );
  if (schema["type"] === undefined && schema["anyOf"] === undefined)
    return invalidArgument(`* GenerateContentRequest.${field}.type: must be specified\n`);
  return (
    missingItems(schema, field) ??
    firstFound(
      properties,
      ([name, child], index) =>
        missingItems(objectOf(child), `${field}.properties[${name}]`) ??
        schemaProblem(objectOf(child), `${field}.properties[${index}].value`),
    ) ??
    (isObject(schema["items"]) ? schemaProblem(schema["items"], `${field}.items`) : undefined) ??
    firstFound(Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [], (child, index) =>
      schemaProblem(objectOf(child), `${field}.any_of[${index}]`),
    )
  );
}

/** Keywords that the vendor only accepts for one type (https://github.com/anomalyco/opencode/pull/43495). */
const ofOneType: Readonly<Record<string, string>> = {
  properties: "OBJECT",
  required: "OBJECT",
  items: "ARRAY",
  enum: "STRING",
};

function misplacedKeyword(schema: JsonObject): { readonly keyword: string; readonly type: string } | undefined {
  const found = Object.entries(ofOneType).find(
    ([keyword, type]) => schema[keyword] !== undefined && textOf(schema["type"]).toUpperCase() !== type,
  );
  return found === undefined ? undefined : { keyword: found[0], type: found[1] };
}

/**
 * Google's error for a schema of `parametersJsonSchema`: a reference with other neighbours than a description and a
 * default.
 *
 * @param schema - The schema.
 */
export function referenceProblem(schema: JsonObject): WireError | undefined {
  const reference = schema["$ref"];
  const alone = Object.keys(schema).every((name) => ["$ref", "description", "default"].includes(name));
  if (typeof reference === "string" && !alone)
    return invalidArgument(
      `$ref '${reference}' was set alongside unsupported fields. If a schema node has $ref set, then only description and default can be set alongside it`,
    );
  return firstFound(schemasIn(schema), ([, child]) => (isObject(child) ? referenceProblem(child) : undefined));
}

function missingItems(schema: JsonObject, field: string): WireError | undefined {
  return textOf(schema["type"]).toUpperCase() === "ARRAY" && !isObject(schema["items"])
    ? invalidArgument(`* GenerateContentRequest.${field}.items: missing field.\n`)
    : undefined;
}
