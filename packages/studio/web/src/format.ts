const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "narrow" });
const numbers = new Intl.NumberFormat();
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumFractionDigits: 1 });
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

/** A time in words, such as "3 min ago". */
export function ago(at: number, now: number = Date.now()): string {
  const seconds = Math.round((at - now) / 1_000);
  const steps = [
    [60, "second", 1],
    [3_600, "minute", 60],
    [86_400, "hour", 3_600],
    [Number.POSITIVE_INFINITY, "day", 86_400],
  ] as const;
  for (const [below, unit, size] of steps)
    if (Math.abs(seconds) < below) return relative.format(Math.trunc(seconds / size), unit);
  return "";
}

/** A point in time. */
export const fullTime = (at: number): string => dateTime.format(at);

/** A duration in milliseconds, such as "1.2 s". */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return "";
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${trimmed(ms / 1_000)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return twoUnits(seconds, 60, "min", "s");
  const minutes = Math.round(ms / 60_000);
  return minutes < 1_440 ? twoUnits(minutes, 60, "h", "min") : `${trimmed(ms / 86_400_000)} d`;
}

/** A number with at most one decimal place. */
const trimmed = (value: number): string => value.toFixed(1).replace(".0", "");

function twoUnits(value: number, size: number, large: string, small: string): string {
  const rest = value % size;
  return rest === 0 ? `${value / size} ${large}` : `${Math.floor(value / size)} ${large} ${rest} ${small}`;
}

/** A price in US dollars; empty if it is unknown, and never only zeros. */
export function cost(usd: number | undefined): string {
  if (usd === undefined) return "";
  if (usd === 0) return "free";
  if (usd < 0.0001) return "< $0.0001";
  return `$${usd.toFixed(usd < 0.01 ? 4 : usd < 1 ? 3 : 2)}`;
}

/** A count. */
export const count = (value: number): string => numbers.format(value);

/** A count with its noun. */
export const plural = (value: number, noun: string): string => `${count(value)} ${noun}${value === 1 ? "" : "s"}`;

/** A large count, such as "12.3K". */
export const short = (value: number): string => (value < 10_000 ? numbers.format(value) : compact.format(value));

/** A value of the framework in words: `awaiting_approval` is "awaiting approval". */
export const inWords = (name: string): string => name.replaceAll("_", " ");
