import { createAgentRuntime } from "@bailiwick/core";
import type { Tool, FlowExplanation } from "@bailiwick/core";
import { scriptedModel } from "@bailiwick/testing";

import { security } from "../../security.ts";

/** Tools with what a proposal from guesses declares of them, unreviewed: outputs stay untrusted. */
export async function withProposals(tools: readonly Tool[]): Promise<readonly Tool[]> {
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const runtime = createAgentRuntime({ name: "proposed", model: scriptedModel([]), tools, logger }, security());
  const explained = await runtime.explainTools();
  return tools.map((tool) => {
    const found = explained.find(({ name }) => name === tool.name);
    return found === undefined ? tool : Object.freeze({ ...tool, ...proposalFor(found) });
  });
}

function proposalFor({ effect, outward, grave, arguments: args }: FlowExplanation): Partial<Tool> {
  const by = (role: string): readonly string[] => args.filter((one) => one.role === role).map(({ path }) => path);
  const isWriter = effect === "writer";
  return {
    sideEffectClass: isWriter ? (outward ? "external-stateful" : "side-effecting") : "read-only",
    flow: {
      ...(isWriter && { authority: by("decides"), payload: by("payload"), ...(grave && { grave }) }),
      egress: by("sends"),
    },
    output: { integrity: "untrusted" },
  };
}
