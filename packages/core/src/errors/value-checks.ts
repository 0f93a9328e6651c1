import { nearestNames } from "./nearest-names.ts";
import { ConfigurationError } from "./configuration-errors.ts";

/**
 * Checks of option values. Each returns the expected kind of value as words for the message, such as "is true or
 * false", or `undefined`.
 */
export type Check = (value: unknown) => string | undefined;

/** The members of a group, each with its check; a member without one is checked where it is read. */
export type Fields<Names extends string = string> = Readonly<Record<Names, Check | undefined>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value)
      ? undefined
      : `is one of ${values.map((v) => `"${v}"`).join(", ")}`;

export const flag: Check = (value) => (typeof value === "boolean" ? undefined : "is true or false");

/** Text, which may be empty. */
export const anyText: Check = (value) => (typeof value === "string" ? undefined : "is a text");

export const callback: Check = (value) => (typeof value === "function" ? undefined : "is a function");

export const flagOrCallback: Check = (value) =>
  typeof value === "boolean" || typeof value === "function" ? undefined : "is true, false or a function";

export const text: Check = (value) => (typeof value === "string" && value !== "" ? undefined : "is a text, not empty");

export const strings: Check = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "")
    ? undefined
    : "is an array of non-empty strings";

export const list: Check = (value) => (Array.isArray(value) ? undefined : "is an array");

export const number =
  (least: number, unit: string, whole = false): Check =>
  (value) =>
    typeof value === "number" && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value))
      ? undefined
      : `is a ${whole ? "whole " : ""}number of ${unit}, ${least} or more`;

/** A number without a unit, up to `most`. */
export const between =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === "number" && Number.isFinite(value) && value >= least && value <= most
      ? undefined
      : `is a number ${most === Infinity ? `of at least ${least}` : `from ${least} to ${most}`}`;

/** A limit: a number of `least` or more. Infinity means unlimited. */
export const atLeast =
  (least: number, whole = false): Check =>
  (value) =>
    typeof value === "number" && value >= least && (!whole || value === Infinity || Number.isInteger(value))
      ? undefined
      : `is a ${whole ? "whole " : ""}number ${least === Number.MIN_VALUE ? "above 0" : `of at least ${least}`}`;

/** One of several checks passes. */
export const either: (what: string, ...checks: readonly Check[]) => Check =
  (what, ...checks) =>
  (value) =>
    checks.some((check) => check(value) === undefined) ? undefined : what;

export const record: Check = (value) => (isObject(value) ? undefined : "is an object");

/**
 * Joins a name and the result of its check: "is a text" becomes "must be a text". An error inside a value begins with the
 * path to it, directly after the name: `reasoning.effort must be one of …`, `grants[0].tool must be a text`.
 */
export function said(name: string | number, wrong: string): string {
  return /^[.[]/u.test(wrong) ? `${name}${wrong}` : `${name} ${wrong.replace(/^is /u, "must be ")}`;
}

/** Turns the error of a member into an error of the object or list that contains it. */
export function inside(member: string | number, wrong: string): string {
  if (typeof member === "number") return said(`[${member}]`, wrong);
  return said(/^\w+$/u.test(member) ? `.${member}` : `[${JSON.stringify(member)}]`, wrong);
}

/** A list whose items are all of one kind. */
export const listOf: (item: Check) => Check = (item) => (value) => {
  if (!Array.isArray(value)) return "is an array";
  for (const [index, each] of value.entries()) {
    const wrong = item(each);
    if (wrong !== undefined) return inside(index, wrong);
  }
  return undefined;
};

/** An object that has these members, and may have others. */
export const fields: (members: Readonly<Record<string, Check>>) => Check = (members) => (value) => {
  if (!isObject(value)) return "is an object";
  for (const [name, check] of Object.entries(members)) {
    const wrong = check(value[name]);
    if (wrong !== undefined) return inside(name, wrong);
  }
  return undefined;
};

/** An object with these methods, of any class. */
export const having =
  (what: string, ...methods: readonly string[]): Check =>
  (value) => {
    const target = (value ?? {}) as Record<string, unknown>;
    const missing = methods.find((method) => typeof target[method] !== "function");
    return missing === undefined ? undefined : `is ${what}; what was given has no ${missing}()`;
  };

/** A record with any names, whose values are all of one kind. */
export const recordOf: (member: Check) => Check = (member) => (value) => {
  if (!isObject(value)) return "is an object";
  for (const [key, each] of Object.entries(value)) {
    const wrong = each === undefined ? undefined : member(each);
    if (wrong !== undefined) return inside(key, wrong);
  }
  return undefined;
};

/** An object with a closed set of members. */
export const shape =
  (members: Fields): Check =>
  (value) => {
    if (!isObject(value)) return "is an object";
    for (const [key, member] of Object.entries(value)) {
      if (!Object.hasOwn(members, key)) return `has no "${key}"${suggestion(key, Object.keys(members))}`;
      const wrong = member === undefined ? undefined : members[key]?.(member);
      if (wrong !== undefined) return inside(key, wrong);
    }
    return undefined;
  };

/**
 * The name that was probably meant.
 *
 * @param otherNames - Names of other frameworks, with ours.
 */
export function meantName(
  name: string,
  names: readonly string[],
  otherNames: Readonly<Record<string, string>> = {},
): string | undefined {
  const other = Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
  return other !== undefined && names.includes(other) ? other : nearestNames(name, names, 1)[0];
}

/** The name that was probably meant, to append to a message about a wrong one. */
export function suggestion(...given: Parameters<typeof meantName>): string {
  const near = meantName(...given);
  return near === undefined ? "" : ` (did you mean "${near}"?)`;
}

/** A value, if it is short enough to print. */
export function shown(value: unknown): string {
  if (typeof value === "string") return ` (it is ${JSON.stringify(value)})`;
  return typeof value === "number" || typeof value === "boolean" ? ` (it is ${value})` : "";
}

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
