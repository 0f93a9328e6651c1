import { lazyPart } from "@bailiwick/core/extension";
import type { FlowPort, ModelProvider } from "@bailiwick/core";

import type { ResolvePlanner } from "./flow-run.ts";
import { checkAgent } from "./check-agent.ts";

/** Checks an agent at construction; the parts that decide during runs load with the first run. */
const rules = lazyPart("The information-flow policy", () => import("./flow-run.ts"));

/** Word lists and texts about tools without declarations. */
const explanations = lazyPart("The explanation of tools", () => import("./explain-tools.ts"));

/** Few agents predict a task's questions before it runs. */
const preflights = lazyPart("The preflight of a task", () => import("./preflight.ts"));

/** Access of the flow policy to models. */
export interface FlowPolicyOptions {
  /** Finds the model of `flow.planner` where it is a `"provider/model"` string. */
  readonly resolveModel?: ((id: string) => ModelProvider) | undefined;
}

/**
 * Makes the information-flow policy: labels for every record of a run, and a decision about every gated call.
 *
 * @param options - Access to models.
 */
export function flowPolicy(options: FlowPolicyOptions = {}): FlowPort {
  const plannerModel: ResolvePlanner = ({ planner }) => {
    if (planner === undefined || planner === false) return undefined;
    // The agent resolves a string that its own resolver does not handle.
    return typeof planner === "string" ? (options.resolveModel?.(planner) ?? planner) : planner;
  };
  return {
    check: checkAgent,
    explain: (agent) => explanations((part) => part.explainTools(agent)),
    warnings: (agent) => explanations((part) => part.warningsAbout(agent)),
    preflight: async (request) => preflights((part) => part.preflight(request, plannerModel(request.options))),
    begin: (start) => rules((part) => part.beginFlowRun(start, plannerModel)),
  };
}
