/**
 * True if a value is a JSON object.
 *
 * @param value - Data from a vendor.
 */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A text, or the empty text for anything else.
 *
 * @param value - Data from a vendor.
 */
export function jsonText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/**
 * The objects of a list; empty if the value is not a list.
 *
 * @param value - Data from a vendor.
 */
export function jsonObjects(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
