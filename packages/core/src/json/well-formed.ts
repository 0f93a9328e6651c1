/**
 * Replaces lone halves of surrogate pairs by U+FFFD; vendors refuse them.
 *
 * @param text - Any text. Returned unchanged if it has no lone half.
 */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** An escape of JSON text: a pair of surrogates, one half of a pair, or any other. */
const escapes =
  /\\(?:u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|([dD][89a-fA-F][0-9a-fA-F]{2}))|[^])/g;

/**
 * {@link wellFormed} for JSON text, in which a half of a surrogate pair may also be an escape such as `\ud83d`: a
 * parser returns the half, which cannot be sent.
 *
 * @param text - JSON text, whole or not. Returned unchanged if it has no lone half.
 */
export function wellFormedJsonText(text: string): string {
  const whole = wellFormed(text);
  if (!/\\u[dD][89a-fA-F]/.test(whole)) return whole;
  return whole.replace(escapes, (escape, half: string | undefined) => (half === undefined ? escape : "\\ufffd"));
}

/**
 * {@link wellFormed} for each text in a JSON value, keys included.
 *
 * @param value - A JSON value. Returned unchanged if it has no lone half.
 */
export function wellFormedJson(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(wellFormedJson);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (typeof value !== "object" || value === null) return value;
  let changed = false;
  const entries = Object.entries(value).map(([key, item]) => {
    const fixedKey = wellFormed(key);
    const fixed = wellFormedJson(item);
    changed ||= fixedKey !== key || fixed !== item;
    return [fixedKey, fixed] as const;
  });
  return changed ? Object.fromEntries(entries) : value;
}
