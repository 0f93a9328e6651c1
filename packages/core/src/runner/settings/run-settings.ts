import type { Warning } from "../../contracts/model-response.ts";
import type { AgentOptions, Budget, RunOptions, RunSettings } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { approvalInside, joinApproval, smaller, withRunApprover } from "./join-approval.ts";
import { asFlow, joinFlow, joinFlowInside } from "./join-flow.ts";
import { joinGuardrails } from "./join-guardrails.ts";
import { joinLoopHooks } from "./join-hooks.ts";
import { settingNames } from "./option-names.ts";
import type { Weaker } from "./weaker.ts";

/** The settings that a run goes by. */
export interface EffectiveSettings extends RunSettings {
  /** Settings of the agent that the run around it made stricter. */
  readonly tightened?: readonly Warning[] | undefined;
}

/** An agent; a composition, which has no authority of its own; or the programs of code mode, which have their agent's. */
export type AgentRole = "agent" | "composition" | "program";

/** What a run demands of the runs inside it. */
export type Demands = Pick<RunSettings, "flow" | "approval" | "guardrails" | "loopHooks" | "maxDepth" | "deadlineAt">;

/** Settings of runs that bring none: most runs, and all of an agent's have the same. */
const plainSettings = new WeakMap<AgentOptions, EffectiveSettings>();

/**
 * The settings of one run: the agent's with the run's on top, and with what the run around it demands.
 *
 * @param demands - Those of the run around it.
 * @throws ConfigurationError `WEAKER_POLICY` when the run asks for less than the agent or the run around it demands.
 */
export function runSettings(
  agent: AgentOptions,
  run: RunOptions,
  demands?: Demands,
  role: AgentRole = "agent",
): EffectiveSettings {
  if (demands !== undefined) return insideSettings(agent, run, demands, role);
  if (run.onApprovalRequired !== undefined || settingNames.some((name) => run[name] !== undefined))
    return mergedSettings(agent, run);
  let settings = plainSettings.get(agent);
  if (settings === undefined) plainSettings.set(agent, (settings = Object.freeze(mergedSettings(agent, run))));
  return settings;
}

/** Limits bind from the outside in, before the run's own options; those who are asked are asked from the inside out. */
function insideSettings(agent: AgentOptions, run: RunOptions, demands: Demands, role: AgentRole): EffectiveSettings {
  const tightened: Warning[] = [];
  const warn: Weaker = (option, demanded, asked) => {
    tightened.push({
      code: "tightened",
      message: `Agent "${agent.name}" has ${JSON.stringify(option)} ${JSON.stringify(asked)}, which is weaker than the run around it demands: ${JSON.stringify(demanded)} holds.`,
      subject: option,
    });
  };
  const own = role === "agent" ? asFlow(agent.flow) : agent.flow;
  const flow = demands.flow === undefined ? agent.flow : joinFlowInside(asFlow(demands.flow), own, warn);
  const bound = { ...agent, flow };
  const merged = mergedSettings(bound, run);
  return {
    ...merged,
    approval: joinApproval(merged.approval, role === "program" ? demands.approval : approvalInside(demands.approval)),
    guardrails: joinGuardrails(merged.guardrails, demands.guardrails),
    loopHooks: joinLoopHooks(merged.loopHooks, demands.loopHooks),
    maxDepth: smaller(merged.maxDepth, demands.maxDepth),
    deadlineAt: smaller(merged.deadlineAt, demands.deadlineAt),
    tightened,
  };
}

function mergedSettings(agent: AgentOptions, run: RunOptions): RunSettings {
  const merged: Record<string, unknown> = {};
  for (const name of settingNames) {
    const value = run[name] ?? agent[name];
    if (value !== undefined) merged[name] = value;
  }
  return {
    ...(merged as RunSettings),
    approval: withRunApprover(joinApproval(agent.approval, run.approval), run.onApprovalRequired),
    flow: joinFlow(agent.flow, run.flow, refuse),
    guardrails: joinGuardrails(agent.guardrails, run.guardrails),
    outputGuardrails: stricterOutput(agent.outputGuardrails, run.outputGuardrails),
    loopHooks: joinLoopHooks(agent.loopHooks, run.loopHooks),
    budget: smallerBudget(agent.budget, run.budget),
    dependencies: mergedDependencies(agent.dependencies, run.dependencies),
  };
}

const refuse: Weaker = (option, demanded, asked) => {
  throw new ConfigurationError(
    "WEAKER_POLICY",
    `A run may only tighten "${option}": the agent's is ${JSON.stringify(demanded)}, and ${JSON.stringify(asked)} is weaker. Make another agent for runs that need less.`,
  );
};

type OutputGuardrails = RunSettings["outputGuardrails"];

function stricterOutput(agent: OutputGuardrails, run: OutputGuardrails): OutputGuardrails {
  if (agent === "hold" && run === "after") refuse("outputGuardrails", agent, run);
  return run ?? agent;
}

function smallerBudget(agent: Budget | undefined, run: Budget | undefined): Budget | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  return { tokens: smaller(agent.tokens, run.tokens), usd: smaller(agent.usd, run.usd), ms: smaller(agent.ms, run.ms) };
}

function mergedDependencies(agent: unknown, run: unknown): unknown {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  return isObject(agent) && isObject(run) && isPlain(agent) && isPlain(run) ? { ...agent, ...run } : (run ?? agent);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
