import { literalPattern } from "../literal-pattern.ts";
import type { GrantArgument, TemplateHole } from "@bailiwick/core";

/** Maximum length of one word in a hole, in letters. */
const wordLength = 24;

/** Links, addresses and markup: no hole may contain them. */
const sends =
  /:\/\/|\bwww\.|@|[<>]|\]\(|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[A-Z]{2}\d{2}[A-Z0-9]{11,}/iu;

/** A parsed template: texts, and the names of the holes between them. */
function partsOf(template: string): { readonly texts: readonly string[]; readonly holes: readonly string[] } {
  const parts = template.split(/\{([A-Za-z_]\w*)\}/u);
  return { texts: parts.filter((_part, at) => at % 2 === 0), holes: parts.filter((_part, at) => at % 2 === 1) };
}

/**
 * [grants.template] True if a text is a template with its holes filled: field holes with values, word holes with a few
 * words. A hole cannot contain a link or an address.
 *
 * @param valueOf - The value of a hole that is a field; `undefined` if unknown.
 */
export function matchesTemplate(
  text: unknown,
  { template, holes }: Extract<GrantArgument, { template: string }>,
  valueOf: (hole: Extract<TemplateHole, { ref: unknown }>) => string | undefined,
): boolean {
  if (typeof text !== "string") return false;
  const parts = partsOf(template);
  let pattern = "";
  const words: number[] = [];
  for (const [at, literal] of parts.texts.entries()) {
    pattern += literalPattern(literal);
    const name = parts.holes[at];
    if (name === undefined) continue;
    const hole = Object.hasOwn(holes, name) ? holes[name] : undefined;
    if (hole === undefined) return false;
    if ("words" in hole) {
      words.push(hole.words);
      pattern += String.raw`([^\r\n]{0,${hole.words * (wordLength + 1)}}?)`;
      continue;
    }
    const value = valueOf(hole);
    if (value === undefined || sends.test(value) || value.length > 200) return false;
    pattern += literalPattern(value);
  }
  const match = new RegExp(`^${pattern}$`, "u").exec(text);
  return match !== null && match.slice(1).every((filled, at) => isFewWords(filled, words[at] ?? 0));
}

function isFewWords(filled: string, most: number): boolean {
  const given = filled.trim().split(/\s+/u);
  return !sends.test(filled) && given.length <= most && given.every((word) => word.length <= wordLength);
}
