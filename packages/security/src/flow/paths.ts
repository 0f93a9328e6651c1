const special = [".", "[", "]", '"'] as const;

/** Writes the name of a member as a path segment. */
export function segment(prefix: string, key: string): string {
  if (key === "" || special.some((character) => key.includes(character))) return `${prefix}[${JSON.stringify(key)}]`;
  return prefix === "" ? key : `${prefix}.${key}`;
}

/** One step of a path: a member's name, or `[]` for the items of an array. */
export type Step = string | readonly [];

/** The step of a path to the items of a list. */
export const items: readonly [] = [];

const stepPattern = /(?:^|\.)([^.[\]"]+)|\[(\d*)\]|\[("(?:[^"\\]|\\.)*")\]/gu;

/** Parses a path such as `a.b`, `a[].b`, `["a.b"]`; `a[0]` means every item. Returns `undefined` for any other text. */
export function stepsOf(path: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  // If the steps do not cover the whole path, it contains text that is not a step.
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

/** A path in the form that leaves use. */
export function normalPath(path: string): string {
  const steps = stepsOf(path);
  if (steps === undefined) return path;
  let normal = "";
  for (const step of steps) normal = typeof step === "string" ? segment(normal, step) : `${normal}[]`;
  return normal;
}

/** True if a path equals another or is below it. */
export function isWithin(path: string, ancestor: string): boolean {
  if (!path.startsWith(ancestor)) return false;
  if (path.length === ancestor.length || ancestor === "") return true;
  const next = path[ancestor.length];
  return next === "." || next === "[";
}
