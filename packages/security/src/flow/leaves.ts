import { segment, type Step } from "./paths.ts";

/** A leaf of a JSON value: anything except a non-empty object or array. */
export interface Leaf {
  /** With `[]` for items, as declared in `flow` and in grants. */
  readonly path: string;
  /** With indexes, as shown to people. */
  readonly location: string;
  readonly value: unknown;
}

/** Every leaf of a JSON value, in order. */
export function leavesOf(value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  collect(value, "", "", leaves);
  return leaves;
}

function collect(value: unknown, path: string, location: string, leaves: Leaf[]): void {
  if (typeof value !== "object" || value === null) {
    leaves.push({ path, location, value });
    return;
  }
  if (Array.isArray(value)) {
    if (value.length === 0) leaves.push({ path, location, value });
    for (let index = 0; index < value.length; index += 1)
      collect(value[index], `${path}[]`, `${location}[${index}]`, leaves);
    return;
  }
  let empty = true;
  for (const key of Object.keys(value)) {
    empty = false;
    collect((value as Record<string, unknown>)[key], segment(path, key), segment(location, key), leaves);
  }
  if (empty) leaves.push({ path, location, value });
}

/** All values that a path addresses, each with the innermost object that holds it. */
export function valuesAt(
  value: unknown,
  steps: readonly Step[],
): readonly { readonly value: unknown; readonly item: unknown }[] {
  const [only] = steps;
  // Fast path: most arguments are members of the outer object.
  if (steps.length === 1 && typeof only === "string") {
    const holder = isHolder(value) && Object.hasOwn(value, only) ? value : undefined;
    return holder === undefined ? [] : [{ value: holder[only], item: value }];
  }
  let found: { value: unknown; item: unknown }[] = [{ value, item: value }];
  for (const step of steps) {
    found = found.flatMap(({ value: parent, item }) => {
      if (typeof step !== "string") {
        return Array.isArray(parent) ? parent.map((each: unknown) => ({ value: each, item: each })) : [];
      }
      return isHolder(parent) && Object.hasOwn(parent, step) ? [{ value: parent[step], item }] : [];
    });
  }
  return found;
}

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The last member of a path. */
export function nameOf(location: string): string {
  return location.replace(/(?:\[\d+\])+$/u, "").replace(/^.*[.\]](?=[^.\]]+$)/u, "");
}
