import { ConfigurationError } from "./configuration-errors.ts";
import { meantName, suggestion } from "./value-checks.ts";

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
  checkArgument(given, "object", `${what} with { ${names.join(", ")} }`);
  for (const name of Object.keys(given as object)) {
    if (names.includes(name)) continue;
    const near = suggestion(name, names);
    throw new ConfigurationError(
      "UNKNOWN_OPTION",
      `"${name}" is not an option of ${what}${near}. It has ${names.join(", ")}.`,
    );
  }
}

/**
 * Refuses an argument of another kind, or a missing one. Intended for authors of providers, stores and guards.
 *
 * @param given - The argument.
 * @param kind - The required kind: `array`, or a result of `typeof`; or a method that the argument needs.
 * @param form - The correct call, for the message: `retryRun(store, runId)`.
 * @throws ConfigurationError `INVALID_OPTION`
 * @example
 * ```ts
 * import { checkArgument } from "@bailiwick/core";
 *
 * export function shout(text: string): string {
 *   checkArgument(text, "string", "shout(text)");
 *   return text.toUpperCase();
 * }
 * ```
 */
export function checkArgument(given: unknown, kind: string, form: string): void {
  const found = given === null ? "null" : Array.isArray(given) ? "array" : typeof given;
  if (found === kind || typeof (given as Record<string, unknown> | undefined)?.[kind] === "function") return;
  throw new ConfigurationError("INVALID_OPTION", `Write ${form}; an argument is of the type ${found}.`);
}

/**
 * Refuses unknown names of a group.
 *
 * @param message - The beginning of the error; it ends with the place or the name that was probably meant.
 * @param elsewhere - Where a name belongs, as a sentence.
 * @param otherNames - Names of other frameworks, with ours.
 * @throws ConfigurationError `UNKNOWN_OPTION`
 */
export function checkNames(
  group: object,
  known: readonly string[],
  message: (name: string) => string,
  elsewhere?: (name: string) => string | undefined,
  otherNames?: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(group)) {
    if (known.includes(name)) continue;
    const near = meantName(name, known, otherNames);
    const hint = elsewhere?.(name) ?? (near === undefined ? "" : ` Did you mean "${near}"?`);
    throw new ConfigurationError("UNKNOWN_OPTION", `${message(name)}${hint}`);
  }
}
