/**
 * Schemas of zod 3, which cannot convert themselves to JSON Schema.
 *
 * @module zod3
 */
import { checkArgument } from "./errors/value-checks.ts";
import type { JsonSchema } from "./contracts/json.ts";
import type { ConvertibleSchema, Schema } from "./contracts/schema.ts";
import type { SchemaSide } from "./tools/standard-schema.ts";

/** The part of a zod 3 schema that is read here. */
interface Zod3Schema {
  readonly _def: { readonly typeName?: string; readonly description?: string } & Readonly<Record<string, unknown>>;
  readonly isOptional: () => boolean;
}

interface Check {
  readonly kind: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly regex?: RegExp;
}

/**
 * Wraps a schema of zod 3, so that it can be a tool's `inputSchema` or `outputSchema`, or the `output` of an agent. Zod
 * checks the values; the model reads the JSON Schema made from it.
 *
 * @param schema - A schema of zod 3.25. Later versions of zod need no wrapper.
 * @throws SchemaNotConvertibleError on use of the wrapped schema, for a type that JSON does not have, such as a date.
 * @example
 * ```ts
 * import { tool } from "@bailiwick/core";
 * import { zod3 } from "@bailiwick/core/zod3";
 * import { z } from "zod/v3";
 *
 * export const weather = tool({
 *   name: "weather",
 *   description: "Says how the weather is.",
 *   inputSchema: zod3(z.object({ city: z.string(), days: z.number().int().default(1) })),
 *   sideEffectClass: "read-only",
 *   execute: ({ city, days }) => `Rain in ${city} for ${days} days.`,
 * });
 * ```
 */
export function zod3<Output, Input>(schema: Schema<Output, Input>): ConvertibleSchema<Output, Input> {
  checkArgument(schema, "object", "zod3(schema)");
  const of = (side: SchemaSide) => (): JsonSchema => convert(schema as unknown as Zod3Schema, side);
  return { "~standard": { ...schema["~standard"], jsonSchema: { input: of("input"), output: of("output") } } };
}

/** Names of the schemas that refer to themselves, and their JSON Schemas. */
interface Conversion {
  readonly side: SchemaSide;
  readonly open: Set<Zod3Schema>;
  readonly names: Map<Zod3Schema, string>;
  readonly definitions: Record<string, JsonSchema>;
}

function convert(schema: Zod3Schema, side: SchemaSide): JsonSchema {
  const conversion: Conversion = { side, open: new Set(), names: new Map(), definitions: {} };
  const root = jsonSchemaOf(schema, conversion);
  const { definitions } = conversion;
  if (Object.keys(definitions).length === 0) return root;
  // The root of a tool's arguments is an object, not a reference to one.
  const name = conversion.names.get(schema);
  return { ...(name === undefined ? root : definitions[name]), $defs: definitions };
}

function jsonSchemaOf(schema: Zod3Schema, conversion: Conversion): JsonSchema {
  const { open, names, definitions } = conversion;
  if (open.has(schema)) {
    const name = names.get(schema) ?? `schema${names.size + 1}`;
    names.set(schema, name);
    return { $ref: `#/$defs/${name}` };
  }
  open.add(schema);
  const { description } = schema._def;
  const bare = bareSchemaOf(schema, conversion);
  open.delete(schema);
  const described = description === undefined ? bare : { ...bare, description };
  const name = names.get(schema);
  if (name === undefined) return described;
  definitions[name] = described;
  return { $ref: `#/$defs/${name}` };
}

/** The JSON Schema without the description. */
function bareSchemaOf({ _def: def }: Zod3Schema, conversion: Conversion): JsonSchema {
  const of = (inner: unknown): JsonSchema => jsonSchemaOf(inner as Zod3Schema, conversion);
  const all = (inner: unknown): JsonSchema[] => [...(inner as Iterable<Zod3Schema>)].map(of);
  switch (def.typeName) {
    case "ZodString":
      return { type: "string", ...stringRules(def["checks"] as readonly Check[]) };
    case "ZodNumber":
      return numberSchema(def["checks"] as readonly Check[]);
    case "ZodBoolean":
      return { type: "boolean" };
    case "ZodNull":
      return { type: "null" };
    case "ZodAny":
    case "ZodUnknown":
      return {};
    case "ZodNever":
      return { not: {} };
    case "ZodLiteral":
      return { const: def["value"] };
    case "ZodEnum":
      return { type: "string", enum: def["values"] };
    case "ZodNativeEnum":
      return { enum: enumValues(def["values"] as Readonly<Record<string, unknown>>) };
    case "ZodArray":
      return { type: "array", items: of(def["type"]), ...arrayRules(def) };
    case "ZodTuple": {
      const items = all(def["items"]);
      const rest = def["rest"];
      const least = { minItems: items.length };
      return rest === null
        ? { type: "array", prefixItems: items, ...least, maxItems: items.length }
        : { type: "array", prefixItems: items, ...least, items: of(rest) };
    }
    case "ZodObject":
      return objectSchema(def, conversion);
    case "ZodRecord":
      return { type: "object", propertyNames: of(def["keyType"]), additionalProperties: of(def["valueType"]) };
    case "ZodUnion":
    case "ZodDiscriminatedUnion":
      return { anyOf: all(def["options"]) };
    case "ZodIntersection":
      return { allOf: [of(def["left"]), of(def["right"])] };
    case "ZodNullable":
      return { anyOf: [of(def["innerType"]), { type: "null" }] };
    case "ZodDefault":
      return { ...of(def["innerType"]), default: (def["defaultValue"] as () => unknown)() };
    case "ZodOptional":
    case "ZodCatch":
    case "ZodReadonly":
      return of(def["innerType"]);
    case "ZodBranded":
      return of(def["type"]);
    case "ZodLazy":
      return of((def["getter"] as () => unknown)());
    case "ZodPipeline":
      return of(conversion.side === "input" ? def["in"] : def["out"]);
    case "ZodEffects": {
      const { type } = def["effect"] as { readonly type: string };
      if (type === "transform" && conversion.side === "output")
        throw new Error("The result of a transform cannot be represented in JSON Schema");
      return of(def["schema"]);
    }
    default:
      throw new Error(`${String(def.typeName)} cannot be represented in JSON Schema`);
  }
}

function objectSchema(def: Zod3Schema["_def"], conversion: Conversion): JsonSchema {
  const shape = Object.entries((def["shape"] as () => Readonly<Record<string, Zod3Schema>>)());
  const catchall = def["catchall"] as Zod3Schema;
  const hasCatchall = catchall._def.typeName !== "ZodNever";
  const required = shape.filter(([, field]) => !mayBeLeftOut(field, conversion.side)).map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(shape.map(([name, field]) => [name, jsonSchemaOf(field, conversion)])),
    ...(required.length > 0 && { required }),
    additionalProperties: hasCatchall ? jsonSchemaOf(catchall, conversion) : def["unknownKeys"] === "passthrough",
  };
}

/**
 * True if an object may have no value for a field: zod declares it for the input, and fills in defaults for the output.
 */
function mayBeLeftOut(field: Zod3Schema, side: SchemaSide): boolean {
  if (side === "output" && hasDefault(field)) return false;
  try {
    return field.isOptional();
  } catch {
    // The code of a transform fails without a value.
    return false;
  }
}

function hasDefault({ _def: def }: Zod3Schema): boolean {
  if (def.typeName === "ZodDefault" || def.typeName === "ZodCatch") return true;
  const inner = def["innerType"] ?? def["schema"] ?? def["out"];
  return inner !== undefined && hasDefault(inner as Zod3Schema);
}

/** Formats of JSON Schema by the names of zod's checks. */
const formats: Readonly<Record<string, string>> = {
  email: "email",
  url: "uri",
  uuid: "uuid",
  datetime: "date-time",
  date: "date",
  time: "time",
  duration: "duration",
};

function stringRules(checks: readonly Check[]): JsonSchema {
  const rules: Record<string, unknown> = {};
  const patterns: string[] = [];
  for (const { kind, value, regex } of checks) {
    if (kind === "min" || kind === "length") rules["minLength"] = value;
    if (kind === "max" || kind === "length") rules["maxLength"] = value;
    const format = formats[kind];
    if (format !== undefined) rules["format"] = format;
    if (kind === "regex" && regex !== undefined) patterns.push(regex.source);
    if (kind === "startsWith") patterns.push(`^${escaped(value)}`);
    if (kind === "endsWith") patterns.push(`${escaped(value)}$`);
    if (kind === "includes") patterns.push(escaped(value));
  }
  const [first, ...others] = patterns;
  return {
    ...rules,
    ...(first !== undefined && { pattern: first }),
    ...(others.length > 0 && { allOf: others.map((pattern) => ({ pattern })) }),
  };
}

function escaped(text: unknown): string {
  return String(text).replaceAll(/[.*+?^${}()|[\]\\/]/gu, "\\$&");
}

function numberSchema(checks: readonly Check[]): JsonSchema {
  const rules: Record<string, unknown> = {};
  for (const { kind, value, inclusive } of checks) {
    if (kind === "min") rules[inclusive === true ? "minimum" : "exclusiveMinimum"] = value;
    if (kind === "max") rules[inclusive === true ? "maximum" : "exclusiveMaximum"] = value;
    if (kind === "multipleOf") rules["multipleOf"] = value;
  }
  return { type: checks.some(({ kind }) => kind === "int") ? "integer" : "number", ...rules };
}

function arrayRules(def: Zod3Schema["_def"]): JsonSchema {
  const valueOf = (key: string): number | undefined => (def[key] as { readonly value: number } | null)?.value;
  const [exact, least, most] = [valueOf("exactLength"), valueOf("minLength"), valueOf("maxLength")];
  return {
    ...((exact ?? least) !== undefined && { minItems: exact ?? least }),
    ...((exact ?? most) !== undefined && { maxItems: exact ?? most }),
  };
}

/** The values of an enum; a numeric enum lists its names as values too. */
function enumValues(values: Readonly<Record<string, unknown>>): readonly (string | number)[] {
  const names = Object.keys(values).filter((name) => typeof values[String(values[name])] !== "number");
  return names.map((name) => values[name] as string | number);
}
