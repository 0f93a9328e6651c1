import { compileSchema } from "@bailiwick/core/extension";
import type { JsonSchema, Schema } from "@bailiwick/core";

/**
 * JSON Schema as a schema of the kind that tools take: checked by interpretation, so that no code is generated from a
 * server's schema.
 *
 * @param what - Names it in errors.
 * @throws ConfigurationError `INVALID_JSON_SCHEMA`
 */
export function schemaOf(jsonSchema: JsonSchema, what: string): Schema {
  const { validate } = compileSchema(jsonSchema, { what, side: "output" });
  const standard = {
    version: 1 as const,
    vendor: "json-schema",
    validate: async (value: unknown) => {
      const result = await validate(value);
      if (result.ok) return { value: result.value };
      return {
        issues: result.issues.map(({ path, message }) => ({ message: path === "" ? message : `${path}: ${message}` })),
      };
    },
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
  };
  return { "~standard": standard };
}
