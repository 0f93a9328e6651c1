import { codePointTable } from "./code-point-table.ts";

/** Properties of a character, as bits. */
export const pictographic: number = 1;
export const emoji: number = 2;
export const ideographic: number = 4;
export const mongolian: number = 8;
export const letter: number = 16;
export const joining: number = 32;
export const rightToLeft: number = 64;
export const hangul: number = 128;

const properties: readonly (readonly [bit: number, pattern: RegExp])[] = [
  [pictographic, /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]/u],
  [emoji, /[\p{Emoji}\p{Emoji_Modifier}]/u],
  [ideographic, /\p{Unified_Ideograph}/u],
  [mongolian, /\p{sc=Mongolian}/u],
  [letter, /\p{L}/u],
  // Scripts whose letters join or form clusters, where a joiner or non-joiner is spelling.
  [
    joining,
    /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mongolian}\p{sc=Nko}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]/u,
  ],
  // A mark of the script is not text.
  [rightToLeft, /(?!\p{Cf})[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}]/u],
  [hangul, /\p{sc=Hangul}/u],
];

const classes = codePointTable((codePoint) => {
  const character = String.fromCodePoint(codePoint);
  let bits = 0;
  for (const [bit, pattern] of properties) if (pattern.test(character)) bits |= bit;
  return bits;
});

/**
 * Properties of a character.
 *
 * @param codePoint - The character; a negative number has no property.
 */
export function characterClass(codePoint: number): number {
  return codePoint < 0 ? 0 : classes(codePoint);
}

/** The character that ends before an index, or -1. */
export function codePointBefore(text: string, index: number): number {
  if (index <= 0) return -1;
  const unit = text.charCodeAt(index - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 1 ? (text.codePointAt(index - 2) ?? -1) : unit;
}

/** The character at an index, or -1. */
export function codePointAfter(text: string, index: number): number {
  return text.codePointAt(index) ?? -1;
}
