import { mergeDiff3 } from "node-diff3";
import { textOf, type Change } from "../tree/changes.ts";
import type { ObjectStore } from "../tree/object-store.ts";
import type { Moved } from "./apply-tree.ts";

/** Longer files are not merged line by line. */
const longestMerge = 512 * 1024;

/**
 * Joins the folder's version of a file with the copy's: with conflict marks where both changed the same lines.
 *
 * @returns The text for the copy; `undefined` leaves the copy's version.
 */
export function mergedText(
  { now }: Moved,
  { before, after }: Change,
  store: Pick<ObjectStore, "get">,
): string | undefined {
  if (now === undefined || now.mode === "link" || after === undefined || after.mode === "link") return undefined;
  if (Math.max(now.bytes.length, after.size, before?.size ?? 0) > longestMerge) return undefined;
  const theirs = textOf(now.bytes);
  const ours = textOf(store.get(after.id));
  const base = before === undefined ? "" : textOf(store.get(before.id));
  if (theirs === undefined || ours === undefined || base === undefined) return undefined;
  const label = { a: "copy", o: "base", b: "folder" };
  const { result } = mergeDiff3(ours.split("\n"), base.split("\n"), theirs.split("\n"), {
    label,
    excludeFalseConflicts: true,
  });
  return result.join("\n");
}
