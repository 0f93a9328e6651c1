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

/**
 * A JSON object that says something. Servers in Go write the zero value of each field that they leave out: an optional
 * object with nothing but zero values is absent. Do not use it for usage, whose counts may be 0.
 *
 * @param value - Data from a vendor.
 * @returns `undefined` for other values, and for an object whose members are all empty, 0, false or null.
 */
export function filledObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) && !isZero(value) ? value : undefined;
}

function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.values(value).every(isZero);
  return value === null || value === "" || value === 0 || value === false;
}
