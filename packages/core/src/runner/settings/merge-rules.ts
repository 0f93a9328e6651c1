import type { Budget, RunSettings } from "../../contracts/run-options.ts";
import type { ModelSpec } from "../../contracts/model-provider.ts";
import { isObject } from "../../errors/value-checks.ts";
import { smaller } from "./join-approval.ts";
import type { InsideRule, MergeRule, Weaker } from "./option-row.ts";

/** The run's value wins. */
export const replace: { readonly rule: "replace" } = { rule: "replace" };

/** The fields of the run, over those of the agent. */
export const fieldByField: { readonly rule: "fields"; readonly join: <Value>(agent: Value, run: Value) => Value } = {
  rule: "fields",
  join: (agent, run) => (isObject(agent) && isObject(run) ? { ...agent, ...given(run) } : (run ?? agent)),
};

/** Field by field if both are plain objects; a class instance is replaced. */
export const plainFields: typeof fieldByField = {
  rule: "fields",
  join: (agent, run) => (isPlain(agent) && isPlain(run) ? fieldByField.join(agent, run) : (run ?? agent)),
};

type VendorOptions = RunSettings["providerOptions"];

/** Field by field for each vendor. */
export const vendorFields: {
  readonly rule: "fields";
  readonly join: (agent: VendorOptions, run: VendorOptions) => VendorOptions;
} = {
  rule: "fields",
  join: (agent, run) => {
    if (agent === undefined || run === undefined) return run ?? agent;
    const vendors = new Set([...Object.keys(agent), ...Object.keys(run)]);
    return Object.fromEntries(
      Array.from(vendors, (vendor) => [vendor, fieldByField.join(agent[vendor] ?? {}, run[vendor] ?? {})]),
    );
  },
};

/** Fields that are not `undefined`. */
export function given<Value extends object>(fields: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Value>;
}

/** The models of the settings besides the main one. */
export function otherModels({ fallback = [], modelTiers = {} }: RunSettings): readonly ModelSpec[] {
  return [...fallback, ...Object.values(modelTiers)].filter((spec) => spec !== undefined);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The stricter of both. */
export function tighten<Value>(join: (agent: Value, run: Value, weaker: Weaker) => Value): MergeRule<Value> {
  return { rule: "tighten", join };
}

/** Both apply. */
export function chain<Value>(join: (agent: Value, run: Value, weaker: Weaker) => Value): MergeRule<Value> {
  return { rule: "chain", join };
}

/** The stricter of some choices, listed from weak to strict; if one is missing, the other applies. */
export function stricterOf<Value>(
  option: string,
  ranked: readonly Value[],
): (agent: Value | undefined, run: Value | undefined, weaker: Weaker) => Value | undefined {
  return (agent, run, weaker) => {
    if (agent === undefined || run === undefined) return run ?? agent;
    if (ranked.indexOf(run) >= ranked.indexOf(agent)) return run;
    weaker(option, agent, run);
    return agent;
  };
}

/** The lower of two limits; if one is missing, the other applies. */
export function lower(
  option: string,
): (agent: number | undefined, run: number | undefined, weaker: Weaker) => number | undefined {
  return (agent, run, weaker) => {
    if (agent !== undefined && run !== undefined && run > agent) weaker(option, agent, run);
    return smaller(agent, run);
  };
}

export function joinBudget(agent: Budget | undefined, run: Budget | undefined, weaker: Weaker): Budget | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  const limit = (name: keyof Budget): number | undefined => lower(`budget.${name}`)(agent[name], run[name], weaker);
  return { tokens: limit("tokens"), usd: limit("usd"), durationMs: limit("durationMs") };
}

/** The outer run's value applies inside too, after the inner one's. */
export function once<Value>(join: InsideRule<Value>["join"], hand?: (value: Value) => Value): InsideRule<Value> {
  return { rule: "once", join, hand };
}

/** The stricter of the outer run's value and the inner agent's. */
export function tightenedInside<Value>(join: InsideRule<Value>["join"], first?: true): InsideRule<Value> {
  return { rule: "tighten", join, first };
}
