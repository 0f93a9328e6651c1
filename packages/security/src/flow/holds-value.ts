import { literalPattern } from "../literal-pattern.ts";
import { dateOf, numberOf } from "./compare-values.ts";

/** Tells if a text contains a value: short ones as whole words, and dates and amounts also in other notations. */
export function holds(words: string, value: unknown, text: string): boolean {
  if (text === "") return false;
  const literal = literalPattern(text.toLowerCase());
  // A part of a longer number is another number.
  const [before, after] =
    numberOf(value) === undefined ? ["", ""] : [String.raw`(?<!\d[.,'])`, String.raw`(?![.,']\d)`];
  const isWord = new RegExp(String.raw`(?<![\p{L}\p{N}])${before}${literal}(?![\p{L}\p{N}])${after}`, "u");
  return (
    isWord.test(words.toLowerCase()) ||
    spacedForm(text)?.test(words) === true ||
    holdsDate(words, value) ||
    holdsAmount(words, value)
  );
}

/** A number such as an IBAN, also written in groups. */
export function spacedForm(text: string): RegExp | undefined {
  if (!/^(?=.*\d.*\d.*\d)[A-Z0-9]{10,40}$/iu.test(text)) return undefined;
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${[...text].join("[ -]?")}(?![\p{L}\p{N}])`, "iu");
}

/** Numbers with groups of thousands, cents, or both, such as 1,840.00 and 75.50. */
const amounts = /(?<![\p{L}\p{N}.,'-])(\d{1,3}(?:[,.']\d{3})+|\d+)(?:[.,](\d{1,2}))?(?![\p{L}\p{N}]|[.,']\d)/gu;

/** A number that a text contains in the notation of an amount. */
function holdsAmount(words: string, value: unknown): boolean {
  const number = numberOf(value);
  if (number === undefined) return false;
  return [...words.matchAll(amounts)].some(
    ([, whole = "", cents = "0"]) => Number(`${whole.replaceAll(/\D/gu, "")}.${cents}`) === number,
  );
}

const months = "january february march april may june july august september october november december".split(" ");

/** A date that a text contains in another notation, such as "3 March" for 2026-03-03. */
function holdsDate(words: string, value: unknown): boolean {
  const date = dateOf(value);
  if (date === undefined) return false;
  const at = new Date(date.at);
  const [day, month] = [at.getUTCDate(), months[at.getUTCMonth()] ?? ""];
  const name = `(?:${month}|${month.slice(0, 3)}\\.?)`;
  const written = String.raw`\b0?${day}(?:st|nd|rd|th)?\.?\s+(?:of\s+)?${name}\b|\b${name}\s+0?${day}(?:st|nd|rd|th)?\b|\b0?${day}[./]0?${at.getUTCMonth() + 1}[./]`;
  return new RegExp(written, "iu").test(words);
}
