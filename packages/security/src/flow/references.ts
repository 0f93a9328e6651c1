import { canonicalJson } from "@bailiwick/core/extension";
import type { CallReference, JsonValue } from "@bailiwick/core";

import { isTrusted } from "./trusted.ts";
import { valuesAt } from "./leaves.ts";
import { segment, stepsOf } from "./paths.ts";
import type { Step } from "./paths.ts";
import type { FindTool, RecordedCall } from "./flow-state.ts";
import { fieldIntegrity } from "./output-level.ts";
import { isWords } from "./reference-form.ts";
import type { GrantReference } from "./reference-form.ts";

/** Why a reference gives nothing, or the one value that it gives. */
export type Resolved = { readonly value: JsonValue } | { readonly problem: string };

/** Whether a recorded call is one that a reference names: the tool, and each argument that is listed. */
export function namesCall(reference: CallReference, call: Pick<RecordedCall, "toolName" | "args">): boolean {
  if (reference.tool !== call.toolName) return false;
  return Object.entries(reference.args ?? {}).every(([path, expected]) => {
    const steps = stepsOf(path);
    if (steps === undefined) return false;
    const found = valuesAt(call.args, steps);
    return found.length === 1 && sameJson(found[0]?.value, expected);
  });
}

/** Whether two JSON values are equal. */
export function sameJson(a: unknown, b: unknown): boolean {
  // Only speed: most values are no objects.
  if (typeof a !== "object" || a === null || typeof b !== "object" || b === null) return a === b;
  return canonicalJson(a) === canonicalJson(b);
}

/**
 * [grants.ref] Resolves a reference over the recorded calls: the fields that it reads and selects by must be of declared
 * integrity, and all calls that it names must give the same single value.
 */
export function resolveReference(
  reference: GrantReference,
  calls: Iterable<RecordedCall>,
  findTool: FindTool,
): Resolved {
  const tool = findTool(reference.tool);
  if (tool === undefined) return { problem: `no tool is named "${reference.tool}"` };
  const steps = stepsOf(reference.path);
  if (steps === undefined) return { problem: `"${reference.path}" is not a path` };
  for (const path of readPaths(reference, steps)) {
    if (!isTrusted(fieldIntegrity(tool, path))) {
      return { problem: `"${path}" of the output of "${reference.tool}" has no declared integrity (output.fields)` };
    }
  }
  const given: JsonValue[] = [];
  for (const call of calls) {
    if (call.succeeded !== true || !namesCall(reference, call)) continue;
    const picked = pickOne(reference, valuesAt(call.output, steps));
    if (picked === undefined) return { problem: `"${reference.path}" of "${reference.tool}" is not exactly one value` };
    if (!given.some((value) => sameJson(value, picked.value))) given.push(picked.value);
  }
  const [value] = given;
  if (value === undefined) return { problem: `"${reference.tool}" was not called, or gave no such field` };
  if (given.length > 1)
    return { problem: `calls of "${reference.tool}" gave different values for "${reference.path}"` };
  return isComputed(reference) ? compute(reference, value) : { value };
}

function isComputed({ times, plus }: GrantReference): boolean {
  return times !== undefined || plus !== undefined;
}

/** The value that the user's arithmetic makes of a field: what falls below zero is no amount of it. */
function compute(reference: GrantReference, field: JsonValue): Resolved {
  if (typeof field !== "number") return { problem: `"${reference.path}" of "${reference.tool}" is not a number` };
  const value = field * (reference.times ?? 1) + (reference.plus ?? 0);
  if (!Number.isFinite(value) || (value < 0 && field >= 0)) {
    return { problem: `"${reference.path}" of "${reference.tool}" gives no amount above zero` };
  }
  return { value };
}

/** Whether an argument is the value that a reference gives. A computed number may be rounded to hundredths. */
export function isGiven(reference: GrantReference, given: JsonValue, value: unknown): boolean {
  if (!isComputed(reference) || typeof given !== "number") return sameJson(given, value);
  if (typeof value !== "number") return false;
  return isNear(value, given) || isNear(value, Math.round(given * 100) / 100);
}

/** Equal but for the last bits of a floating-point number. */
function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));
}

/** The fields that a reference depends on, as general paths: the one it reads, and those it selects by. */
function readPaths(reference: GrantReference, steps: readonly Step[]): readonly string[] {
  const lastItems = steps.findLastIndex((step) => typeof step !== "string");
  const prefix = writePath(steps.slice(0, lastItems + 1));
  return [writePath(steps), ...Object.keys(reference.where ?? {}).map((key) => whereField(prefix, key))];
}

function writePath(steps: readonly Step[]): string {
  let path = "";
  for (const step of steps) path = typeof step === "string" ? segment(path, step) : `${path}[]`;
  return path;
}

function whereField(prefix: string, key: string): string {
  let path = prefix;
  for (const step of stepsOf(key) ?? [key]) path = typeof step === "string" ? segment(path, step) : `${path}[]`;
  return path;
}

function pickOne(
  reference: GrantReference,
  found: readonly { readonly value: unknown; readonly item: unknown }[],
): { readonly value: JsonValue } | undefined {
  const chosen = found.filter(({ item }) => matchesWhere(reference.where, item)).map(({ value }) => value as JsonValue);
  const { pick } = reference;
  if (pick === undefined) {
    const [first, ...rest] = chosen;
    return first !== undefined && rest.every((value) => sameJson(value, first)) ? { value: first } : undefined;
  }
  if (chosen.length === 0) return undefined;
  if (pick === "first") return { value: chosen[0] as JsonValue };
  if (pick === "last") return { value: chosen.at(-1) as JsonValue };
  if (!chosen.every((value) => typeof value === "number")) return undefined;
  const numbers = chosen as readonly number[];
  return { value: pick === "min" ? Math.min(...numbers) : Math.max(...numbers) };
}

function matchesWhere(where: GrantReference["where"], item: unknown): boolean {
  return Object.entries(where ?? {}).every(([key, expected]) => {
    const found = valuesAt(item, stepsOf(key) ?? [key]);
    const [first, ...others] = found;
    if (first === undefined || others.length > 0) return false;
    return isWords(expected) ? holdsWords(first.value, expected.contains) : sameJson(first.value, expected);
  });
}

/** Whether a text holds some words as words of their own: "rent" is not in "current". */
function holdsWords(text: unknown, words: string): boolean {
  if (typeof text !== "string") return false;
  const padded = (each: string): string => ` ${(each.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
  return padded(text).includes(padded(words));
}
