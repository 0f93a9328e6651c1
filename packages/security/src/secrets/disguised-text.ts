/**
 * A text as a person would read it: escapes are decoded, line breaks and invisible characters are dropped, and case is
 * unified. `starts[i]` is the place in the source where character `i` begins; the last entry is the source's end.
 */
export interface PlainText {
  readonly text: string;
  readonly starts: readonly number[];
}

/** One character of the source: an escape, a skipped character, or itself. */
const token =
  /\\+u(?:\{([0-9a-f]{1,6})\}|(?:0000)?([0-9a-f]{4}))|\\+x([0-9a-f]{2})|&(?:amp;)?(?:#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?|([a-z]{2,15});)|%(?:25)*(?:u00)?([0-9a-f]{2})|[=\\]\r?\n|\\+[nr]|[\r\n][\t >|]*|<w?br ?\/?>|(?!\t)[\p{Cc}\u2028\u2029\p{DI}]/giu;

const hidden = /[\\%=&\r\n]|<w?br/i;

/** Characters without a place in a secret: controls, and characters that are not visible. */
const skipped = /(?!\t)[\p{Cc}\u2028\u2029\p{DI}]/u;

/** Characters of named entities, each before its name. */
const named = "!excl$dollar*ast+plus.period/sol:colon=equals@commat_lowbar";

/** The end of a text that may be the beginning of an escape or of a line break. */
const openEscape = /(?:(?:\\+|[&%])[\w{#;]*|<(?:w?b?r? ?\/?)?|=\r?|[=\\]?[\r\n]+[\t >|]*)$/i;

/** True if a text has characters in an alternative notation. */
function mayHide(text: string): boolean {
  // The first test of characters is fast, and most texts pass it.
  return hidden.test(text) || (/[^\t -~]/.test(text) && skipped.test(text));
}

/** The first place where a text may be the beginning of an escape; its length if there is none. */
export function openEscapeAt(text: string): number {
  const from = Math.max(0, text.length - 40);
  const found = openEscape.exec(text.slice(from));
  return found === null ? text.length : from + found.index;
}

const fold = (text: string): string => {
  const lower = text.toLowerCase();
  // A character whose lower case is longer would move all places after it.
  return lower.length === text.length ? lower : Array.from(text, (each) => foldOne(each)).join("");
};

function foldOne(character: string): string {
  const lower = character.toLowerCase();
  return lower.length === character.length ? lower : character;
}

/** Only the text, for callers that need no positions in the source. */
export function plainText(source: string): string {
  return fold(mayHide(source) ? source.replace(token, decodeToken) : source);
}

function decodeToken(found: string, ...groups: readonly unknown[]): string {
  const [braced, four, two, entity, decimal, name, percent] = groups as readonly (string | undefined)[];
  if (name !== undefined) return namedCharacter(name.toLowerCase()) ?? found;
  const code = Number(decimal ?? `0x${braced ?? four ?? two ?? entity ?? percent ?? 0}`);
  if (code > 0x10ffff) return found;
  const character = String.fromCodePoint(code);
  return skipped.test(character) ? "" : fold(character);
}

/** The character of a named entity; an empty text for one without width. */
function namedCharacter(name: string): string | undefined {
  return /^(?:shy|zwn?j)$/.test(name) ? "" : new RegExp(`([^a-z])${name}(?![a-z])`).exec(named)?.[1];
}

/** Maps each character of the plain text to its position in the source. */
export function locatedText(source: string): PlainText {
  let text = "";
  const starts: number[] = [];
  const take = (characters: string, at: number, step: 0 | 1): void => {
    for (let index = 0; index < characters.length; index += 1) starts.push(at + index * step);
    text += characters;
  };
  let end = 0;
  for (const found of source.matchAll(token)) {
    take(fold(source.slice(end, found.index)), end, 1);
    take(decodeToken(...(found as unknown as [string, ...string[]])), found.index, 0);
    end = found.index + found[0].length;
  }
  take(fold(source.slice(end)), end, 1);
  starts.push(source.length);
  return { text, starts };
}
