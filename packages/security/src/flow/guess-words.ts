/** The words of a name, in lower case: split at `_`, `-`, `.`, blanks and camelCase. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The words of a sentence, in lower case. */
export function wordsOfText(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The word of a list that a given word equals, or is the plural or third person of. */
export function plainForm(word: string, list: ReadonlySet<string>): string | undefined {
  return formsOf(word).find((form) => list.has(form));
}

function formsOf(word: string): readonly string[] {
  const forms = [word];
  if (word.endsWith("s")) forms.push(word.slice(0, -1));
  if (word.endsWith("es")) forms.push(word.slice(0, -2));
  if (word.endsWith("ies")) forms.push(`${word.slice(0, -3)}y`);
  // British spelling: analyse, summarise.
  return [...forms, ...forms.map((form) => form.replace(/yse$/u, "yze").replace(/ise$/u, "ize"))];
}
