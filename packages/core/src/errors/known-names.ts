import { ConfigurationError } from "./configuration-errors.ts";
import { isObject, suggestion } from "./value-checks.ts";

/**
 * Refuses unknown options, because a misspelt one would be ignored. Intended for authors of providers, stores and guards.
 *
 * @param given - The options; `undefined` means none.
 * @param names - All valid names.
 * @param what - Function that takes the options, for the message: `openai()`.
 * @throws ConfigurationError `UNKNOWN_OPTION` with the nearest name, `INVALID_OPTION` if the options are not an
 *   object.
 * @example
 * ```ts
 * import { checkKnownNames } from "@bailiwick/core";
 *
 * export function ourStore(options: { readonly path: string }): string {
 *   checkKnownNames(options, ["path"], "ourStore()");
 *   return options.path;
 * }
 * ```
 */
export function checkKnownNames(given: unknown, names: readonly string[], what: string): void {
  if (given === undefined) return;
  if (!isObject(given)) {
    throw new ConfigurationError("INVALID_OPTION", `${what} takes an object with ${names.join(", ")}.`);
  }
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = suggestion(name, names);
    throw new ConfigurationError(
      "UNKNOWN_OPTION",
      `"${name}" is not an option of ${what}${near}. It has ${names.join(", ")}.`,
    );
  }
}
