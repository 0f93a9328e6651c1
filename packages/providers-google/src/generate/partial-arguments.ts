import { isJsonObject } from "@bailiwick/core/provider";

type Container = Record<string, unknown> | unknown[];

/** The largest index of a list that is written: a wrong path must not fill the memory. */
const maxIndex = 10_000;
/** A step of a path (RFC 9535): `.name`, `['name']` or `[0]`. */
const step = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d{1,5})\]/y;

/** The steps of a path such as `$.stops[0].name`; `undefined` if it is not a path. */
function stepsOf(path: string): readonly (string | number)[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const steps: (string | number)[] = [];
  step.lastIndex = 1;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (found === null) return undefined;
    const [, plain, single, double, index] = found;
    const name = plain ?? (single ?? double)?.replaceAll(/\\(.)/g, "$1");
    steps.push(name ?? Number(index));
  }
  return steps.length === 0 ? undefined : steps;
}

/**
 * Sets a value in arguments.
 *
 * @param args - The arguments.
 * @param path - The place.
 * @param value - A string, number, boolean or null.
 * @param appends - True if a text is appended to the text that is there.
 * @returns False if it is not a path, or leads through a value without members.
 */
export function setAt(args: Record<string, unknown>, path: string, value: unknown, appends: boolean): boolean {
  const steps = stepsOf(path);
  if (steps === undefined) return false;
  let container: Container = args;
  for (const [index, key] of steps.entries()) {
    if (Array.isArray(container) !== (typeof key === "number") || (typeof key === "number" && key > maxIndex))
      return false;
    const before = Object.getOwnPropertyDescriptor(container, key)?.value as unknown;
    const next = steps[index + 1];
    if (next === undefined) {
      put(container, key, appends && typeof before === "string" ? `${before}${String(value)}` : value);
      return true;
    }
    const inner: unknown = before ?? (typeof next === "number" ? [] : {});
    if (!Array.isArray(inner) && !isJsonObject(inner)) return false;
    if (before === undefined) put(container, key, inner);
    container = inner as Container;
  }
  return false;
}

/** Defines the property: a name such as `__proto__` is an argument like any other. */
function put(container: Container, key: string | number, value: unknown): void {
  Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * The beginning of JSON that stays the same when more is added: without the ends of open texts, lists and objects.
 *
 * @param json - JSON of the received arguments.
 */
export function openText(json: string): string {
  // Not a pattern: one that ends with the text takes quadratic time for a long run of these characters.
  let end = json.length;
  while (end > 0 && '"]}'.includes(json.charAt(end - 1))) end -= 1;
  return json.slice(0, end);
}
