import type { Grant, GrantArgument } from "@bailiwick/core";

import type { FlowState, HeldGrant } from "./flow-state.ts";
import { valuesAt } from "./leaves.ts";
import { type ArgumentLeaf } from "./argument-leaves.ts";
import { isWithin, normalPath, stepsOf, type Step } from "./paths.ts";
import { isWithinRange, sameJson, sameSpelling, sameValue } from "./compare-values.ts";
import { extractEach, extractForm } from "./extract-form.ts";
import { freedomProblem } from "./one-sided-freedom.ts";
import type { CoveredPath } from "./one-sided-freedom.ts";
import { matchesTemplate } from "./match-template.ts";
import { isGiven, namesCall, resolveReference, textsOf, type ReferredCalls } from "./references.ts";
import type { ToolRoles } from "./tool-roles.ts";
import type { RecordedCall } from "./flow-state.ts";
import type { Reach } from "./reach.ts";

/** A gated call, as grants see it. */
export interface GrantedCall {
  readonly toolName: string;
  readonly args: unknown;
  readonly leaves: readonly ArgumentLeaf[];
  /** The tool's roles; without them only the values are compared. */
  readonly roles?: ToolRoles | undefined;
  /** True if only the user can read the content of the call. */
  readonly onlyUserReads?: boolean | undefined;
  /** Tells if an argument that the grant does not list has a value in reach. Default: it has none. */
  readonly reach?: Reach | undefined;
}

/** The way in which a grant fits a call, or the reason why it does not. */
export type Match =
  | {
      readonly matches: true;
      readonly covered: readonly CoveredPath[];
    }
  | {
      readonly matches: false;
      readonly problem: string;
      /** Number of arguments that fit before the problem; absent for a grant for another tool. */
      readonly fits?: number | undefined;
      /** The value of the call that does not fit. */
      readonly value?: unknown;
      /** Everything except the form of this one argument matches the grant. */
      readonly form?: { readonly path: string; readonly argument: GrantArgument } | undefined;
    };

/**
 * Tests if a grant covers a call: the same tool, every argument listed, every listed argument present and as granted.
 *
 * @param referred - Calls that `ref` can refer to.
 */
export function matchGrant(grant: Grant, call: GrantedCall, referred: ReferredCalls): Match {
  if (grant.tool !== call.toolName) return { matches: false, problem: `it is for "${grant.tool}"` };
  const entries = entriesOf(grant);
  const unlisted = unlistedLeaves(call, entries);
  const open = unlisted.find((leaf) => !isReached(leaf, call, entries));
  if (open !== undefined) {
    const what = open.path === "" ? "the arguments as a whole" : `"${open.path}"`;
    return { matches: false, problem: `it does not list ${what}`, fits: 0 };
  }
  const covered: CoveredPath[] = unlisted.map(({ path }) => ({ path, by: "declared", isReached: true }));
  let missed: Extract<Match, { matches: false }> | undefined;
  for (const { path, steps, argument } of entries) {
    if ("composed" in argument) {
      const refused = call.leaves.find((leaf) => isWithin(leaf.path, path) && mayNotBeComposed(leaf));
      if (refused !== undefined)
        return { matches: false, problem: `"${refused.path}" may not be composed`, fits: covered.length };
      covered.push({ path, by: "model" });
      continue;
    }
    const found = steps === undefined ? [] : valuesAt(call.args, steps);
    // [grants.exact-arguments] A listed argument that is absent does not match either.
    if (found.length === 0) return { matches: false, problem: `"${path}" is not in the call`, fits: covered.length };
    for (const { value } of found) {
      const match = matchArgument(argument, value, referred);
      // The number of times that a list repeats a value carries information too.
      if (!("problem" in match)) covered.push({ path, ...match, isEq: match.isEq === true && found.length === 1 });
      else {
        const miss = { matches: false, problem: `"${path}" ${match.problem}`, fits: covered.length, value } as const;
        const decides = call.leaves.some((leaf) => leaf.role !== "payload" && isWithin(leaf.path, path));
        if (missed !== undefined || !hasForm(argument) || (decides && !isOtherSpelling(argument, value))) return miss;
        missed = { ...miss, form: { path, argument } };
      }
    }
  }
  if (missed !== undefined) return missed;
  const problem =
    call.roles === undefined ? undefined : freedomProblem(call.leaves, call.roles, covered, call.onlyUserReads);
  if (problem !== undefined) return { matches: false, problem, fits: covered.length };
  return { matches: true, covered };
}

/** [grants.exact-arguments] The arguments that the grant does not list. */
function unlistedLeaves(call: GrantedCall, entries: Entries): readonly ArgumentLeaf[] {
  return call.leaves.filter(
    (leaf) => !(leaf.path === "" && sameJson(leaf.value, {})) && !entries.some(({ path }) => isWithin(leaf.path, path)),
  );
}

/**
 * [grants.reach] True if an argument that the grant leaves open has the one value to which the words lead. Beside text
 * that the model composes it has none: the text could be sent to whom the record names.
 */
function isReached(leaf: ArgumentLeaf, { leaves, reach }: GrantedCall, entries: Entries): boolean {
  if (reach === undefined || entries.some(({ argument }) => !("eq" in argument))) return false;
  const given = leaves.filter(({ path }) => entries.some((one) => isWithin(path, one.path))).map(({ value }) => value);
  return reach(leaf, given);
}

/** A grant's arguments with their paths read. */
type Entries = readonly {
  readonly path: string;
  readonly steps: readonly Step[] | undefined;
  readonly argument: GrantArgument;
}[];

const known = new WeakMap<Grant, Entries>();

function entriesOf(grant: Grant): Entries {
  let read = known.get(grant);
  if (read === undefined) {
    read = Object.entries(grant.args).map(([path, argument]) => ({
      path: normalPath(path),
      steps: stepsOf(path),
      argument,
    }));
    known.set(grant, read);
  }
  return read;
}

/** Free content only: never a destination, and never an argument that is declared to decide [grants.composed]. */
function mayNotBeComposed(leaf: ArgumentLeaf): boolean {
  return leaf.role === "egress" || leaf.declared;
}

/** Forms that depend on the user's words alone: a model that sees one learns nothing about data. */
function hasForm(argument: GrantArgument): boolean {
  if ("template" in argument) return Object.values(argument.holes).every((hole) => "words" in hole);
  return "eq" in argument || "within" in argument || "max" in argument || "oneOf" in argument;
}

/** [grants.correction] Tells if a value is a granted one in another spelling. */
function isOtherSpelling(argument: GrantArgument, value: unknown): boolean {
  const granted = "eq" in argument ? [argument.eq] : "oneOf" in argument ? argument.oneOf : [];
  return granted.some((one) => sameSpelling(one, value));
}

/** The way in which a grant covers a value, or the reason why it does not. */
function matchArgument(
  argument: Exclude<GrantArgument, { composed: true }>,
  value: unknown,
  referred: ReferredCalls,
): Omit<CoveredPath, "path"> | { readonly problem: string } {
  if ("template" in argument) return matchFilled(argument, value, referred);
  if ("eq" in argument)
    // Another notation of a number or date may carry more than its value.
    return sameValue(argument.eq, value)
      ? { by: "words", isEq: sameJson(argument.eq, value) }
      : { problem: "is not the granted value" };
  if ("oneOf" in argument) {
    const choices = argument.oneOf;
    return choices.some((choice) => sameValue(choice, value))
      ? { by: "words" }
      : { problem: "is none of the granted values" };
  }
  if ("max" in argument)
    return withinLimit(value, argument.max) ? { by: "words" } : { problem: `is not a number up to ${argument.max}` };
  if ("within" in argument) {
    const range = argument.within;
    return isWithinRange(value, range)
      ? { by: "words" }
      : { problem: `is not between ${String(range[0])} and ${String(range[1])}` };
  }
  if ("the" in argument) {
    const { the, in: reference, each } = argument;
    const texts = textsOf(reference, referred, each);
    if ("problem" in texts) return { problem: `has no granted value: ${texts.problem}` };
    if (each === true)
      return extractEach(the, texts).some((one) => sameValue(one, value))
        ? { by: "undeclared", isChosen: true, source: { ...reference, each } }
        : { problem: `is not a value of the form "${the}" in the text that the grant refers to` };
    const only = extractForm(the, texts);
    if (only === undefined) return { problem: `has no granted value: the text does not hold exactly one ${the}` };
    return sameValue(only, value)
      ? { by: "undeclared", source: reference }
      : { problem: `is not the ${the} that the grant refers to` };
  }
  const { ref } = argument;
  const resolved = resolveReference(ref, referred);
  if ("problem" in resolved) return { problem: `has no granted value: ${resolved.problem}` };
  if (!resolved.values.some((each) => isGiven(ref, each, value)))
    return { problem: "is not the value that the grant refers to" };
  return { by: resolved.declared ? "declared" : "undeclared", isChosen: resolved.chosen, source: { tool: ref.tool } };
}

type TemplateArgument = Extract<GrantArgument, { template: string }>;

function matchFilled(
  argument: TemplateArgument,
  value: unknown,
  referred: ReferredCalls,
): Omit<CoveredPath, "path"> | { readonly problem: string } {
  const fits = matchesTemplate(value, argument, ({ ref }) => {
    const resolved = resolveReference(ref, referred);
    if ("problem" in resolved || resolved.values.length !== 1) return undefined;
    return typeof resolved.value === "object" ? undefined : String(resolved.value);
  });
  return fits ? { by: "template" } : { problem: `does not have the form ${JSON.stringify(argument.template)}` };
}

/** "At most" means a quantity: a negative amount is refused. */
function withinLimit(value: unknown, max: number): boolean {
  if (!Number.isFinite(value)) return false;
  const quantity = value as number;
  return quantity <= max && (quantity >= 0 || max < 0);
}

/** A grant that may be used for a call. */
export interface OpenGrant extends HeldGrant {
  readonly index: number;
}

/**
 * The grants that a call may use: not used up by other calls, and for the planner's grants, of the newest user message.
 */
export function openGrants(state: FlowState, id: string): readonly OpenGrant[] {
  const newest = state.userWords.at(-1)?.id;
  const open: OpenGrant[] = [];
  state.grants.forEach((held, index) => {
    // [grants.planner.newest-message] The planner's grants serve until the next user message.
    if (held.source === "planner" && held.messageId !== newest) return;
    if (usesOf(state, index, id) < (held.grant.count ?? 1)) open.push({ ...held, index });
  });
  return open;
}

/** [grants.count] How many other calls use a grant. */
function usesOf(state: FlowState, index: number, id: string): number {
  let uses = 0;
  for (const call of state.calls.values()) if (call.grant === index && call.id !== id) uses += 1;
  return uses;
}

/** [flow.r4.grant-from] True if a grant names a private call. */
export function grantNames(grant: Pick<Grant, "from">, call: RecordedCall): boolean {
  return (grant.from ?? []).some((reference) => namesCall(reference, call));
}
