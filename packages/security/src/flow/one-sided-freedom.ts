import type { CallReference, GrantReference } from "@bailiwick/core";

import { type ArgumentLeaf } from "./argument-leaves.ts";
import { isWithin } from "./paths.ts";
import type { ToolRoles } from "./tool-roles.ts";

/** A path of a grant, and the kind of grant that covers its value. */
export interface CoveredPath {
  readonly path: string;
  /**
   * `words`: of the user or developer. `declared` and `undeclared`: fields. `template`: with holes. `model`: composed.
   */
  readonly by: "words" | "declared" | "undeclared" | "template" | "model";
  /** The words fix one value. */
  readonly isEq?: boolean | undefined;
  /** The grant leaves it open, and the user's words lead to one value. */
  readonly isReached?: boolean | undefined;
  /** A reference chose among records, counted them, or gives each. */
  readonly isChosen?: boolean | undefined;
  /**
   * The calls whose results contain the value; with `each`, the model chose among the values in
   * their text.
   */
  readonly source?: (CallReference & Pick<GrantReference, "each">) | undefined;
}

/**
 * The paths of a call that carry no more than their grant says: fixed by words or declared fields. A value that data of
 * undeclared integrity chose counts only if words fix all other values of the call: then no private data goes to a
 * destination that outsiders chose [grants.one-sided.readers].
 */
export function fixedPaths(covered: readonly CoveredPath[]): readonly string[] {
  const source = covered.find(({ by }) => by === "undeclared")?.source?.tool;
  const isFixed =
    source !== undefined &&
    covered.every((one) => one.isEq === true || (one.by === "undeclared" && one.source?.tool === source))
      ? () => true
      : ({ by }: CoveredPath) => by === "words" || by === "declared";
  return covered.filter(isFixed).map(({ path }) => path);
}

/**
 * Data of undeclared integrity may choose the destination of a call, or the model may compose its content, but not both
 * [grants.one-sided]. For money, access and destruction, such data decides nothing [grants.grave].
 *
 * @returns why a grant does not cover the call, as the end of a sentence.
 */
export function freedomProblem(
  leaves: readonly ArgumentLeaf[],
  roles: ToolRoles,
  covered: readonly CoveredPath[],
  onlyUserReads = false,
): string | undefined {
  const waysOf = (leaf: ArgumentLeaf): readonly CoveredPath[] =>
    covered.filter(({ path }) => isWithin(leaf.path, path));
  const isContent = (leaf: ArgumentLeaf): boolean => roles.contentPaths.some((path) => isWithin(leaf.path, path));
  const isComposed = (leaf: ArgumentLeaf): boolean => waysOf(leaf).some(({ by }) => by === "model");
  const byContent = leaves.find((leaf) => isContent(leaf) && isComposed(leaf));
  if (byContent !== undefined) return `"${byContent.path}" names content, which may not be composed`;
  // The grant declares a composed argument as content.
  const decides = (leaf: ArgumentLeaf): boolean =>
    (leaf.role === "authority" || leaf.role === "egress" || isContent(leaf)) && !isComposed(leaf);
  const open = leaves.filter((leaf) => decides(leaf) && waysOf(leaf).some(({ by }) => by === "undeclared"));
  const [first] = open;
  if (first === undefined) return undefined;
  if (roles.grave)
    return `"${first.path}" is chosen by data without declared integrity, and the call is about money, access or destruction`;
  if (onlyUserReads || !roles.writer) return undefined;
  const payload = leaves.filter((leaf) => !decides(leaf) || isContent(leaf));
  const isChosen = open.some((leaf) => waysOf(leaf).some((way) => way.isChosen === true));
  const free = payload.find((leaf) =>
    waysOf(leaf).some(({ by, isEq }) => !(isEq === true || (by === "template" && !isChosen))),
  );
  return free === undefined
    ? undefined
    : `"${first.path}" is chosen by data without declared integrity, so "${free.path}" has to be fixed by the request`;
}
