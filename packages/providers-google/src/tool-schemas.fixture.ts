import type { JsonSchema } from "@bailiwick/core";

/** Schemas of one argument, as tools in many languages and drafts have them. */
const argumentShapes: Readonly<Record<string, unknown>> = {
  string: { type: "string", minLength: 1, format: "uri", pattern: "^a" },
  "array without items": { type: "array" },
  "array of arrays without items": { type: "array", items: { type: "array" } },
  "text or array without items": { type: ["string", "array"] },
  "tuple of draft 7": { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false },
  "tuple of draft 2020-12": { type: "array", prefixItems: [{ type: "string" }], items: false },
  "object without properties": { type: "object" },
  "open object": { type: "object", additionalProperties: { type: "string" } },
  "object by pattern": { type: "object", patternProperties: { "^x-": { type: "string" } } },
  anything: {},
  "boolean schema": true,
  "nullable type list": { type: ["string", "null"] },
  "nullable of OpenAPI": { type: "string", nullable: true },
  "union with null": { anyOf: [{ type: "string" }, { type: "null" }] },
  "discriminated union": {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, a: { type: "string" } }, required: ["kind", "a"] },
      { type: "object", properties: { kind: { const: "b" }, b: { type: "array" } }, required: ["kind"] },
    ],
  },
  "all of two": { allOf: [{ type: "object", properties: { a: { type: "string" } } }, { required: ["a"] }] },
  not: { not: { type: "null" } },
  condition: { if: { type: "string" }, else: { type: "integer" }, ["then" as string]: { minLength: 1 } },
  constant: { const: 1 },
  "enum of several types": { enum: ["a", 1, null, true] },
  "enum with an empty text": { type: "string", enum: ["", "asc", "desc"] },
  "empty enum": { type: "string", enum: [] },
  reference: { $ref: "#/$defs/Address" },
  "reference of draft 7": { $ref: "#/definitions/Address" },
  "recursive reference": { $ref: "#/$defs/Tree" },
  "reference to nothing": { $ref: "#/$defs/Gone" },
  "reference to another document": { $ref: "https://example.com/schema.json" },
  "type of no draft": { type: "any" },
  "type of another language": { type: "STRING" },
  "type list of no draft": { type: ["string", "date"] },
  "bounds of draft 4": { type: "number", minimum: 0, exclusiveMinimum: true },
  "required of draft 3": { type: "string", required: true },
  "required that is a text": { type: "object", properties: { a: {} }, required: "a" },
  "pattern of another language": { type: "string", pattern: "(?P<year>[0-9]{4})" },
  "description that is a list": { type: "string", description: ["a"] },
  "properties that are null": { type: "object", properties: null },
  "a text in place of a schema": "string",
  // Reports: https://github.com/anomalyco/opencode/pull/43495, https://github.com/MoonshotAI/kimi-cli/issues/2061,
  // https://github.com/ggml-org/llama.cpp/issues/25895, https://github.com/usestrix/strix/issues/1088.
  "nullable object with required keys": {
    type: ["object", "null"],
    properties: { a: { type: "string" } },
    required: ["a"],
  },
  "object or text": { type: ["object", "string"], properties: { a: { type: "string" } }, required: ["a"] },
  "reference with neighbours": { $ref: "#/$defs/Address", description: "Where.", nullable: true },
  "reference to a property": { $ref: "#/properties/value" },
  "type beside a union": { type: "string", anyOf: [{ pattern: "a" }, { maxLength: 3 }] },
  "keys required by alternatives": {
    type: "object",
    properties: { p: { type: "string" }, q: { type: "string" } },
    anyOf: [{ required: ["p"] }, { required: ["q"] }],
  },
  "required keys without properties": { type: "object", required: ["x"] },
  "required keys alone": { required: ["x"] },
  "pattern in a list, long": {
    type: "array",
    items: { type: "string", pattern: "^(\\d+|x)$" },
    maxItems: 5000,
    uniqueItems: true,
  },
  "long text": { type: "string", pattern: "\\S", maxLength: 10_000 },
  "format of another language": { type: "integer", format: "uint32", exclusiveMinimum: 0 },
  "constants of a union": { anyOf: [{ const: "md" }, { const: "json" }, { not: {} }] },
  "all of one reference": { allOf: [{ $ref: "#/$defs/Address" }], description: "Where." },
  "enum beside a union": { enum: ["a", "b"], anyOf: [{ type: "string" }] },
  "nothing in place of a schema": null,
};

const shared = {
  Address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  Tree: { type: "object", properties: { children: { type: "array", items: { $ref: "#/$defs/Tree" } } } },
};
const defs = { $defs: shared, definitions: shared };
const one = { type: "object", properties: { url: { type: "string" } }, required: ["url"] };
const other = { type: "object", properties: { file: { type: "string" } }, required: ["file"] };

/** Roots that a schema of arguments may have. */
const rootShapes: Readonly<Record<string, (argument: unknown) => unknown>> = {
  object: (value) => ({ type: "object", properties: { value, id: { type: "string" } }, required: ["value"], ...defs }),
  "object of a dialect": (value) => ({
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "https://example.com/tool",
    type: "object",
    properties: { value },
    additionalProperties: false,
    ...defs,
  }),
  "any of with objects": (value) => ({ anyOf: [one, { ...other, properties: { value } }], ...defs }),
  "one of beside properties": (value) => ({
    type: "object",
    properties: { value, route: {}, file: {} },
    oneOf: [{ required: ["route"] }, { required: ["file"] }],
    ...defs,
  }),
  "all of": (value) => ({ allOf: [one, { properties: { value } }], ...defs }),
  reference: (value) => ({
    $ref: "#/$defs/Root",
    $defs: { ...shared, Root: { type: "object", properties: { value } } },
    definitions: shared,
  }),
  not: (value) => ({ type: "object", properties: { value }, not: { required: ["x"] }, ...defs }),
  "nullable object": (value) => ({ type: ["object", "null"], properties: { value }, ...defs }),
  "no type": (value) => ({ properties: { value }, ...defs }),
  "odd names": (value) => ({
    type: "object",
    properties: { "the value": value, $filter: {}, ["x".repeat(70)]: {} },
    ...defs,
  }),
};

/** Schemas without an argument to vary, among them the shapes of public reports. */
const bare: Readonly<Record<string, unknown>> = {
  "object alone": { type: "object" },
  "object with a title alone": {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "EmptyObject",
    type: "object",
  },
  nothing: {},
  "not a schema": null,
  "a text": { type: "string" },
  "required of missing properties": { type: "object", properties: {}, required: ["gone"] },
  "a root that refers to itself": { $ref: "#" },
  "a property named like a keyword": {
    type: "object",
    properties: {
      type: { type: "string" },
      properties: { type: "object" },
      items: { type: "array" },
      required: { type: "boolean" },
    },
    required: ["type"],
  },
};

/** Every schema of the matrix with its name. */
export const schemaMatrix: readonly (readonly [string, JsonSchema])[] = [
  ...Object.entries(bare),
  ...Object.entries(rootShapes).flatMap(([root, make]) =>
    Object.entries(argumentShapes).map(([argument, shape]) => [`${root}: ${argument}`, make(shape)] as const),
  ),
].map(([name, schema]) => [name, schema as JsonSchema] as const);
