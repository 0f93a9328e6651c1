import { foldCharacter } from "../sanitize/fold-character.ts";
import { formIn } from "./value-forms.ts";

/** Letters of a word that has an addition, such as an ending of its language. */
const shortestWord = 7;

/** Last letters of a word that its language may change. */
const ending = 2;

/**
 * True if a value resembles another one and is not the same: letters of other scripts, I and l, 0 and O, or one other
 * character. In a word, another ending is not a resemblance; an id of digits resembles each other id.
 */
export function isLookalike(value: string, known: string): boolean {
  const [one, other] = [plain(value), plain(known)];
  if (one === other || one === "" || other === "") return false;
  if (skeleton(one) === skeleton(other)) return true;
  const change = oneChange(one, other);
  if (change === undefined) return false;
  if (formIn(value) !== undefined) return true;
  const isWord = /^\p{L}[\p{L}.-]*$/u;
  if (!isWord.test(one) || !isWord.test(other)) return false;
  const shorter = Math.min(one.length, other.length);
  return shorter >= shortestWord && change > 0 && change < shorter - ending;
}

/** A text without case, blanks and marks, which do not distinguish names. */
function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\s]/gu, "")
    .toLowerCase();
}

function skeleton(text: string): string {
  return Array.from(text, (letter) => foldCharacter(letter.codePointAt(0) ?? 0))
    .join("")
    .replaceAll(/[i1|]/gu, "l")
    .replaceAll("0", "o");
}

/** The place at which two texts differ by one character that was replaced, added or exchanged with the next one. */
function oneChange(one: string, other: string): number | undefined {
  if (Math.abs(one.length - other.length) > 1) return undefined;
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const [rest, otherRest] = [one.slice(from), other.slice(from)];
  const isChange =
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest[0] === otherRest[1] && rest[1] === otherRest[0]);
  return isChange ? from : undefined;
}
