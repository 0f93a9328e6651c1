import type { ApprovalConfig } from "../../contracts/approval-config.ts";
import type { FlowMode, FlowOptions } from "../../contracts/flow-options.ts";
import type { Guardrails } from "../../contracts/guardrail.ts";
import type { AgentOptions, Budget, RunOptions, RunSettings } from "../../contracts/run-options.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { ToolCall } from "../../contracts/tool-call.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";
import { settingNames } from "./option-names.ts";
import { demandStricterChoices } from "./flow-choices.ts";

/** Settings of runs that bring none: most runs, and all of an agent's have the same. */
const plainSettings = new WeakMap<AgentOptions, RunSettings>();

/**
 * The settings of one run: the agent's with the run's on top. Approval, flow, guardrails and budget can only be made
 * stricter; dependencies are merged.
 *
 * @throws ConfigurationError `WEAKER_POLICY` when the run asks for less than the agent demands.
 */
export function runSettings(agent: AgentOptions, run: RunOptions): RunSettings {
  if (settingNames.some((name) => run[name] !== undefined)) return mergedSettings(agent, run);
  let settings = plainSettings.get(agent);
  if (settings === undefined) plainSettings.set(agent, (settings = Object.freeze(mergedSettings(agent, run))));
  return settings;
}

function mergedSettings(agent: AgentOptions, run: RunOptions): RunSettings {
  const merged: Record<string, unknown> = {};
  for (const name of settingNames) {
    const value = run[name] ?? agent[name];
    if (value !== undefined) merged[name] = value;
  }
  return {
    ...(merged as RunSettings),
    approval: stricterApproval(agent.approval, run.approval),
    flow: stricterFlow(agent.flow, run.flow),
    guardrails: appendedGuardrails(agent.guardrails, run.guardrails),
    budget: smallerBudget(agent.budget, run.budget),
    dependencies: mergedDependencies(agent.dependencies, run.dependencies),
  };
}

function stricterApproval(
  agent: ApprovalConfig | undefined,
  run: ApprovalConfig | undefined,
): ApprovalConfig | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  return {
    policy: eitherPolicy(agent.policy, run.policy),
    onApproval: run.onApproval ?? agent.onApproval,
    timeout: smaller(agent.timeout, run.timeout),
    timeoutAction: stricterAction(agent.timeoutAction, run.timeoutAction),
    expiresAfterMs: smaller(agent.expiresAfterMs, run.expiresAfterMs),
  };
}

type Policy = ApprovalConfig["policy"];

function eitherPolicy(agent: Policy, run: Policy): Policy {
  if (agent === undefined || agent === "none") return run;
  if (run === undefined || run === "none") return agent;
  if (agent === "all" || run === "all") return "all";
  if (typeof agent !== "function" && typeof run !== "function") return [...agent, ...run];
  const asked = [agent, run].filter((policy) => typeof policy === "function");
  const asks = async (call: ToolCall, ctx: RunContext): Promise<boolean> => {
    for (const policy of asked) {
      const answer: unknown = await policy(call, ctx);
      if (answer !== false) return true;
    }
    return false;
  };
  return Object.assign(asks, { toolNames: [...namesOfPolicy(agent), ...namesOfPolicy(run)] });
}

/** The names in an approval policy, as they were given. */
export function namesOfPolicy(policy: Policy): readonly string[] {
  if (Array.isArray(policy)) return policy as readonly string[];
  return (policy as { readonly toolNames?: readonly string[] } | undefined)?.toolNames ?? [];
}

type TimeoutAction = NonNullable<ApprovalConfig["timeoutAction"]>;

const actionsByStrictness: readonly TimeoutAction[] = ["approve", "deny", "throw"];

function stricterAction(agent: TimeoutAction | undefined, run: TimeoutAction | undefined): TimeoutAction | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  return actionsByStrictness.indexOf(agent) > actionsByStrictness.indexOf(run) ? agent : run;
}

const modesByStrictness: readonly FlowMode[] = ["off", "shadow", "auto", "enforce"];

function asFlow(flow: FlowMode | FlowOptions | undefined): FlowOptions {
  return typeof flow === "string" ? { mode: flow } : (flow ?? {});
}

function stricterFlow(
  agent: FlowMode | FlowOptions | undefined,
  run: FlowMode | FlowOptions | undefined,
): FlowOptions | undefined {
  if (run === undefined) return agent === undefined ? undefined : asFlow(agent);
  const [ofAgent, ofRun] = [asFlow(agent), asFlow(run)];
  const before = ofAgent.mode ?? "auto";
  const after = ofRun.mode ?? before;
  if (modesByStrictness.indexOf(after) < modesByStrictness.indexOf(before)) {
    throw new ConfigurationError(
      "WEAKER_POLICY",
      `A run may only tighten "flow": the agent's mode is "${before}", and "${after}" is weaker. Make another agent for runs that need less.`,
    );
  }
  for (const name of ["lowCapacityLeaves", "allowUngovernedHostedTools"] as const) {
    if (ofAgent[name] === false && ofRun[name] === true) {
      throw new ConfigurationError(
        "WEAKER_POLICY",
        `A run may only tighten "flow": the agent has "${name}" off, and the run turns it on.`,
      );
    }
  }
  demandStricterChoices(ofAgent, ofRun);
  return {
    ...ofAgent,
    ...ofRun,
    mode: after,
    quarantine: stricterQuarantine(ofAgent.quarantine, ofRun.quarantine),
    grants: [...(ofAgent.grants ?? []), ...(ofRun.grants ?? [])],
  };
}

type Quarantine = FlowOptions["quarantine"];

function stricterQuarantine(agent: Quarantine, run: Quarantine): Quarantine {
  if (agent === undefined || agent === false) return run ?? agent;
  if (run === undefined || run === true) return agent;
  if (run === false) {
    throw new ConfigurationError(
      "WEAKER_POLICY",
      `A run may only tighten "flow": the agent has "quarantine" on, and the run turns it off.`,
    );
  }
  const before = agent === true ? {} : agent;
  if (run.bits !== undefined && before.bits !== undefined && run.bits > before.bits) {
    throw new ConfigurationError(
      "WEAKER_POLICY",
      `A run may only tighten "flow": the agent's quarantine gives ${before.bits} bits, and the run asks for ${run.bits}.`,
    );
  }
  return { ...before, ...run };
}

/** Whether untrusted values are hidden from the model of a run. */
export function isQuarantined(flow: FlowMode | FlowOptions | undefined): boolean {
  const { mode, quarantine } = asFlow(flow);
  return mode !== "off" && quarantine !== undefined && quarantine !== false;
}

function appendedGuardrails(agent: Guardrails | undefined, run: Guardrails | undefined): Guardrails | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  return {
    input: [...(agent.input ?? []), ...(run.input ?? [])],
    output: [...(agent.output ?? []), ...(run.output ?? [])],
    toolInput: [...(agent.toolInput ?? []), ...(run.toolInput ?? [])],
    toolOutput: [...(agent.toolOutput ?? []), ...(run.toolOutput ?? [])],
  };
}

function smallerBudget(agent: Budget | undefined, run: Budget | undefined): Budget | undefined {
  if (agent === undefined || run === undefined) return agent ?? run;
  return { tokens: smaller(agent.tokens, run.tokens), usd: smaller(agent.usd, run.usd), ms: smaller(agent.ms, run.ms) };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}

function mergedDependencies(agent: unknown, run: unknown): unknown {
  const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
  return isObject(agent) && isObject(run) && isPlain(agent) && isPlain(run) ? { ...agent, ...run } : (run ?? agent);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
