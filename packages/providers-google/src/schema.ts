import { mapSchemas } from "@bailiwick/core/provider";
import type { JsonSchema } from "@bailiwick/core/provider";

/** Keywords that may be next to a reference. */
const besideReference = new Set(["$ref", "description", "default"]);

/**
 * A JSON Schema as the vendor accepts it: `const` is written as an `enum` of one value, the dialect is left out, and a
 * reference is combined only with a description and a default (https://github.com/anomalyco/opencode/issues/12295).
 *
 * @param schema - The schema.
 */
export function vendorSchema(schema: JsonSchema): JsonSchema {
  return mapSchemas(schema, (inner) => {
    if (typeof inner["$ref"] === "string") {
      return Object.fromEntries(Object.entries(inner).filter(([key]) => besideReference.has(key)));
    }
    const { $schema: _dialect, const: constant, ...rest } = inner;
    return constant === undefined ? rest : { ...rest, enum: [constant] };
  }) as JsonSchema;
}
