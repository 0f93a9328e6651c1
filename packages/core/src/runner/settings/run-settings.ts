import type { Warning } from "../../contracts/model-response.ts";
import type { AgentOptions, RunOptions, RunSettings, InheritedRunOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { withExtensionOptions } from "./extension-options.ts";
import { withRunApprover } from "./join-approval.ts";
import type { AgentRole, InsideRule, OptionFacts, MergeRule, Weaker } from "./option-row.ts";
import { optionTable } from "./option-table.ts";

export interface EffectiveSettings extends RunSettings {
  /** Settings of the agent that the outer run made stricter. */
  readonly tightened?: readonly Warning[] | undefined;
}

/** The values of a run that apply to its inner runs, by option. */
export type Demands = Partial<RunSettings>;

/** The rows of settings, without their types: a row's functions match its own type. */
export type SettingRows = Readonly<
  Record<string, OptionFacts & { readonly merge: MergeRule<unknown>; readonly inside?: string | InsideRule<unknown> }>
>;

type Values = Readonly<Record<string, unknown>>;

/** The rows of the settings that an agent has and a run may override. */
export const settingRows = optionTable.both as unknown as SettingRows;
const settingNames = Object.keys(settingRows);

/** Settings of runs without options: most runs, and all such runs of an agent share them. */
const plainSettings = new WeakMap<AgentOptions, EffectiveSettings>();

/**
 * The settings of one run: the agent's, overridden by the run's, with the demands of the outer run. A run inside a call
 * belongs to the conversation of the calling run: it keeps a session only if its caller names one.
 *
 * @throws ConfigurationError `WEAKER_POLICY` if the run is weaker than the agent or the outer run demands.
 */
export function runSettings(
  agent: AgentOptions,
  run: RunOptions,
  demands?: Demands,
  role: AgentRole = "agent",
  kept?: RunOptions,
): EffectiveSettings {
  const settings = joinedSettings(agent, run, demands, role, kept);
  const namesSession = run.parent === undefined || run.sessionId !== undefined || run.session !== undefined;
  return namesSession || settings.session === undefined ? settings : { ...settings, session: undefined };
}

function joinedSettings(
  agent: AgentOptions,
  run: RunOptions,
  demands: Demands | undefined,
  role: AgentRole,
  kept: RunOptions | undefined,
): EffectiveSettings {
  if (demands !== undefined) {
    const tightened: Warning[] = [];
    return { ...effectiveSettings(settingRows, { agent, run, kept, demands, role, tightened }), tightened };
  }
  if (kept !== undefined) return effectiveSettings(settingRows, { agent, run, kept, role });
  if (run.onApprovalRequired !== undefined || settingNames.some((name) => (run as Values)[name] !== undefined))
    return effectiveSettings(settingRows, { agent, run, role });
  let settings = plainSettings.get(agent);
  if (settings === undefined)
    plainSettings.set(agent, (settings = Object.freeze(effectiveSettings(settingRows, { agent, run, role }))));
  return settings;
}

interface Parts {
  readonly agent: AgentOptions;
  readonly run: RunOptions;
  /** Options that the run began with: if a run may only tighten, the stricter of these and the agent's apply. */
  readonly kept?: RunOptions | undefined;
  readonly demands?: Demands | undefined;
  readonly role: AgentRole;
  /** Receives a warning for each setting of the agent that is looser than the outer run's. */
  readonly tightened?: Warning[] | undefined;
}

/** Joins the options of an agent, of a run, and of the outer run, each by its row. */
export function effectiveSettings(
  rows: SettingRows,
  { agent, run, kept, demands, role, tightened }: Parts,
): RunSettings {
  const context = { role, weaker: warnsOf(agent.name, tightened ?? []) };
  const merged: Record<string, unknown> = {};
  for (const [name, { merge, inside }] of Object.entries(rows)) {
    const demand = demands === undefined ? undefined : (demands as Values)[name];
    const binding = demand !== undefined && typeof inside === "object" ? inside : undefined;
    const own = joined(
      merge,
      (agent as unknown as Values)[name],
      (kept as Values | undefined)?.[name],
      () => undefined,
    );
    let value = joined(
      merge,
      binding?.first === true ? binding.join(own, demand, context) : own,
      (run as Values)[name],
      refuse,
    );
    if (run.extensions !== undefined) value = withExtensionOptions({ merge }, name, value, run.extensions);
    if (name === "approval") value = withRunApprover(value as RunSettings["approval"], run.onApprovalRequired);
    if (binding !== undefined && binding.first !== true) value = binding.join(value, demand, context);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

function joined(merge: MergeRule<unknown>, agent: unknown, run: unknown, weaker: Weaker): unknown {
  if (run === undefined) return agent;
  return merge.rule === "replace" ? (run ?? agent) : merge.join(agent, run, weaker);
}

/** The values of some settings that apply to inner runs, by option. */
export function demandedBy(rows: SettingRows, settings: RunSettings): Demands {
  const demands: Record<string, unknown> = {};
  for (const [name, { inside }] of Object.entries(rows)) {
    const value = (settings as Values)[name];
    if (typeof inside === "object" && value !== undefined) demands[name] = inside.hand?.(value) ?? value;
  }
  return demands;
}

const refuse: Weaker = (option, demanded, asked) => {
  throw new ConfigurationError(
    "WEAKER_POLICY",
    `A run may only tighten "${option}": the agent's, or what the run began with, is ${JSON.stringify(demanded)}, and ${JSON.stringify(asked)} is weaker. Make another agent for runs that need less.`,
  );
};

function warnsOf(agentName: string, tightened: Warning[]): Weaker {
  return (option, demanded, asked) => {
    tightened.push({
      code: "tightened",
      message: `Agent "${agentName}" has ${JSON.stringify(option)} ${JSON.stringify(asked)}, which is weaker than the outer run's: ${JSON.stringify(demanded)} applies.`,
      subject: option,
    });
  };
}

const ofAgents: readonly (readonly [name: string, facts: OptionFacts])[] = Object.entries<OptionFacts>({
  ...optionTable.both,
  ...optionTable.agent,
});

/** Options of an agent that apply to its programs in code mode. */
export const programOptions: readonly string[] = ofAgents.filter(([, facts]) => facts.program).map(([name]) => name);

/** Options of an agent that a composition accepts. */
export const compositionOptions: readonly string[] = ofAgents
  .filter(([, facts]) => facts.composition)
  .map(([name]) => name);

/**
 * Options of a run that its inner runs get: unchanged, except for functions that are called once. `parent` is made for
 * each call.
 */
export const handedOptions: readonly (keyof InheritedRunOptions)[] = Object.entries<{ readonly inside?: unknown }>({
  ...optionTable.both,
  ...optionTable.run,
})
  .filter(
    ([name, { inside }]) =>
      (inside === "as is" && name !== "parent") || (inside === "once" && Object.hasOwn(optionTable.run, name)),
  )
  .map(([name]) => name as keyof InheritedRunOptions);
