/**
 * The smallest value that a JSON Schema of the common kinds accepts: empty lists, empty texts, the first of an
 * enumeration. The demo model returns it when a structured answer is required.
 *
 * @param schema - A JSON Schema without references.
 */
export function leastInstance(schema: Readonly<Record<string, unknown>>): unknown {
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) return leastInstance(branches[0] as Record<string, unknown>);
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case "object": {
      const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
      const required = (schema.required ?? []) as string[];
      return Object.fromEntries(required.map((name) => [name, leastInstance(properties[name] ?? {})]));
    }
    case "array":
      return [];
    case "string":
      return "";
    case "number":
    case "integer":
      return typeof schema.minimum === "number" ? schema.minimum : 0;
    case "boolean":
      return false;
    default:
      return null;
  }
}
