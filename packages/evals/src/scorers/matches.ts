/**
 * True if a value has everything that is expected: an object has at least the expected members, a list has the same length.
 */
export function matches(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(value) &&
      value.length === expected.length &&
      expected.every((one, index) => matches(value[index], one))
    );
  if (typeof expected !== "object" || expected === null) return Object.is(value, expected);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(expected).every(
    ([key, one]) => Object.hasOwn(value, key) && matches((value as Record<string, unknown>)[key], one),
  );
}

/** A value in a sentence, not longer than a line. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
