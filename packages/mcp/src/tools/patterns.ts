/**
 * True if a name matches one of the patterns, in which `*` means any characters.
 *
 * @param patterns - Names or patterns.
 */
export function fitsAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name, pattern));
}

function fits(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [head = ""] = parts;
  if (parts.length === 1) return name === head;
  const tail = parts.at(-1) ?? "";
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= name.length - tail.length;
}
