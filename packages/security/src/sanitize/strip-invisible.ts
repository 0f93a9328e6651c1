import {
  characterClass,
  codePointAfter,
  codePointBefore,
  emoji,
  hangul,
  ideographic,
  joining,
  letter,
  mongolian,
  pictographic,
  rightToLeft,
} from "./character-class.ts";
import { mayBeInvisible } from "./scan-text.ts";

/** Runs of characters without width: tags, bidi controls, zero-width characters, fillers, variation selectors. */
const invisible =
  // oxlint-disable-next-line no-misleading-character-class -- each character is for itself
  /[\u{00AD}\u{034F}\u{061C}\u{115F}\u{1160}\u{17B4}\u{17B5}\u{180B}-\u{180F}\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{3164}\u{FE00}-\u{FE0F}\u{FEFF}\u{FFA0}\u{FFF0}-\u{FFFB}\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]+/uy;

/** A flag of a region: two to six tag letters or digits after a black flag, and the tag that ends it. */
const flagTags = /^[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{2,6}\u{E007F}/u;
const blackFlag = 0x1f3f4;
const textSelector = 0xfe0e;
const emojiSelector = 0xfe0f;
const joiner = 0x200d;
const nonJoiner = 0x200c;
const softHyphen = 0xad;

const has = (codePoint: number, bit: number): boolean => (characterClass(codePoint) & bit) !== 0;

/** True if right-to-left text is near: a direction mark beside it is typography. */
function nearRightToLeft(text: string, from: number, to: number): boolean {
  for (let index = Math.max(0, from - 12); index < Math.min(text.length, to + 12); index += 1) {
    if (has(text.charCodeAt(index), rightToLeft)) return true;
  }
  return false;
}

/** Number of code units at the start of a run that belong to the spelling, given the characters around it. */
function keptUnits(text: string, from: number, end: number): number {
  const before = codePointBefore(text, from);
  if (before === blackFlag) return flagTags.exec(text.slice(from, end))?.[0].length ?? 0;
  return selectorUnits(text, from, end, before) ?? (isSpelling(text, from, end, before) ? 1 : 0);
}

/** Number of code units of a variation selector that its character takes; `undefined` for other characters. */
function selectorUnits(text: string, from: number, end: number, before: number): number | undefined {
  const first = text.codePointAt(from) ?? 0;
  if (first === emojiSelector || first === textSelector) {
    if (!has(before, emoji)) return 0;
    // A selector may be followed by the joiner of an emoji sequence.
    const joins =
      end - from === 2 && text.charCodeAt(from + 1) === joiner && has(codePointAfter(text, end), pictographic);
    return joins ? 2 : 1;
  }
  if (first >= 0xfe00 && first <= 0xfe02) return has(before, ideographic) ? 1 : 0;
  if (first >= 0xe0100 && first <= 0xe01ef) return has(before, ideographic) ? 2 : 0;
  if (first >= 0x180b && first <= 0x180f) return has(before, mongolian) ? 1 : 0;
  return undefined;
}

/** True if a joiner, a direction mark, a soft hyphen or a filler is spelling. */
function isSpelling(text: string, from: number, end: number, before: number): boolean {
  const isAlone = end - from === 1;
  switch (text.charCodeAt(from)) {
    case joiner:
      if (!has(before, pictographic)) return has(before, joining);
      return isAlone && has(codePointAfter(text, end), pictographic);
    case nonJoiner:
      return has(before, joining);
    case 0x200e:
    case 0x200f:
    case 0x061c:
      return nearRightToLeft(text, from, end);
    case softHyphen:
      return isAlone && has(before, letter) && has(codePointAfter(text, end), letter);
    case 0x115f:
    case 0x1160:
      return has(before, hangul) || has(codePointAfter(text, end), hangul);
    default:
      return false;
  }
}

/**
 * Removes characters that people do not see and a model reads, and keeps those of the spelling: joiners in emoji and
 * in scripts that join, one variation selector on a character that takes one, flags made of tags, single direction
 * marks beside right-to-left text, soft hyphens within words.
 *
 * @param text - Any text.
 * @returns The same text if nothing is removed.
 */
export function stripInvisible(text: string): string {
  let clean = text;
  for (;;) {
    const before: string = clean;
    clean = withoutRuns(before);
    // Removing a part may bring two others together.
    if (clean === before) return clean;
  }
}

/** The end of the run of invisible characters that begins at a place; the place itself if there is none. */
function endOfRun(text: string, from: number): number {
  let end = from;
  while (end < text.length && mayBeInvisible(text.charCodeAt(end))) {
    const unit = text.charCodeAt(end);
    if (unit >= 0xd800 && unit <= 0xdbff) {
      invisible.lastIndex = from;
      return from + (invisible.exec(text)?.[0].length ?? 0);
    }
    end += 1;
  }
  return end;
}

/** One pass. Most characters are not examined by the pattern, which would take longer than everything else. */
function withoutRuns(text: string): string {
  let clean = "";
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!mayBeInvisible(text.charCodeAt(index))) continue;
    const end = endOfRun(text, index);
    if (end === index) continue;
    const kept = keptUnits(text, index, end);
    if (index + kept < end) {
      clean += text.slice(copied, index + kept);
      copied = end;
    }
    index = end - 1;
  }
  return copied === 0 ? text : clean + text.slice(copied);
}
