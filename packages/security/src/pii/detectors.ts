import { ibanLength, passesLuhn } from "./checksums.ts";

/** Kinds of personal data that are found by their form. */
export type PiiKind = "email" | "phone" | "iban" | "credit-card" | "ip-address" | "us-ssn";

/** A place in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Detection of one kind: its form, and a check of each match. */
interface Detector {
  readonly pattern: RegExp;
  /** Length of the relevant part of the match; `undefined` for a false match. */
  readonly accept: (match: string) => number | undefined;
}

const whole = (match: string, valid: boolean): number | undefined => (valid ? match.length : undefined);

/**
 * Every kind with its detector; if two find the same text, the first of this table wins. All quantifiers are bounded:
 * the time is linear.
 */
const detectors: { readonly [Kind in PiiKind]: Detector } = {
  email: {
    pattern:
      /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}][\p{L}\p{N}._%+'-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu,
    accept: (match) => match.length,
  },
  iban: {
    pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}/giu,
    accept: acceptIban,
  },
  "credit-card": {
    pattern: /(?<![\p{L}\p{N}.-])[2-6]\d{3}(?:[ -]?\d){9,15}(?![\p{L}\p{N}])/gu,
    accept: (match) => longestGroups(match, (text) => isCard(text)),
  },
  "us-ssn": {
    pattern: /(?<![\p{L}\p{N}.-])(?!000|666|9)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\p{L}\p{N}-])/gu,
    accept: (match) => match.length,
  },
  "ip-address": {
    pattern:
      /(?<![\p{L}\p{N}.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?::\d{1,3}(?:\.\d{1,3}){3})?)(?![\p{L}\p{N}:]|\.\d)/giu,
    accept: (match) => whole(match, match.includes(":") ? isIpv6(match) : isIpv4(match)),
  },
  phone: {
    pattern:
      /(?<![\p{L}\p{N}.+/-])(?:(?=\+)|(?<!\d[ -]))(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,5}(?![\p{L}\p{N}]|[.:/-]\d)/gu,
    accept: (match) =>
      match.startsWith("+") ? longestGroups(match, (text) => isPhone(text)) : whole(match, isPhone(match)),
  },
};

/** Every kind, in the order of the search. */
export const piiKinds: readonly PiiKind[] = Object.keys(detectors) as PiiKind[];

/**
 * Finds one kind in a text.
 *
 * @yields Places, from left to right.
 */
export function* detect(kind: PiiKind, text: string): Generator<Span> {
  const { accept } = detectors[kind];
  const pattern = new RegExp(detectors[kind].pattern);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: found, index } = match;
    const length = accept(found);
    if (length !== undefined) yield { start: index, end: index + length };
    // A different beginning may contain it later, and more characters may follow directly.
    pattern.lastIndex = index + (length ?? 1);
  }
}

/**
 * Length of the longest beginning of a match that ends with a group of its digits and passes the check: other numbers
 * may follow it.
 */
function longestGroups(match: string, isValid: (text: string) => boolean): number | undefined {
  for (let end = match.length; end > 0; end -= 1) {
    if (/\d/.test(match.charAt(end))) continue;
    if (/\d/.test(match.charAt(end - 1)) && isValid(match.slice(0, end))) return end;
  }
  return undefined;
}

function isCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  return digits.length >= 13 && digits.length <= 19 && passesLuhn(digits);
}

/** The length of an account number by country, because text after it may look like part of it. */
function acceptIban(match: string): number | undefined {
  let compact = "";
  const ends: number[] = [];
  for (const [index, character] of Array.from(match).entries()) {
    if (character === " " || character === "-") continue;
    compact += character.toUpperCase();
    ends.push(index + 1);
  }
  const length = ibanLength(compact);
  return length === undefined ? undefined : ends[length - 1];
}

function isIpv4(text: string): boolean {
  return text.split(".").every((octet) => Number(octet) <= 255 && String(Number(octet)) === octet);
}

function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const embedded = last?.includes(".") === true;
  if (embedded && !isIpv4(last)) return false;
  const count = groups.length + (embedded ? 1 : 0);
  if (groups.some((group) => group === "")) return false;
  // "::" alone, or "a::b" of a programming language, is not an address.
  return halves.length === 1 ? count === 8 : count >= 3 && count <= 7;
}

/**
 * International numbers are marked as such; national ones are written in groups, with enough digits not to be a date,
 * and are not an order number.
 */
function isPhone(text: string): boolean {
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length > 15) return false;
  if (text.startsWith("+")) return digits.length >= 8;
  const grouped = /\d[ .-]\d|[()]/.test(text);
  const national = digits.startsWith("0") || text.startsWith("(") ? 9 : 10;
  return grouped && digits.length >= national && digits.length <= 12 && !/^\d{4}-\d{2}-\d{2}/.test(text);
}
