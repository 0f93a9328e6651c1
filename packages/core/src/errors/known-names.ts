import { ConfigurationError } from "./configuration-errors.ts";
import { isObject, suggestion } from "./value-checks.ts";

/**
 * Refuses unknown options, because a misspelt one would be ignored. Intended for authors of providers, stores and guards.
 *
 * @param given - What was given; `undefined` is nothing.
 * @param names - Every name that there is.
 * @param what - Whose options they are, for the message: `openai()`.
 * @throws ConfigurationError `UNKNOWN_OPTION` naming the nearest one, `INVALID_OPTION` for what is no object of options.
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
