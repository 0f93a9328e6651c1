import { numberOf } from "./compare-values.ts";
import { isFetchable, isUrl } from "./egress.ts";
import { graveArguments, payloadNames } from "./guess-word-lists.ts";
import { plainForm, wordsOfName } from "./guess-words.ts";

/** Last words of argument names that identify a record. */
const keyNames: ReadonlySet<string> = new Set("id number no nr num key code ref reference uuid".split(" "));

/** Last words of argument names that a reader computes with. */
const computed: ReadonlySet<string> = new Set(
  "value sum total money cost fee quantity expression formula calculation encoded input".split(" "),
);

/** Number words. A tool that parses them could read an amount from a text. */
const numberWords: ReadonlySet<string> = new Set(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion and point"
  ).split(" "),
);

const currencies: ReadonlySet<string> = new Set(
  Intl.supportedValuesOf("currency").map((currency) => currency.toLowerCase()),
);

const personsName = /^(?=.{1,64}$)\p{L}[\p{L}\p{M}'’.-]*(?: \p{L}[\p{L}\p{M}'’.-]*){1,3}$/u;

/** True if an argument's name and value identify a record. */
export function isRecordKey(name: string, value: unknown): boolean {
  return isKeyName(name) && (typeof value === "number" || isToken(value));
}

/**
 * True if a value only identifies a record. For a number, also in words or other digits, the argument's name decides.
 */
export function isLookupKey(name: string, value: unknown): boolean {
  const last = wordsOfName(name).at(-1) ?? "";
  if ([computed, graveArguments, payloadNames].some((names) => plainForm(last, names) !== undefined)) return false;
  // A tool could convert digits and letters of other scripts to plain ones.
  if (typeof value === "string" && (value.normalize("NFKC") !== value || /(?![0-9])\p{Nd}/u.test(value))) return false;
  if (saysNumber(value)) return isKeyName(name) && numberOf(value) !== undefined;
  return isToken(value) || isPersonsName(value);
}

/** Tells if a value looks like the name of a person. */
export function isPersonsName(value: unknown): boolean {
  return typeof value === "string" && personsName.test(value);
}

function isToken(value: unknown): boolean {
  return typeof value === "string" && /^\S{1,64}$/u.test(value) && !isUrl(value) && !isFetchable(value);
}

function isKeyName(name: string): boolean {
  const last = wordsOfName(name).at(-1);
  return last !== undefined && plainForm(last, keyNames) !== undefined;
}

/** Tells if a value is a number in digits, in another notation, with a currency, or in words. */
function saysNumber(value: unknown): boolean {
  if (numberOf(value) !== undefined) return true;
  if (typeof value !== "string") return false;
  const text = value.toLowerCase().replaceAll(/[\p{Sc}\s]/gu, "");
  const bare = currencies.has(text.slice(0, 3)) ? text.slice(3) : text;
  const plain = currencies.has(bare.slice(-3)) ? bare.slice(0, -3) : bare;
  const digits = plain.replaceAll(/[,'’_]/gu, "").replace(/[kmb%]$/u, "");
  if (digits !== "" && !Number.isNaN(Number(digits))) return true;
  const words = value.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length > 0 && !/\d/u.test(value) && words.every((word) => numberWords.has(word));
}
