import type { QuestionOrigin } from "@bailiwick/core";

import type { RecordedCall } from "./flow-state.ts";
import { holds, spacedForm } from "./holds-value.ts";
import { leavesOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";
import { inOneLine } from "./one-line.ts";
import { cut, textOf, valueShown } from "./question-text.ts";
import { candidatesIn } from "./value-forms.ts";
import { authorFields } from "./verified-author.ts";

/** Characters of a quote on each side of a value. */
const around = 40;

/** Maximum number of other fields of a record in a quote. */
const fieldsShown = 4;

/** Members of an author that is an object, the most specific first. */
const authorMembers: readonly string[] = ["address", "email", "mail", "name", "id"];

/** A leaf of a result that contains a value. */
export interface Place {
  readonly leaf: Leaf;
  readonly origin: Pick<QuestionOrigin, "path" | "quote" | "author">;
  readonly candidates?: number | undefined;
}

/** The places of a value in a result, each with its quote and author, and how many of its form there are. */
export function placesIn(read: RecordedCall, value: unknown): readonly Place[] {
  const text = textOf(value);
  return leavesOf(read.output ?? null).flatMap((leaf) => {
    const words = textOf(leaf.value);
    return words === text || holds(words, value, text) ? [placeAt(leaf, read.output, text)] : [];
  });
}

/** The place of a value in one leaf of a result. */
export function placeAt(leaf: Leaf, output: unknown, text: string): Place {
  const { path, location, value } = leaf;
  const words = textOf(value);
  const plainAt = words.toLowerCase().indexOf(text.toLowerCase());
  const spaced = plainAt < 0 ? spacedForm(text)?.exec(words) : undefined;
  const at = Math.max(0, spaced?.index ?? plainAt);
  const end = at + (spaced?.[0].length ?? text.length);
  const author = authorOf(output, location);
  const candidates = candidatesIn(words, text);
  return {
    leaf,
    origin: {
      path: inOneLine(path === "" ? "" : location),
      quote: inOneLine(words === text ? recordAround(leaf, output) : quoteAround(words, at, end)),
      ...(author !== undefined && { author: cut(author, valueShown) }),
    },
    ...(candidates > 1 && { candidates }),
  };
}

/** The words around a part of a text. A word that the limit would cut is left out. */
function quoteAround(words: string, from: number, to: number): string {
  const [start, end] = [Math.max(0, from - around), Math.min(words.length, to + around)];
  const before = words.slice(start, from);
  const after = words.slice(to, end);
  const isCutAtStart = start > 0 && /^\S/u.test(before) && /\S/u.test(words.charAt(start - 1));
  const isCutAtEnd = end < words.length && /\S$/u.test(after) && /\S/u.test(words.charAt(end));
  // Cut words are removed; a text without spaces is cut at the limit.
  const first = isCutAtStart ? before.replace(/^\S+\s+/u, "") : before;
  const last = isCutAtEnd ? after.replace(/\s+\S+$/u, "") : after;
  return `${first}${words.slice(from, to)}${last}`;
}

/** A field that contains only the value, with the other fields of its record: an id alone tells a person nothing. */
function recordAround({ location, value }: Leaf, output: unknown): string {
  const [holder = ""] = holders(location);
  const fields = leavesOf(output).flatMap((leaf) => {
    const field = leaf.location.startsWith(holder) ? leaf.location.slice(holder.length).replace(/^\./u, "") : "";
    const isOwn = leaf.location !== location && field !== "" && !/[.[]/u.test(field);
    const words = isOwn ? textOf(leaf.value) : "";
    return words === "" || words.length > around || leaf.value === null ? [] : [`${field}: ${words}`];
  });
  const own = location.slice(holder.length).replace(/^\./u, "");
  return fields.length === 0 ? textOf(value) : [`${own}: ${textOf(value)}`, ...fields.slice(0, fieldsShown)].join(", ");
}

/** The author of the innermost record around a leaf that names one. */
function authorOf(output: unknown, location: string): string | undefined {
  const leaves = leavesOf(output).filter((leaf) => typeof leaf.value === "string" && leaf.location !== location);
  return holders(location)
    .map((holder) => authorIn(leaves, holder))
    .find((author) => author !== undefined);
}

function authorIn(leaves: readonly Leaf[], holder: string): string | undefined {
  const named = leaves.flatMap((leaf) => {
    if (!leaf.location.startsWith(holder)) return [];
    const [field = "", member, ...more] = leaf.location
      .slice(holder.length)
      .replace(/^\./u, "")
      .toLowerCase()
      .split(".");
    if (!authorFields.has(field) || more.length > 0) return [];
    const rank = member === undefined ? 0 : authorMembers.indexOf(member);
    return rank < 0 ? [] : [{ rank, author: String(leaf.value) }];
  });
  return named.toSorted((a, b) => a.rank - b.rank)[0]?.author;
}

/** The objects and lists around a leaf, by location, the innermost first. */
export function holders(location: string): readonly string[] {
  const ends = [...location.matchAll(/[.[]/gu)].map(({ index }) => index).filter((index) => index > 0);
  return [...ends.toReversed().map((end) => location.slice(0, end)), ""];
}
