import { leavesOf, nameOf } from "./leaves.ts";
import { isPersonsName, isRecordKey } from "./lookup-keys.ts";
import type { LookupKey, RecordValue } from "./record-lookups.ts";
import { textOf } from "./question-text.ts";
import { mailsIn } from "./value-forms.ts";

/**
 * [questions.selected] The list rows around a field that the user's words do not name, each with the field that
 * identifies it. The model chose them after it had read untrusted text.
 */
export function rowsChosen({ lookup, leaf }: RecordValue, isUsers: (value: unknown) => boolean): readonly LookupKey[] {
  const leaves = leavesOf(lookup.read.call.output ?? null);
  return rowsAround(leaf.location).flatMap(({ list, at }): readonly LookupKey[] => {
    const inRow = leaves.filter(({ location }) => location.startsWith(at));
    const isOnly = leaves.every(({ location }) => !location.startsWith(`${list}[`) || location.startsWith(at));
    const names = inRow.filter(({ location, value }) => {
      const isName = isRecordKey(nameOf(location), value) || isPersonsName(value) || mailsIn(textOf(value)).length > 0;
      return isName;
    });
    if (isOnly || names.some(({ value }) => isUsers(value))) return [];
    const name = names.find(({ location, value }) => isRecordKey(nameOf(location), value)) ?? names[0] ?? leaf;
    return [{ name: nameOf(name.location), value: name.value }];
  });
}

/** True if two fields can belong to one record: not if they are in two rows of a list, or in two calls of a reader. */
export function areOfOneRecord(one: RecordValue, other: RecordValue): boolean {
  if (one.lookup.tool.name !== other.lookup.tool.name) return true;
  if (one.lookup !== other.lookup) return false;
  const rows = new Map(rowsAround(other.leaf.location).map(({ list, at }) => [list, at]));
  return rowsAround(one.leaf.location).every(({ list, at }) => (rows.get(list) ?? at) === at);
}

/** The rows of lists around a location, the outermost first. */
function rowsAround(location: string): readonly { readonly list: string; readonly at: string }[] {
  return [...location.matchAll(/\[\d+\]/gu)].map(({ index, 0: step }) => ({
    list: location.slice(0, index),
    at: location.slice(0, index + step.length),
  }));
}
