import type { ApprovalConfig } from "../contracts/approval-config.ts";
import { textOfContent } from "../tools/content-text.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { anyText, having, type Fields } from "../errors/value-checks.ts";
import { addUsage, noUsage } from "../journal/fold-model.ts";
import type { FlowPort } from "../contracts/ports/flow-policy.ts";
import type { Preflight, PreflightOptions } from "../contracts/preflight.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { RunInput } from "../contracts/run-options.ts";
import type { TokenUsage } from "../contracts/token-usage.ts";
import type { FlowExplanation, ToolExplanation } from "../contracts/tool-explanation.ts";
import { checkGiven } from "./settings/check-settings.ts";
import { asFlow } from "./settings/join-flow.ts";
import { grants } from "./settings/option-checks.ts";
import { parseObject } from "./model/model-beside.ts";
import { toUserMessage } from "./start/run-input.ts";
import type { Agent } from "./run.ts";

/** Explains the current tools of an agent, including those of its servers. */
export async function explainTools(agent: Agent): Promise<readonly ToolExplanation[]> {
  const flow = policyOf(agent, "explainTools()");
  const { options } = agent;
  const tools = await currentTools(agent);
  const explained = await flow.explain({ options: asFlow(options.flow), tools });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return explained.flatMap((explanation): readonly ToolExplanation[] => {
    const tool = byName.get(explanation.name);
    return tool === undefined ? [] : [{ ...explanation, ...rightsOf(tool, options.approval?.policy) }];
  });
}

/** The rules for a tool's calls that do not come from the flow policy. */
function rightsOf(
  tool: ResolvedTool,
  policy: ApprovalConfig["policy"] = "none",
): Omit<ToolExplanation, keyof FlowExplanation> {
  const { needsApproval = false, name } = tool;
  const isAlways = needsApproval === true || policy === "all" || (Array.isArray(policy) && policy.includes(name));
  const isByFunction = typeof needsApproval === "function" || typeof policy === "function";
  return {
    sideEffectClass: tool.__sideEffectClass,
    approval: isAlways ? "always" : isByFunction ? "sometimes" : "never",
    sandbox: tool.sandboxPolicy,
    secrets: tool.secretsAllowed,
  };
}

const checks: Fields<keyof PreflightOptions> = {
  grants,
  instructions: anyText,
  signal: having("an AbortSignal", "addEventListener", "removeEventListener"),
};

/**
 * Finds the questions that a run of an input may ask. Nothing is executed or stored; only the planner's model is
 * called.
 */
export async function preflight(agent: Agent, input: RunInput, given: PreflightOptions): Promise<Preflight> {
  checkGiven(given, checks, "preflight()");
  const flow = policyOf(agent, "preflight()");
  const { options, model, resolveModel, fetch } = agent;
  const instructions = given.instructions ?? options.instructions ?? "";
  if (typeof instructions !== "string")
    throw new ConfigurationError(
      "INVALID_OPTION",
      `The instructions of agent "${options.name}" are a function of a run, so preflight() does not know them. Pass the text: preflight(input, { instructions }).`,
    );
  const message = toUserMessage(input, "input", 0);
  const tools = await currentTools(agent);
  let usage: TokenUsage = noUsage;
  const { policy = "none" } = options.approval ?? {};
  const found = await flow.preflight({
    options: asFlow(options.flow),
    tools,
    instructions,
    input: message,
    grants: given.grants ?? [],
    mayNeedApproval: (name) =>
      policy === "all" || typeof policy === "function" || (policy !== "none" && policy.includes(name)),
    callModel: async ({ model: spec, purpose, system, prompt, schema }) => {
      const asked = spec === undefined ? model : resolveModel(spec);
      const { message: answer, usage: spent } = await asked.generate({
        messages: [
          { id: "system", role: "system", content: system },
          { id: "prompt", role: "user", content: prompt },
        ],
        ...(asked.capabilities.structuredOutput !== "none" && { output: { name: purpose, schema } }),
        signal: given.signal,
        fetch,
      });
      usage = addUsage(usage, spent);
      return parseObject(textOfContent(answer.content));
    },
  });
  return { ...found, usage };
}

function policyOf({ flow, options }: Agent, call: string): FlowPort {
  if (flow !== undefined) return flow;
  throw new ConfigurationError(
    "PORT_MISSING",
    `${call} of agent "${options.name}" needs the security package: make the agent with @bailiwick/agent.`,
  );
}

/** The tools of an agent without a run, including those of its servers. */
async function currentTools({ options, registry, hasher, sandbox }: Agent): Promise<readonly ResolvedTool[]> {
  if (typeof options.tools === "function")
    throw new ConfigurationError(
      "TOOLS_UNKNOWN",
      `The tools of agent "${options.name}" are resolved for each run, so they are not known before one. Read the warnings of a run instead.`,
    );
  const signal = new AbortController().signal;
  const served = await Promise.all(registry.servers.map(async (server) => server.serve({ signal, hasher, sandbox })));
  const joined = registry.join(options.tools ?? [], served);
  const all = served.length === 0 ? registry.known : registry.of(joined, new Set(served.flatMap(({ tools }) => tools)));
  await all.ready();
  return all.list();
}
