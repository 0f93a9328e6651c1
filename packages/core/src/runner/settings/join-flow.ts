import type { FlowMode, FlowOptions } from "../../contracts/flow-options.ts";
import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import { either, flag, having, number, oneOf, record, strings, text, type Check } from "../../errors/value-checks.ts";
import { given } from "./merge-rules.ts";
import { grants, no, quarantine } from "./option-checks.ts";
import type { FieldsOf, InsideContext, Weaker } from "./option-row.ts";

type Flow = FlowMode | FlowOptions | undefined;

/**
 * The settings of a flow option in their long form.
 *
 * @param flow - The option, as a mode or as an object; without it, the object is empty.
 */
export function asFlow(flow: Flow): FlowOptions {
  return typeof flow === "string" ? { mode: flow } : (flow ?? {});
}

/** Choices, weakest first. `undefined` is the default, if it has a place among them. */
const choices = {
  mode: ["off", "shadow", "auto", "enforce"],
  undeclared: ["shadow", undefined, "guess", "gate"],
  unattended: [undefined, "pend", "fail"],
  serverDefinitions: ["scanned", "untrusted"],
  answerLinks: ["keep", "verbatim", "allowlist"],
  lowCapacityLeaves: [true, false],
  allowUngovernedHostedTools: [true, false],
} as const satisfies { readonly [Name in keyof FlowOptions]?: readonly FlowOptions[Name][] };

type Choice = keyof typeof choices;

function choice(name: "mode" | "undeclared" | "unattended" | "serverDefinitions" | "answerLinks"): Check {
  return oneOf(choices[name].filter((word) => typeof word === "string"));
}

export const flow: Check = either('is "auto", "enforce", "shadow", "off" or an object', choice("mode"), record);

export const flowFields: FieldsOf<FlowOptions> = {
  mode: choice("mode"),
  grants,
  planner: either('is a model, such as openai("gpt-5-mini"), or false', no, text, having("", "generate")),
  plannerTtlMs: number(1, "milliseconds"),
  quarantine,
  lowCapacityLeaves: flag,
  serverDefinitions: choice("serverDefinitions"),
  answerLinks: choice("answerLinks"),
  allowedHosts: strings,
  undeclared: choice("undeclared"),
  unattended: choice("unattended"),
  allowUngovernedHostedTools: flag,
};

/** Defaults of an agent that apply to its runs like an explicit value. */
const bindingDefaults = { mode: "auto", answerLinks: "verbatim", allowUngovernedHostedTools: false } as const;

/** Choices of a run that apply to its inner runs. The others are about the run's own answer and model. */
const boundInside: readonly Choice[] = [
  "mode",
  "undeclared",
  "unattended",
  "serverDefinitions",
  "lowCapacityLeaves",
  "allowUngovernedHostedTools",
];

function stricterChoices(
  names: readonly Choice[],
  strict: FlowOptions,
  asked: FlowOptions,
  weaker: Weaker,
): Partial<Record<Choice, unknown>> {
  const joined: Partial<Record<Choice, unknown>> = {};
  for (const name of names) {
    const ranked: readonly unknown[] = choices[name];
    const [before, after] = [strict[name], asked[name]];
    const isRanked = (value: unknown): boolean => value !== undefined || ranked.includes(undefined);
    const isWeaker = isRanked(before) && isRanked(after) && ranked.indexOf(after) < ranked.indexOf(before);
    if (isWeaker && after !== undefined) weaker(`flow.${name}`, before ?? "its default", after);
    joined[name] = isWeaker || !isRanked(after) ? before : after;
  }
  // In `enforce`, each undeclared writer is gated.
  if (joined.mode === "enforce" && joined.undeclared !== "gate") joined.undeclared = undefined;
  return joined;
}

/**
 * The flow settings of an agent with those of a run: the stricter value of each field.
 *
 * @param weaker - Called for each setting of the run that is weaker than the agent's.
 */
export function joinFlow(agent: Flow, run: Flow, weaker: Weaker): Flow {
  // If only one of them sets a value, that value applies, except for the fields with a binding default.
  const undeclared = asFlow(run).undeclared ?? asFlow(agent).undeclared;
  const strict = { undeclared, ...bindingDefaults, ...given(asFlow(agent)) };
  const asked = { ...asFlow(run), undeclared };
  const { allowedHosts } = strict;
  const more = asked.allowedHosts?.find((host) => allowedHosts !== undefined && !allowedHosts.includes(host));
  if (more !== undefined) weaker("flow.allowedHosts", allowedHosts, more);
  return {
    ...strict,
    ...asked,
    ...(more !== undefined && { allowedHosts }),
    ...(stricterChoices(Object.keys(choices) as Choice[], strict, asked, weaker) as FlowOptions),
    quarantine: stricterQuarantine(strict.quarantine, asked.quarantine, weaker),
    grants: [...(strict.grants ?? []), ...(asked.grants ?? [])],
  };
}

/**
 * The flow settings of an agent inside a run: the stricter of both, if a setting applies to inner runs.
 *
 * @param inner - The agent's; a composition has none.
 * @param outer - The run's; without a mode, it demands nothing.
 */
export function joinFlowInside(inner: Flow, outer: Flow, { weaker, role }: InsideContext): Flow {
  if (outer === undefined) return inner;
  const isBound = role === "agent" || inner !== undefined;
  const asked = { ...asFlow(inner), ...(isBound && { mode: asFlow(inner).mode ?? "auto" }) };
  const joined = stricterChoices(boundInside, asFlow(outer), asked, weaker) as FlowOptions;
  // If the agent itself has the rules off, it plans no grants when an outer run turns them on.
  const plans = asked.planner !== undefined || rankOf(asked.mode) >= rankOf("auto");
  return { ...asked, ...joined, ...(!plans && { planner: false }) };
}

function rankOf(mode: FlowMode = "auto"): number {
  return choices.mode.indexOf(mode);
}

type Quarantine = FlowOptions["quarantine"];

function stricterQuarantine(agent: Quarantine, run: Quarantine, weaker: Weaker): Quarantine {
  if (agent === undefined || agent === false) return run ?? agent;
  if (run === undefined || run === true) return agent;
  if (run === false) {
    weaker("flow.quarantine", true, false);
    return agent;
  }
  const before = agent === true ? {} : agent;
  if (run.bits !== undefined && before.bits !== undefined && run.bits > before.bits) {
    weaker("flow.quarantine.bits", before.bits, run.bits);
    return { ...before, ...run, bits: before.bits };
  }
  return { ...before, ...run };
}

/** True if untrusted values are hidden from the model of a run. */
export function isQuarantined(flow: Flow): boolean {
  const { mode, quarantine } = asFlow(flow);
  return mode !== "off" && quarantine !== undefined && quarantine !== false;
}

/** True if a tool declares no effect, or a tool that is not pure declares no output. */
export function mayNeedWarnings(tools: readonly ResolvedTool[]): boolean {
  return tools.some(
    ({ __effectDeclared, __outputDeclared, __sideEffectClass }) =>
      !__effectDeclared || (!__outputDeclared && __sideEffectClass !== "pure"),
  );
}
