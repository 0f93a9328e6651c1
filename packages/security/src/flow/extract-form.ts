import type { ExtractedForm } from "@bailiwick/core";

/** Patterns for the values of a form in a text, and for text that resembles one but is invalid. */
interface Finder {
  readonly found: RegExp;
  readonly alike: RegExp;
  readonly isValid?: (text: string) => boolean;
}

const finders: Readonly<Record<ExtractedForm, Finder>> = {
  url: {
    found: /\bhttps?:\/\/[^\s<>"')\]}]+|(?<![\w@./-])www\.(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#][^\s<>"')\]}]*)?/giu,
    alike:
      /\bwww\.|h[tx]{2}ps?\s?:|:\s?\/\/|\[\.\]|\(\.\)|\bdot\s+(?:com|org|net|io|example)\b|(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|example)\b/giu,
  },
  email: {
    found: /[\p{L}\p{N}._%+-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,24}/giu,
    alike: /[@＠]|[([{]\s*(?:at|arroba|@)\s*[)\]}]|\bat\s+\S+\s+dot\b/giu,
  },
  iban: {
    found: /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}\b/gu,
    alike: /\b[A-Za-z]{2}\s?\d{2}(?:[ -]?[A-Za-z0-9]){6,}/gu,
    isValid: isIban,
  },
  date: {
    found: /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:?\d{2})?)?/gu,
    alike:
      /\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}\b|\b\d{1,2}\.?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/giu,
  },
  amount: {
    found: /(?<![\w.,-])\d+(?:\.\d{1,2})?(?![\w.,-]*\d)/gu,
    alike: /\d+,\d|\d{1,3}(?:[ '.]\d{3})+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand)\b/giu,
  },
};

/**
 * [grants.extraction] Finds the only value of a form in some texts. Returns `undefined` if there
 * are two candidates, or if a text that looks like the form does not parse, such as "anna (at)
 * firma.de".
 */
export function extractForm(form: ExtractedForm, texts: readonly string[]): string | number | undefined {
  const { found, alike, isValid } = finders[form];
  const values = new Set<string>();
  for (const text of texts) {
    const candidates = candidatesIn(text, found);
    if (isValid?.(candidates[0] ?? "") === false && candidates.length > 0) return undefined;
    for (const candidate of candidates) values.add(candidate);
    const rest = candidates.reduce((left, candidate) => left.replaceAll(candidate, " "), text);
    if (rest.match(alike) !== null) return undefined;
  }
  const [value] = values;
  if (value === undefined || values.size > 1) return undefined;
  return form === "amount" ? Number(value) : value;
}

/** [grants.extraction.each] All values of a form in some texts. Text that does not parse is skipped. */
export function extractEach(form: ExtractedForm, texts: readonly string[]): readonly (string | number)[] {
  const { found, isValid = () => true } = finders[form];
  const values = texts.flatMap((text) => candidatesIn(text, found)).filter(isValid);
  return form === "amount" ? values.map(Number) : values;
}

/** The values without the punctuation of their sentence. */
function candidatesIn(text: string, found: RegExp): readonly string[] {
  return (text.match(found) ?? []).map((one) => one.replace(/[.,;:!?]+$/u, ""));
}

function isIban(text: string): boolean {
  const plain = text.replaceAll(/[ -]/gu, "");
  const digits = `${plain.slice(4)}${plain.slice(0, 4)}`.replaceAll(/[A-Z]/gu, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}
