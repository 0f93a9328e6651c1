import type { QuestionRecord } from "@bailiwick/core";

import type { CallView } from "./call-view.ts";
import { numberOf, sameValue } from "./compare-values.ts";
import { wordsOfName } from "./guess-words.ts";
import { leavesOf, nameOf, type Leaf } from "./leaves.ts";
import { isRecordKey } from "./lookup-keys.ts";
import { cut, textOf } from "./question-text.ts";
import { holders } from "./value-places.ts";

/** Characters of a record's name that a question shows. */
const nameShown = 60;

/** Last words of fields with the name of a record, the most specific first. */
const nameWords: readonly string[] = ["name", "title", "subject", "label", "summary", "description"];

/** Words of fields with an amount of money. */
const amountWords: ReadonlySet<string> = new Set(["price", "total", "amount", "cost", "sum", "balance"]);

/**
 * [questions.record] The name and amount of the record that a value is the id of, as results of this run have them: a
 * person cannot judge "P043". `undefined` if no record has the id, or if two records with it have different names.
 */
export function recordNamed(value: unknown, { reads }: Pick<CallView, "reads">): QuestionRecord | undefined {
  const found: QuestionRecord[] = [];
  for (const { call } of reads) {
    const leaves = leavesOf(call.output ?? null);
    for (const { location, value: id } of leaves) {
      if (!sameValue(id, value) || !isRecordKey(nameOf(location), id)) continue;
      const [holder = ""] = holders(location);
      const record = recordIn(leaves.filter((leaf) => isMember(leaf, holder)));
      if (record !== undefined) found.push(record);
    }
  }
  const [first, ...others] = found;
  return first !== undefined && others.every(({ name }) => name === first.name) ? first : undefined;
}

/** True for a field of an object itself, and not of an object inside it. */
function isMember({ location }: Leaf, holder: string): boolean {
  if (!location.startsWith(holder)) return false;
  const field = location.slice(holder.length).replace(/^\./u, "");
  return field !== "" && !/[.[]/u.test(field);
}

function recordIn(fields: readonly Leaf[]): QuestionRecord | undefined {
  const wordOf = ({ location }: Leaf): string => wordsOfName(nameOf(location)).at(-1) ?? "";
  const names = fields
    .filter((leaf) => typeof leaf.value === "string" && leaf.value !== "" && nameWords.includes(wordOf(leaf)))
    .toSorted((a, b) => nameWords.indexOf(wordOf(a)) - nameWords.indexOf(wordOf(b)));
  const [name] = names;
  if (name === undefined) return undefined;
  const amount = fields.find(
    (leaf) =>
      numberOf(leaf.value) !== undefined && wordsOfName(nameOf(leaf.location)).some((word) => amountWords.has(word)),
  );
  return {
    name: cut(textOf(name.value), nameShown),
    ...(amount !== undefined && { amount: textOf(amount.value) }),
  };
}
