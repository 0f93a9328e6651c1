import type { CallReference } from "@bailiwick/core";

import { sameValue } from "./compare-values.ts";
import type { FindTool, FlowState, RecordedCall } from "./flow-state.ts";
import type { Leaf } from "./leaves.ts";
import { fieldIntegrity, valueIntegrity } from "./output-level.ts";
import { isComplete } from "./complete-list.ts";
import { wordsOfName } from "./guess-words.ts";
import { holds } from "./holds-value.ts";
import { leavesOf, nameOf } from "./leaves.ts";
import { isWithin, normalPath } from "./paths.ts";
import { textOf } from "./question-text.ts";
import { isTrusted } from "./trusted.ts";

/** Names of arguments that bound how much of a list is read. */
const lengths: ReadonlySet<string> = new Set("limit top size count max".split(" "));

/** Names of arguments for the position where reading of a list starts. */
const starts: ReadonlySet<string> = new Set("page offset skip".split(" "));

/** True if a value is in the user's words. */
export function isUsersIn({ userWords }: Pick<FlowState, "userWords">, value: unknown): boolean {
  return userWords.some(({ texts }) => texts.some((words) => holds(words, value, textOf(value))));
}

/**
 * [grants.bound-lookup] True if untrusted text may have chosen what a call returned: the model wrote an argument of the
 * call after it had read such text, and neither the user's words nor the grant fix the argument. For example, a lookup of
 * another order returns that order's total, and a search for the attacker's record finds only that record.
 */
export function isSteered(call: RecordedCall, { args: fixed }: Pick<CallReference, "args">, lookups: Lookups): boolean {
  const { state } = lookups;
  if (wasAskedInTrust(call, state)) return false;
  const granted = Object.keys(fixed ?? {}).map(normalPath);
  return leavesOf(call.args ?? {}).some(({ path, location, value }) => {
    if (typeof value === "object") return false;
    if (granted.some((one) => isWithin(path, one)) || isUsersIn(state, value) || hasWordsOf(state, value)) return false;
    if (typeof value === "number" && isWideBound(nameOf(location), value, call.output)) return false;
    return !isReached(value, call, lookups);
  });
}

/** Inputs of the decision if a lookup counts. */
export interface Lookups {
  readonly state: FlowState;
  readonly findTool: FindTool;
  /** The call that the lookup decides is about money, access or destruction. */
  readonly isGrave: boolean;
  /** Lookups that were judged for this decision: true if they count. */
  readonly judged: Map<RecordedCall, boolean>;
}

/**
 * [grants.bound-lookup.reach] True if a value is in a record of the user that the user's words selected: in an output
 * that is verified as a whole, so that others can add no record, of an earlier lookup that counts. For a grave call it is
 * the only value of its field there: otherwise the model would choose among the user's records.
 */
function isReached(value: unknown, before: RecordedCall, lookups: Lookups): boolean {
  const { state, findTool, isGrave } = lookups;
  const earlier = state.reads.findIndex(({ call }) => call === before);
  const reads = earlier < 0 ? state.reads : state.reads.slice(0, earlier);
  return reads.some(({ call }) => {
    const tool = findTool(call.toolName);
    if (tool === undefined || tool.toModelOutput !== undefined || state.roles(tool).writer) return false;
    if (call.succeeded !== true || call.distrusted === true || !isTrusted(fieldIntegrity(tool, ""))) return false;
    const leaves = leavesOf(call.output ?? null);
    const holders = leaves.filter(
      (leaf) => sameValue(leaf.value, value) && isTrusted(valueIntegrity(tool, leaf.path, leaf.value)),
    );
    const isOnly = ({ path }: Leaf): boolean =>
      leaves.every((leaf) => leaf.path !== path || sameValue(leaf.value, value));
    return holders.some((leaf) => !isGrave || isOnly(leaf)) && counts(call, lookups);
  });
}

/** True if no untrusted text chose a lookup; each is judged once. */
function counts(call: RecordedCall, lookups: Lookups): boolean {
  let known = lookups.judged.get(call);
  if (known === undefined) lookups.judged.set(call, (known = !isSteered(call, {}, lookups)));
  return known;
}

/** Number of letters that two forms of a word share, such as "plumber" and "plumbing". */
const stemLength = 5;

/** True if each word of a text is in the user's words, also in another form. */
function hasWordsOf({ userWords }: Pick<FlowState, "userWords">, value: unknown): boolean {
  if (typeof value !== "string") return false;
  const stems = (text: string): readonly string[] =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, stemLength));
  const said = new Set(userWords.flatMap(({ texts }) => texts.flatMap(stems)));
  const own = stems(value);
  return own.length > 0 && own.every((stem) => said.has(stem));
}

/** True if the model had read nothing untrusted when it made a call. */
export function wasAskedInTrust({ id }: RecordedCall, state: FlowState): boolean {
  const level = state.emitted.get(Number(/^t(\d+)\//u.exec(id)?.[1]))?.level;
  return level !== undefined && isTrusted(level.integrity);
}

/** True if an argument selects a part of a list. */
export function isBound(name: string): boolean {
  return wordsOfName(name).some((word) => lengths.has(word) || starts.has(word));
}

/** True if a number is a bound that leaves a list whole: it starts at the first record, or is larger than the list. */
export function isWideBound(name: string, value: number, output: unknown): boolean {
  if (!isBound(name)) return false;
  if (wordsOfName(name).some((word) => starts.has(word))) return value === 0 || (name === "page" && value === 1);
  return isComplete(output, { limit: value });
}
