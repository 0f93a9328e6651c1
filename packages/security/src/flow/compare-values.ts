import { canonicalJson } from "@bailiwick/core/extension";

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d{1,9})?$/u;
/** Further digits would carry more than the point in time. */
const isoDate = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/u;

/** Compares two JSON values. */
export function sameJson(a: unknown, b: unknown): boolean {
  // Fast path: most values are not objects.
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

/** Compares two values by their meaning: a number and its digits, a date in two notations [grants.by-value]. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (sameJson(a, b)) return true;
  if (typeof a === "number" || typeof b === "number") {
    const [x, y] = [numberOf(a), numberOf(b)];
    return x !== undefined && x === y;
  }
  const [x, y] = [dateOf(a), dateOf(b)];
  return x !== undefined && y !== undefined && x.isDay === y.isDay && x.at === y.at;
}

/**
 * Compares two values without what only spells them: the scheme and the last slash of an address, case, blanks around
 * the value, and the signs of a currency or of thousands in a number [grants.correction].
 */
export function sameSpelling(a: unknown, b: unknown): boolean {
  const [x, y] = [spelled(a), spelled(b)];
  return x !== "" && sameValue(x, y);
}

function spelled(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.normalize("NFKC").trim().toLowerCase();
  const number = text.replaceAll(/[\p{Sc}\s]/gu, "").replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, "");
  if (plainNumber.test(number)) return number;
  return text.replace(/^https?:\/\//u, "").replace(/\/+$/u, "");
}

/** The number that a value is or spells in digits. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && plainNumber.test(value) ? Number(value) : undefined;
}

/** A point in time, or a day. */
interface PointInTime {
  readonly at: number;
  readonly isDay: boolean;
}

/** The date that a text represents. */
export function dateOf(value: unknown): PointInTime | undefined {
  if (typeof value !== "string" || !isoDate.test(value)) return undefined;
  const isDay = value.length === 10;
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(value.slice(10));
  const at = Date.parse(isDay ? `${value}T00:00:00Z` : `${value.replace(" ", "T")}${hasZone ? "" : "Z"}`);
  return Number.isNaN(at) ? undefined : { at, isDay };
}

/** [grants.within] Tells if a number or a date lies between two, both included. */
export function isWithinRange(value: unknown, [from, to]: readonly [unknown, unknown]): boolean {
  const [low, it, high] = [rankOf(from), rankOf(value), rankOf(to)];
  if (low === undefined || it === undefined || high === undefined || low.kind !== it.kind || high.kind !== it.kind)
    return false;
  // A day as the end of a range includes the whole day.
  const end = dateOf(to)?.isDay === true ? high.rank + 24 * 60 * 60 * 1000 - 1 : high.rank;
  return it.rank >= low.rank && it.rank <= end;
}

/** A position on the number line, or on the calendar. */
export function rankOf(value: unknown): { readonly kind: "number" | "date"; readonly rank: number } | undefined {
  const number = numberOf(value);
  if (number !== undefined) return { kind: "number", rank: number };
  const date = dateOf(value);
  return date === undefined ? undefined : { kind: "date", rank: date.at };
}
