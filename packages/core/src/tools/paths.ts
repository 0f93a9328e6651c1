import { ConfigurationError } from "../errors/configuration-errors.ts";

/** One step of a path: the member with a name, or every item of an array. */
export type PathStep = { readonly key: string } | { readonly items: true };

const STEP = /^(?:\.?([^.[\]"]+)|\[(\d*)\]|\.?\[("(?:[^"\\]|\\.)*")\])/u;

/**
 * Parses a path such as `name`, `a.b`, `a[].b` or `["a.b"]`. A numbered step such as `a[0]` means every item.
 *
 * @returns Its steps; none for the empty path, which is the value itself.
 * @throws ConfigurationError `INVALID_PATH` if it is not a path.
 */
export function parsePath(path: string): readonly PathStep[] {
  const steps: PathStep[] = [];
  let rest = path;
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (match === null || (steps.length === 0 && rest.startsWith("."))) {
      throw new ConfigurationError(
        "INVALID_PATH",
        `"${path}" is not a path. Write member names with dots, [] for the items of an array, and ["a.b"] for a name that has dots.`,
      );
    }
    const [text, name, index, quoted] = match;
    if (name !== undefined) steps.push({ key: name });
    else if (index !== undefined) steps.push({ items: true });
    else steps.push({ key: JSON.parse(quoted as string) as string });
    rest = rest.slice(text.length);
  }
  return steps;
}

/** Writes the name of a member as a path segment. */
function segment(prefix: string, key: string): string {
  if (/[.[\]"]/u.test(key) || key === "") return `${prefix}[${JSON.stringify(key)}]`;
  return prefix === "" ? key : `${prefix}.${key}`;
}

/** Writes a concrete location for error messages: `lines[0].amount`. */
export function formatPath(keys: readonly (string | number | symbol)[]): string {
  let path = "";
  for (const key of keys) path = typeof key === "number" ? `${path}[${key}]` : segment(path, String(key));
  return path;
}

/**
 * All values that a path addresses in a JSON value.
 *
 * @returns The values found, in order; empty if the path leads nowhere.
 */
export function valuesAt(value: unknown, steps: readonly PathStep[]): readonly unknown[] {
  let found: readonly unknown[] = [value];
  for (const step of steps) {
    found = found.flatMap((parent): readonly unknown[] => {
      if ("items" in step) return Array.isArray(parent) ? (parent as readonly unknown[]) : [];
      if (typeof parent !== "object" || parent === null || Array.isArray(parent)) return [];
      return Object.hasOwn(parent, step.key) ? [(parent as Record<string, unknown>)[step.key]] : [];
    });
  }
  return found;
}

/** A leaf of a JSON value: its general path, its exact path, and its value. */
export interface Leaf {
  /** Paths with `[]` for items, as declared in `flow`. */
  readonly path: string;
  /** The path with indexes, as shown to people. */
  readonly location: string;
  readonly value: unknown;
}

/**
 * Every leaf of a JSON value: anything except a non-empty object or array.
 *
 * @param value - The value to walk.
 */
export function leavesOf(value: unknown): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const stack: Leaf[] = [{ path: "", location: "", value }];
  for (let leaf = stack.pop(); leaf !== undefined; leaf = stack.pop()) {
    const { path, location, value: current } = leaf;
    if (Array.isArray(current) && current.length > 0) {
      for (let index = current.length - 1; index >= 0; index -= 1) {
        stack.push({ path: `${path}[]`, location: `${location}[${index}]`, value: current[index] as unknown });
      }
      continue;
    }
    const entries = typeof current === "object" && current !== null ? Object.entries(current) : [];
    if (entries.length === 0) leaves.push(leaf);
    for (const [key, member] of entries.reverse()) {
      stack.push({ path: segment(path, key), location: segment(location, key), value: member as unknown });
    }
  }
  return leaves;
}
