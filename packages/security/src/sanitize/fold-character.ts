/** Letters of other scripts that look like Latin ones. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: "аąạӓα",
  b: "вβ",
  c: "сϲ",
  d: "ԁ",
  e: "еєёε",
  g: "ցɡ",
  h: "һ",
  i: "іїιı",
  j: "ј",
  k: "кκ",
  l: "ӏⅼ",
  m: "м",
  n: "пηո",
  o: "оοօσ",
  p: "рρ",
  q: "ԛ",
  r: "г",
  s: "ѕ",
  t: "тτ",
  u: "υսц",
  v: "ѵν",
  w: "ѡω",
  x: "хχ",
  y: "уγ",
  z: "ᴢ",
};

const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) => Array.from(others, (other) => [other, latin] as const)),
);
const dropped = /[\p{M}\p{Cf}\p{Variation_Selector}]/u;

/**
 * Folds one character for comparing: compatibility forms, case, marks and look-alikes are unified, invisible characters
 * fold to nothing, and the tag block folds to the ASCII that it mirrors.
 *
 * @param codePoint - The character.
 */
export function foldCharacter(codePoint: number): string {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) {
    return String.fromCharCode(codePoint - 0xe0000).toLowerCase();
  }
  let folded = "";
  for (const part of String.fromCodePoint(codePoint).normalize("NFKD").toLowerCase()) {
    if (!dropped.test(part)) folded += latinOf.get(part) ?? part;
  }
  return folded;
}
