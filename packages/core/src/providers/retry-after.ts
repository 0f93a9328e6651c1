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

/** Headers that say when a limit is reset: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-tokens-reset`. */
const resetHeader = /^(x-ratelimit|anthropic-ratelimit)-(?:reset(?:-(.+))?|(.+)-reset)$/;

/**
 * The delay until the limits of an account are reset, in milliseconds: of the limits that are used up, the one that is
 * reset last; of limits without a count, the one that is reset first. `undefined` without such a header.
 *
 * @param headers - Response headers.
 * @param now - Milliseconds since the epoch, for dates.
 */
export function resetDelayMs(headers: Headers, now: number = Date.now()): number | undefined {
  const spent: number[] = [];
  const uncounted: number[] = [];
  for (const [name, value] of headers) {
    const [, family, after, before] = resetHeader.exec(name) ?? [];
    if (family === undefined) continue;
    const limit = after ?? before;
    const delayMs = resetTime(value, now);
    if (delayMs === undefined) continue;
    const left = headers.get(
      limit === undefined
        ? `${family}-remaining`
        : family === "x-ratelimit"
          ? `x-ratelimit-remaining-${limit}`
          : `${family}-${limit}-remaining`,
    );
    if (left === null) uncounted.push(delayMs);
    else if (Number(left) <= 0) spent.push(delayMs);
  }
  if (spent.length > 0) return Math.max(...spent);
  return uncounted.length > 0 ? Math.min(...uncounted) : undefined;
}

/** Longest value of a header that is read. */
const longestValue = 100;

/** A point in time or a duration: `6m0s`, `28ms`, seconds, seconds or milliseconds since the epoch, or a date. */
function resetTime(text: string, now: number): number | undefined {
  if (text.length > longestValue) return undefined;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) {
    const delayMs = value > 1e12 ? value - now : value > 1e9 ? value * 1000 - now : value * 1000;
    return delayMs > 0 ? Math.ceil(delayMs) : undefined;
  }
  if (/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text.trim())) return sumOfUnits(text) || undefined;
  const date = Date.parse(text);
  return date > now ? date - now : undefined;
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
  return delay === undefined ? undefined : sumOfUnits(delay);
}

/** The milliseconds of counts with units, such as `1m2.5s`. */
function sumOfUnits(delay: string): number {
  let sum = 0;
  for (const [, count, unit = ""] of delay.matchAll(/(\d+(?:\.\d+)?) ?([a-z]+)/gi)) {
    sum += Number(count) * (unitMs.find(([name]) => name.test(unit))?.[1] ?? 0);
  }
  return Math.ceil(sum);
}
