import type { StandardSchemaV1 } from "@standard-schema/spec";

import type { JsonSchema } from "../contracts/json.ts";
import type { Validation } from "../contracts/resolved-tool.ts";
import type { ConvertibleSchema, Schema, SchemaIssue } from "../contracts/schema.ts";
import { ConfigurationError, SchemaNotConvertibleError } from "../errors/configuration-errors.ts";
import type { CompiledSchema, Validate } from "./compiled-schema.ts";
import { defaultsOf } from "./fill-defaults.ts";
import { compileJsonSchema } from "./json-schema-validator.ts";
import { isThenable, toError } from "../user-code/call-user-code.ts";
import { formatPath } from "./paths.ts";

/** Side of a schema with a transform: its input or its output. */
export type SchemaSide = "input" | "output";

const WRAPPERS: Readonly<Record<string, string>> = {
  zod: "Use `zod` 4.2 or newer. For zod/mini, zod 4.0 or 4.1, give `inputJsonSchema: z.toJSONSchema(schema)` beside it; wrap zod 3 with `zod3()` of @bailiwick/core/zod3.",
  valibot: "Wrap it with `toStandardJsonSchema()` of @valibot/to-json-schema.",
  effect: "Wrap it twice: `Schema.toStandardJSONSchemaV1(Schema.toStandardSchemaV1(schema))`.",
  arktype: "Use arktype 2.2 or newer, or give the schema's JSON Schema beside it as `inputJsonSchema`.",
};

/**
 * True if a value implements Standard Schema. Schemas of some libraries are functions.
 *
 * @param value - The value to test, such as an `inputSchema`.
 */
export function isStandardSchema(value: unknown): value is Schema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as Partial<Schema>)["~standard"];
  return typeof standard === "object" && standard !== null && typeof standard.validate === "function";
}

/**
 * Prepares a schema of any kind: its JSON Schema, and a function that checks values. For the side `input`, the defaults of
 * raw JSON Schema are filled in before the check.
 *
 * @param schema - A Standard Schema, or raw JSON Schema.
 * @param options - `what` names the schema in errors; `side` is the side that the JSON Schema describes (default
 *   `input`); `jsonSchema` is the author's JSON Schema for a schema that cannot convert itself.
 * @throws SchemaNotConvertibleError if there is no JSON Schema; it names the library and the wrapper.
 * @throws ConfigurationError `INVALID_JSON_SCHEMA` if raw JSON Schema is invalid.
 */
export function compileSchema(
  schema: object,
  options: { readonly what: string; readonly side?: SchemaSide; readonly jsonSchema?: object | undefined },
): CompiledSchema {
  const { what, side = "input", jsonSchema } = options;
  if (isStandardSchema(schema)) {
    const converted = (jsonSchema as JsonSchema | undefined) ?? toJsonSchema(schema, side, what);
    return { jsonSchema: converted, validate: validatorOf(schema), notes: [] };
  }
  const isMap = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  // A map of field schemas has no keyword of JSON Schema: treated as JSON Schema, it would accept any value.
  if (!isMap || Object.values(schema).some(isStandardSchema)) {
    throw new ConfigurationError(
      "INVALID_JSON_SCHEMA",
      `${what} is neither a Standard Schema, such as z.object({ … }), nor a JSON Schema object.${effectHint(schema)}`,
    );
  }
  if (jsonSchema !== undefined) {
    throw new ConfigurationError(
      "INVALID_JSON_SCHEMA",
      `${what} is a JSON Schema already: leave \`inputJsonSchema\` out.`,
    );
  }
  const compiled = compileJsonSchema(schema as JsonSchema, what);
  const fill = side === "input" ? defaultsOf(compiled.jsonSchema) : undefined;
  return fill === undefined ? compiled : { ...compiled, validate: (value) => compiled.validate(fill(value)) };
}

/** Advice for a bare schema of effect, which is a class with a syntax tree; empty for any other value. */
export function effectHint(value: unknown): string {
  const isEffect = typeof value === "function" && "ast" in value && typeof value.ast === "object";
  return isEffect ? `; this one is an effect schema. ${WRAPPERS["effect"] ?? ""}` : "";
}

/**
 * The JSON Schema of a Standard Schema: draft 2020-12 if the library offers it, else draft-07.
 *
 * @throws SchemaNotConvertibleError if the library cannot convert schemas, or not this one.
 */
export function toJsonSchema(schema: Schema, side: SchemaSide, what: string): JsonSchema {
  const standard = schema["~standard"];
  const converter = (standard as Partial<ConvertibleSchema["~standard"]>).jsonSchema;
  if (converter === undefined) {
    throw new SchemaNotConvertibleError(
      standard.vendor,
      `${what} is a ${standard.vendor} schema that cannot turn itself into JSON Schema. ${
        WRAPPERS[standard.vendor] ?? "Give its JSON Schema beside it as `inputJsonSchema`."
      }`,
    );
  }
  const failures: unknown[] = [];
  for (const target of ["draft-2020-12", "draft-07"]) {
    try {
      return converter[side]({ target });
    } catch (error) {
      failures.push(error);
    }
  }
  const [cause] = failures;
  throw new SchemaNotConvertibleError(
    standard.vendor,
    `${what} cannot be written as JSON Schema: ${standard.vendor} says "${toError(cause).message}". ${
      cause instanceof RangeError
        ? "It refers to itself and is new at each level: refer to one constant through a getter"
        : "Use a type that JSON has"
    }${side === "input" ? ", or give `inputJsonSchema` beside it" : ""}.`,
    { cause },
  );
}

/** Checks with the library itself. A synchronous schema costs no promise. */
export function validatorOf(schema: Schema): Validate {
  const standard = schema["~standard"];
  return (value) => {
    const result = standard.validate(value);
    return isThenable(result) ? Promise.resolve(result).then(toValidation) : toValidation(result);
  };
}

function toValidation(result: StandardSchemaV1.Result<unknown>): Validation {
  if (typeof result !== "object" || !("value" in result || "issues" in result))
    throw new TypeError("validate() of the schema has to return { value } or { issues }");
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(toIssue) };
}

function toIssue(issue: StandardSchemaV1.Issue): SchemaIssue {
  const keys = (issue.path ?? []).map((step) => (typeof step === "object" ? step.key : step));
  return { path: formatPath(keys), message: issue.message };
}
