import type { JsonSchema } from "@bailiwick/core";

const plain: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean"]);

/** Tests if a schema is a form of the protocol: an object with plain fields, choices, and lists of choices. */
export function isForm(schema: JsonSchema): boolean {
  if (schema["type"] !== "object") return false;
  const fields = Object.values((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  return fields.every((field) => (field["type"] === "array" ? isChoice(field["items"]) : plain.has(field["type"])));
}

/** The items of a multi-select field: a list of texts, or of constants with titles. */
function isChoice(items: unknown): boolean {
  if (typeof items !== "object" || items === null) return false;
  const { type, enum: texts, anyOf } = items as Readonly<Record<string, unknown>>;
  if (Array.isArray(texts)) return type === "string";
  return Array.isArray(anyOf) && anyOf.every((one: { readonly const?: unknown }) => typeof one.const === "string");
}
