/** Words that are named, and characters of one that are shown. */
const named = 3;
const longest = 60;

const word = /[^\s"'`,;()<>[\]{}]+/gu;
const latin = /\p{Script=Latin}/u;
const looksLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]/gu;

/**
 * Words in which letters of another script stand among Latin ones, which they look like: an address may seem to be one
 * that a person knows. A sentence for that person.
 *
 * @param value - What is about to be shown, as JSON.
 */
export function mixedScripts(value: unknown): string | undefined {
  const found = new Map<string, string>();
  for (const text of textsOf(value)) {
    for (const [each] of text.matchAll(word)) {
      const letters = each.match(looksLatin);
      if (letters === null || !latin.test(each)) continue;
      const shown = each.length <= longest ? each : `${each.slice(0, longest).toWellFormed()}…`;
      found.set(shown, [...new Set(letters)].slice(0, named).map(codePoint).join(", "));
    }
  }
  if (found.size === 0) return undefined;
  const words = Array.from(found, ([each, letters]) => `"${each}" (${letters})`);
  const more = words.length > named ? ` and ${words.length - named} more` : "";
  return `Letters of other scripts stand among Latin ones that they look like: ${words.slice(0, named).join(", ")}${more}.`;
}

function codePoint(letter: string): string {
  return `${letter} is U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [...(Array.isArray(value) ? [] : [key]), ...textsOf(member)]);
}
