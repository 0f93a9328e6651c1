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
/** Cache of the folded forms of single code units. */
const knownUnits: (string | undefined)[] = Array.from({ length: 0x10000 });
/** Cache for the other characters. */
const knownPairs = new Map<number, string>();

/**
 * Folds one character for comparing: compatibility forms, case, marks and look-alikes are evened out, invisible
 * characters fold to nothing, and the tag block folds to the ASCII that it mirrors.
 *
 * @param codePoint - The character.
 */
export function foldCharacter(codePoint: number): string {
  const known = codePoint < 0x10000 ? knownUnits[codePoint] : knownPairs.get(codePoint);
  if (known !== undefined) return known;
  const folded = foldUnknown(codePoint);
  if (codePoint < 0x10000) knownUnits[codePoint] = folded;
  else if (knownPairs.size < 20_000) knownPairs.set(codePoint, folded);
  return folded;
}

function foldUnknown(codePoint: number): string {
  if (codePoint >= 0xe0020 && codePoint <= 0xe007e) {
    return String.fromCharCode(codePoint - 0xe0000).toLowerCase();
  }
  let folded = "";
  for (const part of String.fromCodePoint(codePoint).normalize("NFKD").toLowerCase()) {
    if (!dropped.test(part)) folded += latinOf.get(part) ?? part;
  }
  return folded;
}

// oxlint-disable-next-line no-control-regex -- ASCII is what stays as it is
const beyondAscii = /[^\u0000-\u007f]+/g;

/** Folds a text, character by character. For detection only; the result is never shown. */
export function foldText(text: string): string {
  return text.replace(beyondAscii, foldRun).toLowerCase();
}

function foldRun(run: string): string {
  let folded = "";
  for (let index = 0; index < run.length; index += 1) {
    const unit = run.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) {
      folded += knownUnits[unit] ?? foldCharacter(unit);
      continue;
    }
    const codePoint = run.codePointAt(index) ?? unit;
    if (codePoint > 0xffff) index += 1;
    folded += foldCharacter(codePoint);
  }
  return folded;
}
