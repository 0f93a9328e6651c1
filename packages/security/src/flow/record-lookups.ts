import type { ResolvedTool } from "@bailiwick/core";

import { numberOf, sameValue } from "./compare-values.ts";
import { namesMember } from "./egress.ts";
import type { FindTool, FlowState, ReadResult, RecordedCall } from "./flow-state.ts";
import { isBound, isWideBound, wasAskedInTrust } from "./steered-lookup.ts";
import { leavesOf, nameOf } from "./leaves.ts";
import type { Leaf } from "./leaves.ts";
import { decodes } from "./decoded-values.ts";
import { isLookupKey, isRecordKey } from "./lookup-keys.ts";
import { valueIntegrity } from "./output-level.ts";
import { stepsOf } from "./paths.ts";
import { textOf } from "./question-text.ts";
import { isTrusted } from "./trusted.ts";
import { mailsIn } from "./value-forms.ts";

/** An argument of a reader that selected a record; its value may come from untrusted text. */
export interface LookupKey {
  readonly name: string;
  readonly value: unknown;
}

/** A call of a reader with declared fields, and the arguments that untrusted text may have named. */
export interface RecordLookup {
  readonly read: ReadResult;
  readonly tool: ResolvedTool;
  /** Empty if the reader was called on trusted values alone. */
  readonly keys: readonly LookupKey[];
  /** Every argument that untrusted text may have chosen: a field that repeats one of them adds nothing. */
  readonly inputs: readonly unknown[];
}

/** A declared field of a record. */
export interface RecordValue {
  readonly lookup: RecordLookup;
  readonly leaf: Leaf;
}

/** Flags of a call, such as `includeClosed`; more of them could spell a value. */
const mostFlags = 8;

/**
 * The readers' calls whose declared fields count for a question, oldest first. An argument has to be the user's, a
 * declared field of an earlier call, a bound, or a key: a short name of one record. A reader that was called with any
 * other text of untrusted origin may repeat it in other words, so none of its result counts [questions.selected].
 */
export function recordLookups(
  { reads, state }: { readonly reads: readonly ReadResult[]; readonly state: FlowState },
  isUsers: (value: unknown) => boolean,
  findTool: FindTool,
): readonly RecordLookup[] {
  const lookups: RecordLookup[] = [];
  for (const read of reads) {
    const tool = findTool(read.call.toolName);
    if (tool === undefined || !isRecordReader(read.call, tool, state)) continue;
    const chosen = wasAskedInTrust(read.call, state) ? none : chosenBy(read.call, tool, lookups, isUsers);
    if (chosen !== undefined) lookups.push({ read, tool, ...chosen });
  }
  return lookups;
}

const none = { keys: [], inputs: [] } as const;

/**
 * The declared fields that equal a value, newest first; fields of a reader that only trusted values selected come
 * before others.
 */
export function recordValues(value: unknown, lookups: readonly RecordLookup[]): readonly RecordValue[] {
  const ordered = lookups.toReversed().toSorted((a, b) => Math.min(1, a.keys.length) - Math.min(1, b.keys.length));
  return ordered.flatMap((lookup) => {
    if (lookup.inputs.some((input) => repeats(value, input) || decodes(value, input))) return [];
    if (!namesItself(lookup)) return [];
    return leavesOf(lookup.read.call.output ?? null)
      .filter(
        ({ path, value: field }) => sameValue(field, value) && isTrusted(valueIntegrity(lookup.tool, path, field)),
      )
      .map((leaf) => ({ lookup, leaf }));
  });
}

/**
 * True if a result is a record rather than a translation of its arguments: a record that words selected has an id or a
 * mail address that no argument repeats.
 */
function namesItself({ read, tool, keys, inputs }: RecordLookup): boolean {
  if (!keys.some(({ name, value }) => isWord(name, value))) return true;
  return leavesOf(read.call.output ?? null).some(
    ({ path, location, value }) =>
      (isRecordKey(nameOf(location), value) || mailsIn(textOf(value)).length > 0) &&
      isTrusted(valueIntegrity(tool, path, value)) &&
      !inputs.some((input) => repeats(value, input)),
  );
}

/** True if a key consists of letters under a name that is not a key's: it may be a translation. */
function isWord(name: string, value: unknown): boolean {
  return typeof value === "string" && !isRecordKey(name, value) && !/\p{N}/u.test(value);
}

function isRecordReader(call: RecordedCall, tool: ResolvedTool, state: FlowState): boolean {
  const { writer, pure } = state.roles(tool);
  // The fields were declared for the output, not for text that replaces it.
  const hasFields = tool.__outputDeclared && tool.toModelOutput === undefined;
  return call.succeeded === true && call.distrusted !== true && hasFields && !writer && !pure;
}

/**
 * True if a place in a trusted result carries more than its arguments: only trusted text chose the arguments, or the
 * place is the id of something that the call created, such as a receipt. An id that a reader returns was among its
 * arguments.
 */
export function saysItsOwn(
  { call, level }: ReadResult,
  { location, value }: Leaf,
  state: FlowState,
  findTool: FindTool,
): boolean {
  if (!isTrusted(level.integrity)) return false;
  if (wasAskedInTrust(call, state)) return true;
  const tool = findTool(call.toolName);
  if (tool === undefined || !state.roles(tool).writer) return false;
  return isRecordKey(nameOf(location), value) && !repeatsArgument(call, value);
}

/** True if a value is an argument of a call, so that its result may only repeat it. */
export function repeatsArgument({ args }: RecordedCall, value: unknown): boolean {
  return leavesOf(args ?? {}).some((leaf) => repeats(value, leaf.value));
}

/** The keys of a call; `undefined` when an argument is neither trusted nor a key. */
function chosenBy(
  { args, output }: RecordedCall,
  tool: ResolvedTool,
  earlier: readonly RecordLookup[],
  isUsers: (value: unknown) => boolean,
): Pick<RecordLookup, "keys" | "inputs"> | undefined {
  const keys: LookupKey[] = [];
  const inputs: unknown[] = [...namesMadeUp(args, tool)].filter((name) => !isUsers(name));
  const leaves = leavesOf(args ?? {});
  if (leaves.filter(({ value }) => typeof value === "boolean" || value === null).length > mostFlags) return undefined;
  for (const { location, value } of leaves) {
    // A single sign cannot spell a value.
    if (typeof value === "object" || typeof value === "boolean" || value === undefined || isUsers(value)) continue;
    const name = nameOf(location);
    const [record] = recordValues(value, earlier);
    if (record !== undefined) {
      keys.push(...record.lookup.keys);
      inputs.push(value, ...record.lookup.inputs);
      continue;
    }
    inputs.push(value);
    // A bound that cuts the list selects its records, like a key.
    if (typeof value === "number" && isBound(name)) {
      if (!isWideBound(name, value, output)) keys.push({ name, value });
      continue;
    }
    if (!isLookupKey(name, value)) return undefined;
    keys.push({ name, value });
  }
  return { keys, inputs };
}

/** The names of members of a call's arguments that are not in the tool's schema: the model can write anything there. */
function namesMadeUp(args: unknown, tool: ResolvedTool): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { path } of leavesOf(args ?? {})) {
    const steps = stepsOf(path) ?? [];
    for (const [index, step] of steps.entries())
      if (typeof step === "string" && !namesMember(tool.__inputJsonSchema, steps.slice(0, index), step))
        names.add(step);
  }
  return names;
}

/** Signs from which on an argument counts as repeated in a longer field. */
const partLength = 4;

/** True if a field repeats an argument, whole or in part, also in other notations. */
function repeats(field: unknown, input: unknown): boolean {
  if (sameValue(field, input)) return true;
  const [one, other] = [signsOf(field), signsOf(input)];
  if (other.length >= partLength && one.includes(other)) return true;
  if (numberOf(field) === undefined) return one === "" || other.includes(one);
  const digits = other.replaceAll(/\P{N}/gu, "").replace(/^0+/u, "");
  // Most ids contain each single digit: a digit counts as repeated only as a separate number.
  return one === "0" || digits === one || (one.length > 1 ? digits.includes(one) : partsOf(input).includes(one));
}

/** The runs of letters and of digits in a value, without leading zeros. */
function partsOf(value: unknown): readonly string[] {
  const text = textOf(value).toLowerCase();
  return [...text.matchAll(/\p{L}+|\p{N}+/gu)].map(([part]) => part.replace(/^0+/u, ""));
}

function signsOf(value: unknown): string {
  return textOf(value)
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
