import { isDeepStrictEqual } from "node:util";

/**
 * Prints one row of a page and its value.
 *
 * @param name - Type and name, such as `TokenUsage.totalTokens`.
 * @param value - The value that a run had.
 * @param expected - The value of the page; without it any value but `undefined` is right.
 * @throws Error if the value is missing or differs.
 */
export function row(name: string, value: unknown, expected?: unknown): void {
  if (value === undefined || (expected !== undefined && !isDeepStrictEqual(value, expected)))
    throw new Error(`${name} is ${shown(value)}${expected === undefined ? "" : `, not ${shown(expected)}`}.`);
  console.log(`${name} = ${shown(value)}`);
}

/** Prints the rows of one type. */
export function rows(type: string, values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) row(`${type}.${name}`, value);
}

function shown(value: unknown): string {
  if (typeof value === "function") return "a function";
  const text = JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one));
  return text === undefined ? String(value) : text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
