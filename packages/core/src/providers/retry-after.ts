import { beginningOf } from "./foreign-text.ts";

/**
 * Reads one response header; names in lower case.
 *
 * @param name - Name of the header, in lower case.
 */
export type ReadHeader = (name: string) => string | null | undefined;

/**
 * The delay that a vendor demands in `retry-after-ms` or `retry-after` (seconds or a date), in milliseconds.
 * `undefined` if it is absent or not plausible.
 *
 * @param read - Reads a response header.
 * @param now - Milliseconds since the epoch, for dates.
 */
export function retryAfterMs(read: ReadHeader, now: number = Date.now()): number | undefined {
  const exact = asDelay(read("retry-after-ms"), 1);
  if (exact !== undefined) return exact;
  const header = read("retry-after");
  if (header === null || header === undefined) return undefined;
  const seconds = asDelay(header, 1000);
  if (seconds !== undefined) return seconds;
  // A bare number that is not a delay is not a year either.
  const date = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  // A date in the past shows that one of the clocks is wrong: it is no wish for a repetition at once.
  return date > now ? date - now : undefined;
}

function asDelay(text: string | null | undefined, factor: number): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? Math.round(value * factor) : undefined;
}

const toldDelay =
  /\b(?:try|retry)(?: again)? (?:in|after) ((?:\d+(?:\.\d+)? ?(?:ms|milli|s|sec|m|min|h)[a-z]*[ ,]*(?:and )?)+)/i;
const unitMs: readonly (readonly [RegExp, number])[] = [
  [/^(ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
];

/**
 * The delay that an error message names, in milliseconds: "Please try again in 1m2.5s.", "Please retry after 20
 * seconds."
 */
export function toldDelayMs(sentence: string): number | undefined {
  const delay = toldDelay.exec(beginningOf(sentence))?.[1];
  if (delay === undefined) return undefined;
  let sum = 0;
  for (const [, count, unit = ""] of delay.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    sum += Number(count) * (unitMs.find(([name]) => name.test(unit))?.[1] ?? 0);
  }
  return Math.ceil(sum);
}
