import { lazyPart } from "@bailiwick/core/extension";
import type { FlowPort, ModelProvider } from "@bailiwick/core";

import { checkAgent } from "./check-agent.ts";

/** An agent is checked at construction; the parts that its runs decide with load with the first run. */
const rules = lazyPart("The information-flow policy", () => import("./flow-run.ts"));

/** Word lists and texts about tools that declare nothing. */
const explanations = lazyPart("The explanation of tools", () => import("./explain-tools.ts"));

/** How the flow policy finds its models. */
export interface FlowPolicyOptions {
  /** Finds the model of `flow.planner` where it is a `"provider/model"` string. */
  readonly resolveModel?: ((id: string) => ModelProvider) | undefined;
}

/**
 * Makes the information-flow policy: labels for every record of a run, and a decision about every gated call.
 *
 * @param options - How it finds its models.
 */
export function flowPolicy(options: FlowPolicyOptions = {}): FlowPort {
  return {
    check: checkAgent,
    explain: (agent) => explanations(({ explainTools }) => explainTools(agent)),
    warnings: (agent) => explanations(({ warningsAbout }) => warningsAbout(agent)),
    begin: (start) =>
      rules(({ beginFlowRun }) =>
        beginFlowRun(start, ({ planner }) => {
          if (planner === undefined || planner === false) return undefined;
          return typeof planner === "string" ? options.resolveModel?.(planner) : planner;
        }),
      ),
  };
}
