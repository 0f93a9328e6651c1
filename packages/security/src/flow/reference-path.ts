import type { GrantReference } from "@bailiwick/core";

import { leavesOf, valuesAt } from "./leaves.ts";
import { stepsOf, type Step } from "./paths.ts";

/**
 * The steps of a reference's path in some outputs. A field's name alone means the one path that ends with it, because
 * the planner sees no output: it cannot know that a list is in a member [grants.ref].
 *
 * @returns `undefined` if the text is not a path.
 */
export function stepsIn(
  { path }: Pick<GrantReference, "path">,
  outputs: readonly unknown[],
): readonly Step[] | undefined {
  const steps = stepsOf(path);
  const [name] = steps ?? [];
  const isName = steps?.length === 1 && typeof name === "string";
  if (!isName || outputs.some((output) => valuesAt(output, steps).length > 0)) return steps;
  const ending = new Set(
    outputs.flatMap((output) => leavesOf(output).flatMap((leaf) => (endsWith(leaf.path, name) ? [leaf.path] : []))),
  );
  const [only] = ending;
  return only !== undefined && ending.size === 1 ? stepsOf(only) : steps;
}

/** True if a path's last member has a name; items of a list in it may follow. */
function endsWith(path: string, name: string): boolean {
  return (stepsOf(path) ?? []).findLast((step) => typeof step === "string") === name;
}
