import { compileSchema } from "@bailiwick/core/extension";
import type { JsonSchema } from "@bailiwick/core";

/** JSON Schema as a Standard Schema, which `ctx.ask` takes. */
export function schemaOf(jsonSchema: JsonSchema): object {
  const { validate } = compileSchema(jsonSchema, { what: "A question" });
  return {
    "~standard": {
      version: 1,
      vendor: "conformance",
      validate: async (value: unknown) => {
        const result = await validate(value);
        return result.ok ? { value: result.value } : { issues: result.issues.map(({ message }) => ({ message })) };
      },
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}
