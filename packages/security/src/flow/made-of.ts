import type { ResolvedTool } from "@bailiwick/core";

import { readingVerbs } from "./guess-word-lists.ts";
import { plainForm, wordsOfName } from "./guess-words.ts";
import { leavesOf } from "./leaves.ts";
import { literalsOf } from "./source-literals.ts";
import { isOwnVoice } from "./tool-source.ts";

/** Parts that a result may be made of beside the tool's own words. */
export interface Ingredients {
  /** The call's arguments. */
  readonly args: unknown;
  /** True for a number that counts something in the session's state. */
  readonly isCount: (value: number) => boolean;
}

/** Longest text and largest number of values of a result that is taken apart. */
const longestText = 2_000;
const mostLeaves = 32;

/** Bits of a boolean or of nothing. */
const bitsOfFlag = 1;

/**
 * [flow.r2.made-of] The bits that a result adds to what it is made of: the call's arguments, the tool's name and
 * description, the texts in the tool's source, and counters of the session's state. Which of them it has, and in which
 * order, is all that anything else could have decided. Each of its texts has an argument or a counter in it.
 *
 * @returns Bits, or `undefined` for a result that has anything else, and for a reader: the texts of a reader stand for
 *   data, also where a test or a demo has them in its source.
 */
export function bitsBesideMakings(
  tool: ResolvedTool,
  output: unknown,
  { args, isCount }: Ingredients,
): number | undefined {
  if (!isOwnVoice(tool) || tool.__outputDeclared || tool.toModelOutput !== undefined) return undefined;
  if (typeof tool.execute !== "function" || output === undefined || isReader(tool)) return undefined;
  const source = sourceOf(tool.execute);
  const leaves = leavesOf(output);
  if (leaves.length > mostLeaves) return undefined;
  const given = givenTexts(args);
  const pieces: Pieces = { given, own: [...source.literals, tool.name, tool.description], isCount };
  let bits = 0;
  for (const { path, value } of leaves) {
    if (!namesOf(path).every((name) => source.words.has(name) || given.includes(name))) return undefined;
    const own = bitsOfLeaf(value, pieces);
    if (own === undefined) return undefined;
    bits += own;
  }
  return bits;
}

/** True if a text is made of the call's arguments and of texts in the tool's source alone, and has an argument in it. */
export function isOwnText(tool: ResolvedTool, value: unknown, ingredients: Ingredients | undefined): boolean {
  if (ingredients === undefined || typeof value !== "string" || value.length > longestText) return false;
  if (!isOwnVoice(tool) || typeof tool.execute !== "function") return false;
  const given = givenTexts(ingredients.args);
  const own = [...sourceOf(tool.execute).literals, tool.name, tool.description];
  return bitsOfText(value, { given, own, isCount: ingredients.isCount }) !== undefined;
}

/** True if a tool's declaration, or a verb in its name, says that it reads. */
export function isReader({ name, __effectDeclared, __isWriter }: ResolvedTool): boolean {
  if (__effectDeclared) return !__isWriter;
  return wordsOfName(name).some((word) => plainForm(word, readingVerbs) !== undefined);
}

interface Pieces {
  readonly given: readonly string[];
  /** In the order of the source. */
  readonly own: readonly string[];
  readonly isCount: (value: number) => boolean;
}

function bitsOfLeaf(value: unknown, pieces: Pieces): number | undefined {
  if (value === null || typeof value === "boolean") return bitsOfFlag;
  // An empty object or list.
  if (typeof value === "object") return bitsOfFlag;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  return text.length > longestText ? undefined : bitsOfText(text, pieces);
}

/**
 * The bits of the cheapest way to put a text together. A choice costs the logarithm of the alternatives; the text that
 * follows in the source costs nothing.
 */
function bitsOfText(text: string, { given, own, isCount }: Pieces): number | undefined {
  const perGiven = Math.log2(given.length + 1);
  const perOwn = Math.log2(own.length + 1);
  // The fewest bits for each place of the text, by the last text of the source that was used. The first half is for
  // beginnings that have no argument or counter yet.
  const fixed = own.length + 1;
  const best: Map<number, number>[] = Array.from({ length: text.length + 1 }, () => new Map());
  best[0]?.set(0, 0);
  for (let at = 0; at < text.length; at += 1) {
    for (const [state, bits] of best[at] ?? []) {
      const last = state % fixed;
      const isFixed = state < fixed;
      const reach = (length: number, next: number, cost: number): void => {
        const there = best[at + length];
        if (there !== undefined && bits + cost < (there.get(next) ?? Infinity)) there.set(next, bits + cost);
      };
      for (const one of given) if (text.startsWith(one, at)) reach(one.length, fixed + last, perGiven);
      for (const [index, one] of own.entries())
        if (text.startsWith(one, at)) reach(one.length, (isFixed ? 0 : fixed) + index + 1, index === last ? 0 : perOwn);
      const [digits = ""] = /^\d{1,15}(?!\d)/u.exec(text.slice(at, at + 16)) ?? [];
      if (digits !== "" && String(Number(digits)) === digits && isCount(Number(digits)))
        reach(digits.length, fixed + last, perGiven);
    }
  }
  const ends = [...(best[text.length] ?? [])].flatMap(([state, bits]) => (state < fixed ? [] : [bits]));
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** The values of the arguments as texts, without empty ones. A member's name is the schema's or the model's. */
function givenTexts(args: unknown): readonly string[] {
  const texts = leavesOf(args ?? {}).flatMap(({ value }) =>
    (typeof value === "string" && value !== "") || typeof value === "number" ? [String(value)] : [],
  );
  return [...new Set(texts)];
}

/** The names of members in a path. */
function namesOf(path: string): readonly string[] {
  return path.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

interface Source {
  readonly literals: readonly string[];
  readonly words: ReadonlySet<string>;
}

const known = new WeakMap<object, Source>();

function sourceOf(execute: (...given: never[]) => unknown): Source {
  let source = known.get(execute);
  if (source === undefined) {
    const text = Function.prototype.toString.call(execute);
    source = { literals: literalsOf(text), words: new Set(namesOf(text)) };
    // A cache: a function's source does not change.
    known.set(execute, source);
  }
  return source;
}
