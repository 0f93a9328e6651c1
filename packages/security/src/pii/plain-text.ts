/** Text in which characters that only look different are unified, with the origin of each character. */
export interface PlainText {
  readonly text: string;
  /** Index in the original of the character at `index`; one past the end is the original's length. */
  originalIndex(index: number): number;
}

const invisible = /[\u00AD\u200B-\u200D\u2060\uFEFF]/;

/**
 * Replaces full-width characters by plain ones, unifies spaces and hyphens, and drops invisible characters, so that
 * personal data is found with any spacing.
 */
export function plainText(original: string): PlainText {
  if (!/[\u0080-\uFFFF]/.test(original)) return { text: original, originalIndex: (index) => index };
  const origins: number[] = [];
  let text = "";
  for (let index = 0; index < original.length; index += 1) {
    const character = original.charAt(index);
    if (invisible.test(character)) continue;
    text += plainCharacter(character);
    origins.push(index);
  }
  return { text, originalIndex: (index) => origins[index] ?? original.length };
}

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return character;
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0);
  if (/[\u00A0\u2000-\u200A\u202F\u205F\u3000]/.test(character)) return " ";
  return /[\u2010-\u2015\u2212]/.test(character) ? "-" : character;
}
