import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

/**
 * A schema of any library that implements Standard Schema (zod, arktype, valibot). If the library also implements
 * Standard JSON Schema, nothing else is needed.
 *
 * @see https://standardschema.dev
 */
export type Schema<Output = unknown, Input = unknown> = StandardSchemaV1<Input, Output>;

/**
 * A schema that can be converted to JSON Schema: zod ≥ 4.2, arktype ≥ 2.2, valibot through `toStandardJsonSchema`, zod
 * 3 through `zod3`.
 */
export type ConvertibleSchema<Output = unknown, Input = unknown> = StandardSchemaV1<Input, Output> &
  StandardJSONSchemaV1<Input, Output>;

/** One problem of a value. */
export interface SchemaIssue {
  /** The path of the value, as in `lines[0].amount`; empty for the value itself. */
  readonly path: string;
  /** A sentence that says what is wrong with the value. */
  readonly message: string;
}
