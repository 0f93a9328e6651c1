import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { CallView } from "./call-view.ts";
import { sameValue } from "./compare-values.ts";
import type { FindTool } from "./flow-state.ts";
import { leavesOf, type Leaf } from "./leaves.ts";
import { valueIntegrity } from "./output-level.ts";
import { newestWords, unusedNumbers } from "./question-level.ts";
import { recordLookups, recordValues, type RecordLookup, type RecordValue } from "./record-lookups.ts";
import { rowsChosen } from "./record-rows.ts";
import { isSecretField } from "./sensitive-content.ts";
import { isUsersIn } from "./steered-lookup.ts";
import { isTrusted } from "./trusted.ts";

/** Decides if an argument that the words leave open has a value in reach, given the values that they fix. */
export type Reach = (leaf: ArgumentLeaf, given: readonly unknown[]) => boolean;

/** A value in a result, with the fields that say which record it belongs to. */
interface Field {
  readonly value: unknown;
  /** Declared fields of its row and outside of lists, and the arguments of the lookup. */
  readonly around: readonly unknown[];
}

/**
 * [grants.reach] A value is in reach if it is a declared field of a record that the user's words select: the reader was
 * called with values of the user alone, and among all records that the reader returned, the values that the words fix leave
 * one value of this field. Only an argument that the tool declares as deciding can have one.
 */
export function reachOf(call: CallView, findTool: FindTool): Reach {
  const isUsers = (value: unknown): boolean => isUsersIn(call.state, value);
  let known: readonly RecordLookup[] | undefined;
  return (leaf, given) => {
    if (leaf.role !== "authority" || !leaf.declared || typeof leaf.value === "object") return false;
    if (unusedNumbers(newestWords(call), call, fixedInMessage(call)).length > 0) return false;
    const lookups = (known ??= recordLookups(call, isUsers, findTool));
    return recordValues(leaf.value, lookups).some(
      (found) =>
        found.lookup.keys.length === 0 && !isSecretField(found.leaf.location) && isOnly(found, given, call, isUsers),
    );
  };
}

/** The values that the grants for the newest message fix, also for other calls: the user typed them for these. */
function fixedInMessage({ state }: CallView): readonly unknown[] {
  const newest = state.userWords.at(-1)?.id;
  return state.grants.flatMap(({ grant, messageId }) =>
    messageId === newest ? Object.values(grant.args).flatMap((one) => ("eq" in one ? [one.eq] : [])) : [],
  );
}

/** True if the values that the words fix leave one value of a field, in all records that its reader returned. */
function isOnly(
  found: RecordValue,
  given: readonly unknown[],
  call: CallView,
  isUsers: (value: unknown) => boolean,
): boolean {
  const fields = fieldsLike(found, call);
  const ties = given.filter((value) => fields.some(({ around }) => holds(around, value)));
  if (ties.length === 0 && !isSelected(found, isUsers)) return false;
  const selected = fields.filter(({ around }) => ties.every((value) => holds(around, value)));
  return selected.length > 0 && selected.every(({ value }) => sameValue(value, found.leaf.value));
}

/** True if a value of the user selects a record: as an argument of its lookup, and by a field of its row. */
function isSelected(found: RecordValue, isUsers: (value: unknown) => boolean): boolean {
  const args = leavesOf(found.lookup.read.call.args ?? {});
  return (
    args.some(({ value }) => typeof value !== "object" && isUsers(value)) && rowsChosen(found, isUsers).length === 0
  );
}

const holds = (around: readonly unknown[], value: unknown): boolean => around.some((one) => sameValue(one, value));

/** Each value of one field in all results of its reader. */
function fieldsLike({ lookup, leaf }: RecordValue, { reads }: CallView): readonly Field[] {
  const { tool } = lookup;
  return reads.flatMap(({ call: read }) => {
    if (read.toolName !== tool.name) return [];
    const leaves = leavesOf(read.output ?? null);
    const declared = leaves.filter(({ path, value }) => isTrusted(valueIntegrity(tool, path, value)));
    const args = leavesOf(read.args ?? {}).map(({ value }) => value);
    return leaves
      .filter(({ path }) => path === leaf.path)
      .map((one) => ({
        value: one.value,
        around: [...declared.filter((other) => isOfRecord(other, one)).map(({ value }) => value), ...args],
      }));
  });
}

/** True if two fields are in the same rows of the same lists, or one of them is in fewer rows. */
function isOfRecord({ location: other }: Leaf, { location }: Leaf): boolean {
  const rows = rowsOf(location);
  return rowsOf(other).every((row, at) => rows[at] === undefined || rows[at] === row);
}

function rowsOf(location: string): readonly string[] {
  return [...location.matchAll(/\[\d+\]/gu)].map(({ index, 0: step }) => location.slice(0, index + step.length));
}
