import type { QuestionLevel, QuestionValue } from "@bailiwick/core";

import type { ArgumentLeaf } from "./argument-leaves.ts";
import type { CallView } from "./call-view.ts";
import { numberOf } from "./compare-values.ts";
import type { FindTool } from "./flow-state.ts";
import { leavesOf } from "./leaves.ts";
import { isLookalike } from "./lookalike.ts";
import { fieldIntegrity } from "./output-level.ts";
import { cut, textOf, valueShown } from "./question-text.ts";
import { isTrusted } from "./trusted.ts";
import { formIn, shapeOf } from "./value-forms.ts";
import type { Standing } from "./value-standing.ts";

/** A value that a question shows, with the reason why the call may have it. */
export interface StandingValue {
  readonly leaf: ArgumentLeaf;
  readonly value: QuestionValue;
  readonly standing: Standing;
}

/** A value of the user, or of a record, in whose place the call has another one. */
export interface Replaced {
  readonly kind: "differs_from_request" | "lookalike";
  readonly text: string;
}

/**
 * [questions.level] `suspicious`: the words ask for no call of this tool, or a value takes the place of a known one.
 * `normal`: they ask for it, and each value that decides is the user's, the developer's, or in a record that these select.
 */
export function levelOf(
  isAsked: boolean | undefined,
  deciding: readonly StandingValue[],
  isReplaced: boolean,
  call: CallView,
): QuestionLevel {
  if (isAsked === false || isReplaced) return "suspicious";
  const isOwn = deciding.every(({ standing }) => isOwnStanding(standing, call));
  return isAsked === true && isOwn && !leavesOutNumber(call, deciding) ? "normal" : "unusual";
}

/** True if no untrusted text had a part in a value. */
export function isOwnStanding(standing: Standing, call: CallView): boolean {
  if (standing.by === "record") return standing.keys.length === 0;
  return standing.by === "user" || standing.by === "schema" || isTrusted(call.level.integrity);
}

/** The known value that a value of the call takes the place of, as a sentence; `undefined` if there is none. */
export function replacedBy(one: StandingValue, call: CallView, findTool: FindTool): Replaced | undefined {
  const { leaf, standing, value } = one;
  if (!value.decides || standing.by === "user" || standing.by === "schema") return undefined;
  const words = newestWords(call);
  const text = textOf(leaf.value);
  if (text.length > longestCompared) return undefined;
  const isOwn = isOwnStanding(standing, call);
  const typed = [...largerThan(leaf.value, words), ...(isOwn ? [] : typedLike(leaf.value, words, call))].filter(
    (each) => each !== text,
  );
  if (typed.length > 0)
    return {
      kind: "differs_from_request",
      text: `You typed ${cut(typed.join(", "), partShown)}, but the call has ${cut(text, partShown)}.`,
    };
  if (isOwn || typeof leaf.value !== "string") return undefined;
  const known = [...wordsIn(words), ...onRecord(call, findTool)].find((each) => isLookalike(text, each));
  return known === undefined
    ? undefined
    : { kind: "lookalike", text: `${cut(text, partShown)} resembles ${cut(known, partShown)}, and is not the same.` };
}

/** Characters of a value in a sentence. */
const partShown = 40;

/** A longer value is a text. */
const longestCompared = 200;

/** Digits of a number that stands for something: shorter ones count and date. */
const leastDigits = 3;

export const newestWords = ({ state }: Pick<CallView, "state">): string =>
  (state.userWords.at(-1)?.texts ?? []).join("\n");

/** The amounts that the user typed, if a value of the call is larger than each of them, also if it is on record. */
function largerThan(value: unknown, words: string): readonly string[] {
  const number = numberOf(value);
  const amounts = number === undefined ? [] : amountsIn(words);
  return amounts.every((amount) => number !== undefined && number > amount) ? amounts.map(String) : [];
}

/** The values of the user's newest words of which a value of the call is another one. */
function typedLike(value: unknown, words: string, call: CallView): readonly string[] {
  const text = textOf(value);
  if (numberOf(value) === undefined) {
    const form = shapeOf(text);
    return form === undefined ? [] : (words.match(form) ?? []);
  }
  // An id of digits.
  if (typeof value !== "string" || text.length < leastDigits) return [];
  return unusedNumbers(words, call).filter((each) => each.length === text.length);
}

/** A number with a currency before or behind it. */
const currency = String.raw`\p{Sc}|(?:${Intl.supportedValuesOf("currency").join("|")}|[Ee]uros?|[Dd]ollars?|[Pp]ounds?)(?![\p{L}\p{N}])`;
const digits = String.raw`\d+(?:[.,']\d+)*`;
const amountForm = new RegExp(
  String.raw`(?:${currency})\s?(${digits})|(?<![\p{L}\p{N}.,-])(${digits})\s?(?:${currency})`,
  "gu",
);

/** The amounts of money in a text. */
function amountsIn(words: string): readonly number[] {
  return [...words.matchAll(amountForm)].map(([, one, other]) => {
    // The last separator before one or two digits is the decimal one.
    const [, whole = "", cents = "0"] = /^(.*?)(?:[.,](\d{1,2}))?$/u.exec(one ?? other ?? "") ?? [];
    return Number(`${whole.replaceAll(/\D/gu, "")}.${cents}`);
  });
}

/** The numbers of the newest words that no value of the call, and none of other values, has. */
export function unusedNumbers(
  words: string,
  call: Pick<CallView, "value">,
  others: readonly unknown[] = [],
): readonly string[] {
  const used = [...leavesOf(call.value ?? {}).map(({ value }) => value), ...others].map(textOf);
  const numbers = words.match(/(?<![\p{L}\p{N}.,:/-])\d+(?:[.,]\d+)?(?![\p{L}\p{N}:/-]|[.,]\d)/gu) ?? [];
  return numbers.filter(
    (number) => !used.some((text) => new RegExp(String.raw`(?<!\d)${number}(?!\d)`, "u").test(text)),
  );
}

/** True if the user typed a number, and the call has one of another origin in its place. */
function leavesOutNumber(call: CallView, deciding: readonly StandingValue[]): boolean {
  const isForeign = deciding.some(({ leaf, standing }) => standing.by !== "user" && numberOf(leaf.value) !== undefined);
  return isForeign && unusedNumbers(newestWords(call), call).length > 0;
}

function wordsIn(words: string): readonly string[] {
  const found = words.match(/[^\s"'`,;()<>[\]{}]+/gu) ?? [];
  return found.map((word) => word.replace(/[.:!?]+$/u, "")).filter((word) => word !== "");
}

/** The addresses in fields that only the application writes. */
function onRecord(call: CallView, findTool: FindTool): readonly string[] {
  return call.reads.flatMap(({ call: read }) => {
    const tool = findTool(read.toolName);
    if (tool === undefined || read.succeeded !== true || read.distrusted === true) return [];
    return leavesOf(read.output ?? null).flatMap(({ path, value }) =>
      typeof value === "string" &&
      value.length <= valueShown &&
      formIn(value) !== undefined &&
      isTrusted(fieldIntegrity(tool, path))
        ? [value]
        : [],
    );
  });
}
