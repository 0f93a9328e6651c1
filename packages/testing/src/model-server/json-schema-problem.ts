import { isObject, type JsonObject } from "./json.ts";

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];
const isNumber = (value: unknown): boolean => typeof value === "number";
const isText = (value: unknown): boolean => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;
const isSchema = (value: unknown): boolean => isObject(value) || typeof value === "boolean";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
const isTexts = (value: unknown): boolean =>
  isList(value) && value.every(isText) && new Set(value).size === value.length;

/** The value that each keyword must have, according to the meta-schema of draft 2020-12. */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...Object.fromEntries(["if", "then", "else"].map((name) => [name, isSchema])),
  type: (value) =>
    isList(value)
      ? value.length > 0 && value.every((name) => types.includes(String(name)))
      : types.includes(String(value)),
  enum: (value) => isList(value) && value.length > 0,
  required: isTexts,
  properties: isObject,
  patternProperties: isObject,
  $defs: isObject,
  definitions: isObject,
  dependentSchemas: isObject,
  items: isSchema,
  additionalProperties: isSchema,
  contains: isSchema,
  propertyNames: isSchema,
  not: isSchema,
  anyOf: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  oneOf: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  allOf: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  prefixItems: (value) => isList(value) && value.length > 0 && value.every(isSchema),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  title: isText,
  description: isText,
  format: isText,
  pattern: (value) => isText(value) && compiles(value as string),
  $ref: isText,
};

/**
 * The reason why a schema is invalid JSON Schema (https://json-schema.org/draft/2020-12/schema); `undefined` if it is
 * valid.
 *
 * @param schema - The schema.
 */
export function jsonSchemaProblem(schema: JsonObject): string | undefined {
  return problemIn(schema, [], schema);
}

function problemIn(schema: unknown, path: readonly string[], root: JsonObject): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${JSON.stringify(schema)} is not of type 'object', 'boolean' at ${path.join("/")}`;
  for (const [keyword, isRight] of Object.entries(keywords)) {
    if (Object.hasOwn(schema, keyword) && !isRight(schema[keyword]))
      return `${JSON.stringify(schema[keyword])} is not a value of '${keyword}' at ${path.join("/")}`;
  }
  const reference = schema["$ref"];
  if (typeof reference === "string" && !leads(reference, root)) return `reference '${reference}' can't be resolved`;
  for (const [step, child] of schemasIn(schema)) {
    const problem = problemIn(child, [...path, step], root);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/**
 * Lists the schemas directly inside a schema, each with its place.
 *
 * @param schema - A schema.
 */
export function schemasIn(schema: JsonObject): readonly (readonly [string, unknown])[] {
  return Object.entries(schema).flatMap(([keyword, value]): (readonly [string, unknown])[] => {
    if (
      ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"].includes(keyword) &&
      isObject(value)
    )
      return Object.entries(value).map(([name, child]) => [`${keyword}/${name}`, child] as const);
    if (["anyOf", "oneOf", "allOf", "prefixItems"].includes(keyword) && isList(value))
      return value.map((child, index) => [`${keyword}/${index}`, child] as const);
    return ["items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else"].includes(keyword)
      ? [[keyword, value] as const]
      : [];
  });
}

function leads(reference: string, root: JsonObject): boolean {
  if (!reference.startsWith("#")) return false;
  const steps = reference
    .slice(1)
    .split("/")
    .filter((step) => step !== "");
  const found = steps.reduce<unknown>(
    (value, step) =>
      isObject(value) || isList(value)
        ? (value as JsonObject)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")]
        : undefined,
    root,
  );
  return found !== undefined;
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
