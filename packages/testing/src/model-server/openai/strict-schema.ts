import { jsonSchemaProblem, schemasIn } from "../json-schema-problem.ts";
import { isObject, objectOf, textOf, type JsonObject } from "../json.ts";

const notPermitted = [
  "allOf",
  "oneOf",
  "not",
  "dependentRequired",
  "dependentSchemas",
  "if",
  "then",
  "else",
  "patternProperties",
  "propertyNames",
  "uniqueItems",
  "contains",
  "unevaluatedProperties",
  "unevaluatedItems",
];

/**
 * OpenAI's error for a schema that is invalid in structured outputs, or `undefined`.
 *
 * @param schema - The schema of a tool or of the answer.
 * @param strict - True if strict mode is requested.
 */
export function schemaProblem(schema: unknown, strict: boolean): string | undefined {
  const root = objectOf(schema);
  if (root["type"] !== "object") {
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${root["type"] === undefined ? "None" : textOf(root["type"]) || JSON.stringify(root["type"])}"'.`;
  }
  if (["oneOf", "anyOf", "allOf", "enum", "const", "not"].some((name) => name in root))
    return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level.";
  if (!isObject(root["properties"])) return inContext([], "object schema missing properties.");
  return (strict ? strictProblem(root, [], 0) : undefined) ?? jsonSchemaProblem(root) ?? missingItems(root, []);
}

/** Each schema that may be an array needs `items`, strict mode or not. */
function missingItems(schema: JsonObject, path: readonly string[]): string | undefined {
  const { type } = schema;
  if ((type === "array" || (Array.isArray(type) && type.includes("array"))) && !isObject(schema["items"]))
    return inContext(path, "array schema missing items.");
  for (const [step, child] of schemasIn(schema)) {
    const problem = isObject(child) ? missingItems(child, [...path, ...step.split("/")]) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function strictProblem(schema: JsonObject, path: readonly string[], depth: number): string | undefined {
  const keyword = notPermitted.find((name) => name in schema);
  if (keyword !== undefined) return inContext(path, `'${keyword}' is not permitted.`);
  if ("$ref" in schema) return undefined;
  if (!("type" in schema) && !("anyOf" in schema) && !("enum" in schema) && !("const" in schema)) {
    return inContext(path, "schema must have a 'type' key.");
  }
  const isObjectSchema =
    schema["type"] === "object" || (Array.isArray(schema["type"]) && schema["type"].includes("object"));
  if (isObjectSchema) {
    const problem = objectProblem(schema, path, depth);
    if (problem !== undefined) return problem;
  }
  if (schema["type"] === "array" && !isObject(schema["items"])) return inContext(path, "array schema missing items.");
  for (const [step, child] of children(schema)) {
    const problem = strictProblem(child, [...path, ...step], isObjectSchema ? depth + 1 : depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function objectProblem(schema: JsonObject, path: readonly string[], depth: number): string | undefined {
  if (depth >= 10) return `Expected at most 10 levels of nesting. Got ${depth + 1} levels of nesting.`;
  if (schema["additionalProperties"] !== false) {
    return inContext(path, "'additionalProperties' is required to be supplied and to be false.");
  }
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const keys = Object.keys(objectOf(schema["properties"]));
  const missing = keys.find((key) => !required.includes(key));
  if (missing !== undefined) {
    return inContext(
      path,
      `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
    );
  }
  const extra = required.find((key) => !keys.includes(String(key)));
  return extra === undefined
    ? undefined
    : inContext(
        path,
        `'required' is required to be supplied and to be an array including every key in properties. Extra required key '${String(extra)}' supplied.`,
      );
}

function children(schema: JsonObject): readonly (readonly [readonly string[], JsonObject])[] {
  const found: [readonly string[], JsonObject][] = [];
  for (const group of ["properties", "$defs", "definitions"]) {
    for (const [key, child] of Object.entries(objectOf(schema[group]))) found.push([[group, key], objectOf(child)]);
  }
  if (isObject(schema["items"])) found.push([["items"], schema["items"]]);
  const anyOf = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  anyOf.forEach((child, index) => found.push([["anyOf", String(index)], objectOf(child)]));
  return found;
}

function inContext(path: readonly string[], text: string): string {
  return `In context=(${path.map((step) => `'${step}'`).join(", ")}${path.length === 1 ? "," : ""}), ${text}`;
}
