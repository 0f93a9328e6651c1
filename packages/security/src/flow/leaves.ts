/** A leaf of a JSON value: all that is neither an object nor an array, and empty ones of these. */
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

const special = [".", "[", "]", '"'] as const;

/** Writes the name of a member as a path segment. */
export function segment(prefix: string, key: string): string {
  if (key === "" || special.some((character) => key.includes(character))) return `${prefix}[${JSON.stringify(key)}]`;
  return prefix === "" ? key : `${prefix}.${key}`;
}

/** One step of a path: a member's name, or `[]` for the items of an array. */
export type Step = string | readonly [];

/** The items step. */
export const items: readonly [] = [];

const stepPattern = /(?:^|\.)([^.[\]"]+)|\[(\d*)\]|\[("(?:[^"\\]|\\.)*")\]/gu;

/** Reads a path such as `a.b`, `a[].b`, `["a.b"]`; `a[0]` stands for every item. Returns none when it cannot be read. */
export function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  // Steps that do not add up to the path leave something between them that is none.
  let end = 0;
  for (const match of path.matchAll(stepPattern)) {
    end += match[0].length;
    const [, name, index, quoted] = match;
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(items);
    else steps.push(JSON.parse(quoted as string) as string);
  }
  return end === path.length ? steps : undefined;
}

/** A path in the form that leaves have. */
export function normalPath(path: string): string {
  const steps = stepsOf(path);
  if (steps === undefined) return path;
  let normal = "";
  for (const step of steps) normal = typeof step === "string" ? segment(normal, step) : `${normal}[]`;
  return normal;
}

/** Whether a path is another or lies below it. */
export function isWithin(path: string, ancestor: string): boolean {
  if (!path.startsWith(ancestor)) return false;
  if (path.length === ancestor.length || ancestor === "") return true;
  const next = path[ancestor.length];
  return next === "." || next === "[";
}

/** All values that a path addresses, each with the innermost object that holds it. */
export function valuesAt(
  value: unknown,
  steps: readonly Step[],
): readonly { readonly value: unknown; readonly item: unknown }[] {
  const [only] = steps;
  // Only speed: most arguments are members of the outer object.
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
