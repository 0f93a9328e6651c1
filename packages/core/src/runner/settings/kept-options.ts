import type { KeptOptions } from "../../contracts/kept-options.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import type { ApprovalChain } from "./join-approval.ts";

// This file imports no code that other parts need, so bundlers can load it separately.

/** The options that are kept, and the keys of an agent that sign grants. */
export interface Keeping {
  /** Options whose data is stored. */
  readonly names: readonly string[];
  /** Options with functions that a run cannot do without. */
  readonly codeNames: readonly string[];
  sign(json: unknown): string | undefined;
  /** True without a key. */
  isSigned(json: unknown, mac: string | undefined): boolean;
}

type Values = Readonly<Record<string, unknown>>;

/** Options whose functions decide approvals. */
const askedNames: readonly string[] = ["approval", "onApprovalRequired"];

/** Maximum nesting of options that are stored: deeper values are circular. */
const deepest = 100;

/** The options of a run that are stored with it; `undefined` without any. */
export function keptOptionsOf(
  { names, codeNames, sign }: Keeping,
  runId: string,
  options: RunOptions,
): KeptOptions | undefined {
  const values: Record<string, unknown> = {};
  const person: string[] = [];
  for (const name of names) {
    const given = (options as Values)[name];
    if (given === undefined) continue;
    if (askedNames.includes(name)) person.push(...functionsIn(given, name));
    const value = dataOf(given, 0);
    if (value !== undefined) values[name] = value;
  }
  if (isObject(values["sandbox"])) delete values["sandbox"]["env"];
  const again = codeNames.filter((name) => hasMembers((options as Values)[name]));
  if (Object.keys(values).length === 0 && person.length === 0 && again.length === 0) return undefined;
  const mac = hasGrants(values) ? sign(signedPart(runId, values)) : undefined;
  return {
    values,
    ...(person.length > 0 && { person }),
    ...(again.length > 0 && { again }),
    ...(mac !== undefined && { mac }),
  };
}

/** True for a function or other value, and for a list or an object with any in it. */
function hasMembers(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value !== undefined && value !== null;
  return Object.values(value).some(hasMembers);
}

/** The data of a value: without functions, models and other objects of classes. */
function dataOf(value: unknown, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth > deepest) return undefined;
  if (Array.isArray(value)) return value.map((item) => dataOf(item, depth + 1)).filter((item) => item !== undefined);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || "modelId" in value) return undefined;
  const members = Object.entries(value).flatMap(([key, member]) => {
    const data = dataOf(member, depth + 1);
    return data === undefined ? [] : [[key, data] as const];
  });
  return Object.fromEntries(members);
}

/** Paths of the functions of an option. */
function functionsIn(value: unknown, path: string): readonly string[] {
  if (typeof value === "function") return [path];
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => functionsIn(member, `${path}.${key}`)) : [];
}

/**
 * The kept options as options of a run, for a process that continues it. If a function that decides approvals is not
 * passed again, a person decides; without a policy function, this applies to all calls.
 */
export function restoredOptions(kept: KeptOptions, now: RunOptions): RunOptions {
  const given = askedNames.flatMap((name) => functionsIn((now as Values)[name], name));
  const missing = kept.person?.filter((path) => !given.includes(path)) ?? [];
  const { approval, flow, ...values } = kept.values as RunOptions;
  const restored: Partial<Pick<ApprovalChain, "policy" | "byPerson">> = {
    ...approval,
    ...(missing.includes("approval.policy") && { policy: "all" }),
    ...(missing.some((path) => path !== "approval.policy") && { byPerson: [() => true] }),
  };
  // Grants that are passed again are the same ones: they count once.
  const isGiven = typeof now.flow === "object" && now.flow.grants !== undefined;
  return {
    ...values,
    ...((approval !== undefined || missing.length > 0) && { approval: restored }),
    ...(flow !== undefined && { flow: isGiven ? withoutGrants(flow) : flow }),
  };
}

/** The options of a row, without grants whose signature is not the agent's: a person is asked about such calls. */
export function checkedGrants({ isSigned }: Keeping, runId: string, kept: KeptOptions): KeptOptions {
  const { values, mac } = kept;
  if (!hasGrants(values) || isSigned(signedPart(runId, values), mac)) return kept;
  const { grants: _grants, flow, ...rest } = values as RunOptions;
  return { ...kept, values: { ...rest, ...(flow !== undefined && { flow: withoutGrants(flow) }) } };
}

function withoutGrants(flow: NonNullable<RunOptions["flow"]>): RunOptions["flow"] {
  return typeof flow === "object" ? { ...flow, grants: undefined } : flow;
}

function grantsIn({ grants, flow }: RunOptions): readonly unknown[] {
  return [grants ?? null, (typeof flow === "object" ? flow.grants : undefined) ?? null];
}

function hasGrants(values: RunOptions): boolean {
  return grantsIn(values).some((grants) => grants !== null);
}

/** The part of a run that its signature covers. */
function signedPart(runId: string, values: RunOptions): readonly unknown[] {
  return ["bailiwick-grants", runId, ...grantsIn(values)];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
