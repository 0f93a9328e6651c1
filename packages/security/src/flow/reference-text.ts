import { ReferenceUnknownError } from "./flow-errors.ts";
import type { FlowState, RecordedCall } from "./flow-state.ts";
import { joinLevels, type Level } from "./lattice.ts";
import { leavesOf, type Leaf } from "./leaves.ts";

/** The beginning of every reference. */
export const referencePrefix = "$ref:";

/** A reference as it appears in arguments: its text, or the whole object. */
export function referenceIn(value: unknown): string | undefined {
  if (typeof value === "string") return value.startsWith(referencePrefix) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const { $ref } = value as { readonly $ref?: unknown };
  return typeof $ref === "string" && $ref.startsWith(referencePrefix) ? $ref : undefined;
}

/** The value of a reference [quarantine.boundary]. */
export function valueOf(
  reference: string,
  outputOf: (call: string) => unknown,
): { readonly value: unknown } | undefined {
  const match = /^\$ref:((?:r\d+\.)?t\d+\/c\d+)(?::(.*))?$/su.exec(reference);
  const [, call, location = ""] = match ?? [];
  if (call === undefined) return undefined;
  let value = outputOf(call);
  for (const part of location.match(/\[\d+\]|\["(?:[^"\\]|\\.)*"\]|[^.[\]]+/gu) ?? []) {
    if (typeof value !== "object" || value === null) return undefined;
    const name = part.startsWith("[") ? String(JSON.parse(part.slice(1, -1))) : part;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value === undefined ? undefined : { value };
}

/** The call whose output a reference points into, as the reference names it: see `callBehind`. */
export function callOfReference(reference: string): string | undefined {
  return /^\$ref:((?:r\d+\.)?t\d+\/c\d+)(?::|$)/u.exec(reference)?.[1];
}

/**
 * Every reference in some arguments, with its place.
 *
 * @throws ReferenceUnknownError for text in the form of a reference without a value.
 */
export function expandReferences(
  args: unknown,
  outputOf: (call: string) => unknown,
): { readonly args: unknown; readonly found: readonly string[] } {
  // Fast path: nearly all arguments contain no reference, and are not copied.
  if (!mentionsReference(args)) return { args, found: [] };
  const found: string[] = [];
  const expand = (value: unknown): unknown => {
    const reference = referenceIn(value);
    if (reference !== undefined) {
      const target = valueOf(reference, outputOf);
      if (target === undefined) {
        if (callOfReference(reference) === undefined) return value;
        throw new ReferenceUnknownError(reference);
      }
      found.push(reference);
      return target.value;
    }
    if (Array.isArray(value)) return value.map(expand);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expand(member)]));
  };
  const expanded = expand(args);
  return found.length === 0 ? { args, found } : { args: expanded, found };
}

/** True if some text in a value begins like a reference. */
function mentionsReference(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith(referencePrefix);
  const members = value as Readonly<Record<string, unknown>>;
  for (const key in members) if (mentionsReference(members[key])) return true;
  return false;
}

/** The call of this run that a reference names; none for a reference of another run. */
export function callBehind(call: string | undefined, state: FlowState): RecordedCall | undefined {
  if (call?.startsWith(state.mark) !== true) return undefined;
  return state.calls.get(call.slice(state.mark.length));
}

/** Values behind references in arguments, which the model has not read. */
export interface Referred {
  readonly reference: string;
  /** The tool that returned it; `undefined` if the call is unknown. */
  readonly toolName: string | undefined;
  readonly level: Level;
}

/** The values of the references in some arguments [quarantine.boundary]. */
function referredBy(args: unknown, state: FlowState): readonly Referred[] {
  // Arguments that did not validate are kept as the text that the model wrote.
  if (typeof args === "string") return referredInText(args, state);
  // Fast path: nearly no arguments contain a reference.
  if (!mentionsReference(args)) return none;
  return referredIn(leavesOf(args), state);
}

function referredInText(text: string, state: FlowState): readonly Referred[] {
  const named = (text.match(anywhere) ?? none).map((reference) => referred(reference, state));
  try {
    // Names may be written with escapes, which the parsed arguments no longer have.
    return [...named, ...referredIn(leavesOf(JSON.parse(text)), state)];
  } catch {
    return named;
  }
}

/** Values of the references among some leaves of arguments. */
export function referredIn(leaves: readonly Pick<Leaf, "value">[], state: FlowState): readonly Referred[] {
  let found: Referred[] | undefined;
  for (const { value } of leaves) {
    // Fast path: nearly no leaf is a reference.
    if (typeof value !== "string" || !value.startsWith(referencePrefix)) continue;
    if (callOfReference(value) === undefined) continue;
    (found ??= []).push(referred(value, state));
  }
  return found ?? none;
}

const none: readonly never[] = [];
const anywhere = /\$ref:(?:r\d+\.)?t\d+\/c\d+/gu;

/** The value of one reference, with the label of its call, or of its endorsement. */
export function referred(reference: string, state: FlowState): Referred {
  const call = callBehind(callOfReference(reference), state);
  const label = state.quarantine.endorsed.get(reference) ?? call?.label;
  // An unknown reference may become anything by the time it is expanded, so it gets the lowest label.
  const level = state.graph.levelOf(String(label));
  return { reference, toolName: call?.toolName, level };
}

/** A level joined with the references of some arguments: the tool's result is at most as trusted. */
export function withReferred(level: Level, args: unknown, state: FlowState): Level {
  return referredBy(args, state).reduce((joined, one) => joinLevels(joined, one.level, state.graph.sets), level);
}
