/**
 * True if a parsed body contains a lone half of a surrogate pair: no server can encode such text again.
 *
 * @param value - The body.
 */
export function hasLoneSurrogate(value: unknown): boolean {
  if (typeof value === "string")
    return /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value);
  if (Array.isArray(value)) return value.some(hasLoneSurrogate);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]) => hasLoneSurrogate(key) || hasLoneSurrogate(item));
}
