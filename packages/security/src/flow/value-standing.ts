import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { CallView } from "./call-view.ts";
import { sameValue } from "./compare-values.ts";
import type { FindTool } from "./flow-state.ts";
import { outwardArguments } from "./guess-word-lists.ts";
import { plainForm, wordsOfName } from "./guess-words.ts";
import { leavesOf, nameOf } from "./leaves.ts";
import { valueIntegrity } from "./output-level.ts";
import { textOf } from "./question-text.ts";
import { isRecordKey } from "./lookup-keys.ts";
import { isUsersIn } from "./steered-lookup.ts";
import { recordLookups, recordValues } from "./record-lookups.ts";
import type { LookupKey, RecordLookup, RecordValue } from "./record-lookups.ts";
import { areOfOneRecord, rowsChosen } from "./record-rows.ts";
import { isTrusted } from "./trusted.ts";
import { formIn, mailsIn } from "./value-forms.ts";
import { holders, placesIn } from "./value-places.ts";

/** The reason why a call may have a value. */
export type Standing =
  /** The user's words contain it. */
  | { readonly by: "user" }
  /** The tool's schema sets it if the arguments lack it. */
  | { readonly by: "schema" }
  /** A declared field contains it; with keys, untrusted text chose the record, or the row of a list. */
  | { readonly by: "record"; readonly record: RecordValue; readonly keys: readonly LookupKey[] }
  /** It selected the record that another value of the call comes from. */
  | { readonly by: "key" }
  /**
   * Untrusted text may have chosen it. `otherOwner`: it selected a record of another person than the text's author.
   * `mixed`: the call has values from different records of one reader.
   */
  | { readonly by: "untrusted"; readonly otherOwner?: OtherOwner | undefined; readonly mixed?: true | undefined };

/** A record that belongs to another person than the author of the text that named it. */
interface OtherOwner {
  readonly key: LookupKey;
  readonly author: string;
  readonly owner: string;
}

/**
 * Words in argument names that indicate a recipient. Such a value does more than select a record.
 */
const persons: ReadonlySet<string> = new Set(
  (
    "customer client employee person owner contact beneficiary vendor supplier seller merchant wallet bank card handle " +
    "address destination dest receiver payout party peer tenant org organisation organization team chat company"
  ).split(" "),
);

/**
 * The origin class of each value of a call. Untrusted text decides a value unless the value is a declared field of a
 * record, or the key that selected a record from which another value of the call comes. A field that repeats an
 * argument of the reader is not a field of the record, so a lookup that echoes its argument changes nothing
 * [questions.selected].
 */
export function standingsOf(call: CallView, findTool: FindTool): (leaf: ArgumentLeaf) => Standing {
  const isUsers = (value: unknown): boolean => isUsersIn(call.state, value);
  const lookups = recordLookups(call, isUsers, findTool);
  const known = new Map<ArgumentLeaf, Standing>();
  const plain = (leaf: ArgumentLeaf): Standing => {
    const standing = known.get(leaf) ?? plainStanding(leaf, call, lookups, isUsers);
    known.set(leaf, standing);
    return standing;
  };
  const deciding = call.leaves.filter(({ role }) => role === "authority" || role === "egress");
  const isMixed = (leaf: ArgumentLeaf): boolean => {
    const own = recordValues(leaf.value, lookups);
    return deciding.some((other) => {
      if (other.path === leaf.path || holderOf(other) !== holderOf(leaf)) return false;
      const standings = [plain(leaf), plain(other)];
      if (!standings.every(({ by }) => by === "record")) return false;
      if (standings.every((one) => one.by === "record" && one.keys.length === 0)) return false;
      const others = recordValues(other.value, lookups);
      return !own.some((one) => others.some((another) => areOfOneRecord(one, another)));
    });
  };
  return (leaf) => {
    const standing = plain(leaf);
    if (standing.by === "record") return isMixed(leaf) ? { by: "untrusted", mixed: true } : standing;
    if (standing.by !== "untrusted" || standing.otherOwner !== undefined || !mayBeKey(leaf)) return standing;
    const chose = deciding.some((other) => {
      const selected = other === leaf ? undefined : plain(other);
      if (selected?.by !== "record") return false;
      return selected.keys.some(({ value }) => sameValue(value, leaf.value));
    });
    return chose ? { by: "key" } : standing;
  };
}

function plainStanding(
  { value }: ArgumentLeaf,
  call: CallView,
  lookups: readonly RecordLookup[],
  isUsers: (value: unknown) => boolean,
): Standing {
  if (isUsers(value)) return { by: "user" };
  const isFree = isTrusted(call.level.integrity);
  const [record] = recordValues(value, lookups).map((one) => {
    return { record: one, keys: [...one.lookup.keys, ...(isFree ? [] : rowsChosen(one, isUsers))] };
  });
  if (record === undefined) return { by: "untrusted" };
  const otherOwner = otherOwnerOf(record.record, record.keys, call);
  return otherOwner === undefined ? { by: "record", ...record } : { by: "untrusted", otherOwner };
}

/** The object around an argument. */
function holderOf({ location }: ArgumentLeaf): string {
  const row = location.replace(/(?:\[\d+\])+$/u, "");
  return row.slice(0, row.length - nameOf(row).length);
}

function mayBeKey({ role, location, value }: ArgumentLeaf): boolean {
  const name = nameOf(location);
  const words = wordsOfName(name);
  const namesPerson = words.some(
    (word) => plainForm(word, outwardArguments) !== undefined || plainForm(word, persons) !== undefined,
  );
  return role === "authority" && !namesPerson && isRecordKey(name, value) && formIn(textOf(value)) === undefined;
}

/** A record whose mail addresses do not include the author of the text that named its key. */
function otherOwnerOf(
  { lookup, leaf }: RecordValue,
  keys: readonly LookupKey[],
  call: CallView,
): OtherOwner | undefined {
  if (keys.length === 0) return undefined;
  const [owner, ...others] = ownersOf({ lookup, leaf });
  if (owner === undefined) return undefined;
  for (const key of keys) {
    const author = authorOf(key, call);
    if (author !== undefined && ![owner, ...others].includes(author)) return { key, author, owner };
  }
  return undefined;
}

/** The mail addresses of the innermost record around a field that has any. */
function ownersOf({ lookup, leaf }: RecordValue): readonly string[] {
  const leaves = leavesOf(lookup.read.call.output ?? null).filter(
    ({ path, value }) => typeof value === "string" && isTrusted(valueIntegrity(lookup.tool, path, value)),
  );
  for (const holder of holders(leaf.location)) {
    const within = leaves.filter(({ location }) => location.startsWith(holder));
    const mails = within.flatMap(({ value }) => mailsIn(String(value)));
    if (mails.length > 0) return [...new Set(mails)];
  }
  return [];
}

/** The mail address of the author of the text that holds a key. */
function authorOf({ value }: LookupKey, { reads }: CallView): string | undefined {
  for (const { call: read, level } of reads) {
    if (isTrusted(level.integrity)) continue;
    for (const { origin } of placesIn(read, value)) {
      const [mail] = mailsIn(origin.author ?? "");
      if (mail !== undefined) return mail;
    }
  }
  return undefined;
}
