import type { CallReference, GrantReference, JsonValue, ResolvedTool } from "@bailiwick/core";

import { isTrusted } from "./trusted.ts";
import { rankOf, sameJson, sameValue } from "./compare-values.ts";
import { isComplete } from "./complete-list.ts";
import { leavesOf, valuesAt } from "./leaves.ts";
import { stepsOf, type Step } from "./paths.ts";
import type { FindTool, RecordedCall } from "./flow-state.ts";
import { fieldIntegrity, isVouched, mayQuoteOthers } from "./output-level.ts";
import { isPrefix, isWords } from "./reference-form.ts";
import { memberOf, pathsOf, rowsAt, type DependedPaths, type RowValue } from "./referred-rows.ts";
import { floodedProblem } from "./whole-list.ts";

/** The calls that references name. */
export interface ReferredCalls {
  readonly calls: readonly RecordedCall[];
  readonly findTool: FindTool;
  /** True if untrusted text may have chosen what a call returned. Default: no call was chosen so. */
  readonly isSteered?: ((call: RecordedCall, reference: CallReference) => boolean) | undefined;
}

/** The values that a reference gives, or the reason that it gives none. */
export type Resolved =
  | { readonly problem: string }
  | {
      readonly value: JsonValue;
      /** All values that are granted: several with `each`. */
      readonly values: readonly JsonValue[];
      /** Every field that it reads and selects by has declared integrity. */
      readonly declared: boolean;
      /** It chose among records, counted them, or returned each of them. */
      readonly chosen: boolean;
    };

/** The successful calls that a reference names, without those that untrusted text may have chosen. */
interface NamedCalls {
  readonly named: readonly RecordedCall[];
  /** The reason why there may be none. */
  readonly problem: string;
}

/** [grants.bound-lookup] Finds the calls that count for a reference. */
function namedCalls(reference: CallReference, { calls, isSteered }: ReferredCalls): NamedCalls {
  const all = calls.filter((call) => call.succeeded === true && namesCall(reference, call));
  const named = all.filter((call) => isSteered?.(call, reference) !== true);
  const problem =
    named.length < all.length
      ? `"${reference.tool}" was called with a value that neither the user nor the grant gave`
      : `"${reference.tool}" was not called, or gave no such field`;
  return { named, problem };
}

/** True if a recorded call is one that a reference names: the tool, and each argument that is listed. */
export function namesCall(reference: CallReference, call: Pick<RecordedCall, "toolName" | "args">): boolean {
  if (reference.tool !== call.toolName) return false;
  return Object.entries(reference.args ?? {}).every(([path, expected]) => {
    const steps = stepsOf(path);
    if (steps === undefined) return false;
    const found = valuesAt(call.args, steps);
    return found.length === 1 && sameJson(found[0]?.value, expected);
  });
}

/**
 * [grants.ref] Resolves a reference over the recorded calls: all calls that it names must give the same value.
 *
 * Over fields of undeclared integrity, exactly one record has to match [grants.unique]. The list has to be whole, except
 * where the verified author selects the record, or others can add none [grants.whole-list].
 */
export function resolveReference(reference: GrantReference, referred: ReferredCalls): Resolved {
  const tool = referred.findTool(reference.tool);
  if (tool === undefined) return { problem: `no tool is named "${reference.tool}"` };
  const { named, problem: missing } = namedCalls(reference, referred);
  const steps = stepsIn(
    reference,
    named.map(({ output }) => output),
  );
  if (steps === undefined) return { problem: `"${reference.path}" is not a path` };
  const held = named.map((call) => ({ call, values: rowsAt(call.output, steps) }));
  const keys = [...Object.keys(reference.where ?? {}), ...(reference.by === undefined ? [] : [reference.by.field])];
  const paths = pathsOf(
    steps,
    keys,
    held.flatMap(({ values }) => values),
  );
  const mayQuote = mayQuoteOthers(tool);
  const isDeclared =
    paths.every((path) => isTrusted(fieldIntegrity(tool, path))) &&
    held.every(({ values }) => values.every(({ value }) => !mayQuote || isVouched(tool, paths[0], value)));
  const given: JsonValue[] = [];
  const notOne = `"${reference.path}" of "${reference.tool}" is not exactly one value`;
  let problem = missing;
  let declared = true;
  for (const { call, values } of held) {
    const found = values.filter(({ rows }) => matchesWhere(reference.where, rows));
    if (found.length === 0 && mayBeEmpty(reference)) {
      problem = notOne;
      continue;
    }
    const isOwn = found.length > 0 && found.every((one) => isOwnRow(tool, paths, one));
    const unknown = isDeclared || isOwn ? undefined : undeclaredProblem(reference, found.length);
    declared &&= isDeclared || isOwn;
    const refused = unknown ?? floodedProblem(reference, call, { tool, steps, isDeclared, isOwn });
    if (refused !== undefined) return { problem: refused };
    const picked = pickOne(reference, found);
    if (picked === undefined) return { problem: notOne };
    for (const each of picked) if (!given.some((value) => sameJson(value, each))) given.push(each);
  }
  return given.length === 0 ? { problem } : resolvedFrom(reference, given, { declared, chosen: isChosen(reference) });
}

/** The result of a reference whose calls gave some different values. */
function resolvedFrom(
  reference: GrantReference,
  given: readonly JsonValue[],
  facts: { readonly declared: boolean; readonly chosen: boolean },
): Resolved {
  const value = given[0] as JsonValue;
  if (reference.each === true) return { value, values: given, ...facts };
  if (given.length > 1)
    return { problem: `calls of "${reference.tool}" gave different values for "${reference.path}"` };
  const computed = isComputed(reference) ? compute(reference, value) : { value };
  return "problem" in computed ? computed : { ...computed, values: [computed.value], ...facts };
}

function isChosen(reference: GrantReference): boolean {
  return choosesOne(reference) || reference.pick !== undefined;
}

/** A call without a record adds none to the choice. */
function mayBeEmpty({ where, each, of }: GrantReference): boolean {
  return of === undefined && (where !== undefined || each === true);
}

function choosesOne({ by, of, each }: GrantReference): boolean {
  return by !== undefined || of !== undefined || each === true;
}

/** [grants.unique] The reason why data of undeclared integrity decides nothing. */
function undeclaredProblem(reference: GrantReference, fitting: number): string | undefined {
  const { tool, path } = reference;
  const hint = `"${path}" of the output of "${tool}" has no declared integrity (output.fields)`;
  if (reference.pick !== undefined) return hint;
  // With `each`, every record is granted, so a flooded list that was cut grants no more.
  if (!choosesOne(reference) && fitting !== 1) return `${hint}, and ${fitting} records fit`;
  return undefined;
}

/**
 * [grants.rows] True if a value is in a row that the user wrote according to one of its fields, and is not free text.
 */
function isOwnRow(tool: ResolvedTool, paths: DependedPaths, { value, rows: [item] }: RowValue): boolean {
  const rows = tool.output?.rows;
  if (rows === undefined) return false;
  const fields = new Set([...rows.fields, ...Object.keys(rows.where)]);
  const isRow = Object.entries(rows.where).every(([name, expected]) =>
    sameValue((item as Readonly<Record<string, unknown>> | null)?.[name], expected),
  );
  const row = paths[0].replace(/[^\]]*$/u, "");
  // A field of a row around it is not the user's.
  const isField = (path: string): boolean =>
    path.startsWith(row) && fields.has(path.slice(row.length).replace(/^\./u, ""));
  if (!isRow || !paths.every(isField)) return false;
  // Objects may hold free text.
  return /^[\p{L}\p{N}@.+:_/-]{1,64}$/u.test(String(value));
}

function isComputed({ times, plus }: GrantReference): boolean {
  return times !== undefined || plus !== undefined;
}

/** The result of the user's arithmetic on a field; a negative result is not an amount. */
function compute(
  reference: GrantReference,
  field: JsonValue,
): { readonly value: JsonValue } | { readonly problem: string } {
  if (typeof field !== "number") return { problem: `"${reference.path}" of "${reference.tool}" is not a number` };
  const value = field * (reference.times ?? 1) + (reference.plus ?? 0);
  if (!Number.isFinite(value) || (value < 0 && field >= 0)) {
    return { problem: `"${reference.path}" of "${reference.tool}" gives no amount above zero` };
  }
  return { value };
}

/** True if an argument is the value that a reference gives. A computed number may be rounded to hundredths. */
export function isGiven(reference: GrantReference, given: JsonValue, value: unknown): boolean {
  if (!isComputed(reference) || typeof given !== "number") return sameValue(given, value);
  if (typeof value !== "number") return false;
  return isNear(value, given) || isNear(value, Math.round(given * 100) / 100);
}

/** Equal except for the last bits of a floating-point number. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}

function pickOne(reference: GrantReference, found: readonly RowValue[]): readonly JsonValue[] | undefined {
  const chosen = found.map(({ value }) => value as JsonValue);
  const { pick, by, of } = reference;
  if (of === "count") return [chosen.length];
  if (reference.each === true) return chosen;
  if (by !== undefined) return pickBy(by, found);
  const [first, ...rest] = chosen;
  if (first === undefined) return undefined;
  if (pick === undefined) {
    if (!rest.every((value) => sameJson(value, first))) return undefined;
    if (of !== "length") return [first];
    return typeof first === "string" || Array.isArray(first) ? [first.length] : undefined;
  }
  if (pick === "first") return [first];
  if (pick === "last") return [chosen.at(-1) as JsonValue];
  if (!chosen.every((value) => typeof value === "number")) return undefined;
  const numbers = chosen as readonly number[];
  return [pick === "min" ? Math.min(...numbers) : Math.max(...numbers)];
}

/** The value of the one record with the largest or smallest field; `undefined` if two have it [grants.by]. */
function pickBy(
  { field, pick }: NonNullable<GrantReference["by"]>,
  found: readonly RowValue[],
): readonly JsonValue[] | undefined {
  const ranks = found.flatMap(({ rows }) => {
    const [first, ...others] = memberOf(rows, field);
    const rank = first === undefined || others.length > 0 ? undefined : rankOf(first.value);
    return rank === undefined ? [] : [rank];
  });
  if (ranks.length < found.length || ranks.some(({ kind }) => kind !== ranks[0]?.kind)) return undefined;
  const best = Math[pick](...ranks.map(({ rank }) => rank));
  const winners = found.filter((_one, at) => ranks[at]?.rank === best);
  return winners.length === 1 ? [winners[0]?.value as JsonValue] : undefined;
}

/** The texts of the records that a grant names, for the extraction of a value. */
export function textsOf(
  reference: CallReference & Pick<GrantReference, "where">,
  referred: ReferredCalls,
  each?: boolean,
): readonly string[] | { readonly problem: string } {
  const texts: string[] = [];
  const maxRows = referred.findTool(reference.tool)?.output?.maxRows;
  let records = 0;
  const { named, problem } = namedCalls(reference, referred);
  if (named.length === 0) return { problem };
  for (const call of named) {
    if (each !== true && !isComplete(call.output, call.args, { maxRows }))
      return { problem: `the list of "${reference.tool}" may be cut` };
    const lists = Array.isArray(call.output) ? (call.output as readonly unknown[]) : [call.output];
    const items = lists.filter((item) => matchesWhere(reference.where, [item]));
    records += items.length;
    for (const item of items) for (const { value } of leavesOf(item)) if (typeof value === "string") texts.push(value);
  }
  // Without a condition, the user meant the list as a whole.
  const isOne = reference.where === undefined || each === true ? records > 0 : records === 1;
  return isOne ? texts : { problem: `${records} records of "${reference.tool}" fit` };
}

function matchesWhere(where: GrantReference["where"], rows: RowValue["rows"]): boolean {
  return Object.entries(where ?? {}).every(([key, expected]) => {
    const [first, ...others] = memberOf(rows, key);
    if (first === undefined || others.length > 0) return false;
    if (isWords(expected)) return holdsWords(first.value, expected.contains);
    if (isPrefix(expected))
      return typeof first.value === "string" && first.value.toLowerCase().startsWith(expected.prefix.toLowerCase());
    return sameValue(first.value, expected);
  });
}

/** True if a text contains some words as whole words: "current" does not contain "rent". */
function holdsWords(text: unknown, words: string): boolean {
  if (typeof text !== "string") return false;
  const padded = (each: string): string => ` ${(each.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
  return padded(text).includes(padded(words));
}

/**
 * The steps of a reference's path in some outputs. A field's name alone means the one path that ends with it, because
 * the planner sees no output: it cannot know that a list is in a member [grants.ref].
 *
 * @returns `undefined` if the text is not a path.
 */
function stepsIn({ path }: Pick<GrantReference, "path">, outputs: readonly unknown[]): readonly Step[] | undefined {
  const steps = stepsOf(path);
  const [name] = steps ?? [];
  const isName = steps?.length === 1 && typeof name === "string";
  if (!isName || outputs.some((output) => valuesAt(output, steps).length > 0)) return steps;
  const ending = new Set(
    outputs.flatMap((output) => leavesOf(output).flatMap((leaf) => (endsWith(leaf.path, name) ? [leaf.path] : []))),
  );
  const [only] = ending;
  return only !== undefined && ending.size === 1 ? stepsOf(only) : steps;
}

/** True if a path's last member has a name; items of a list in it may follow. */
function endsWith(path: string, name: string): boolean {
  return (stepsOf(path) ?? []).findLast((step) => typeof step === "string") === name;
}
