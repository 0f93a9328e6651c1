import type { ToolExplanation } from "../contracts/tool-explanation.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import type { CheckedAgent } from "./checked-agent.ts";
import { asFlow } from "./settings/join-flow.ts";

/** Explains the tools that an agent has now, those of its servers included. */
export async function explainTools(definition: CheckedAgent): Promise<readonly ToolExplanation[]> {
  const { flow, options, registry, hasher, sandbox } = definition;
  if (flow === undefined)
    throw new ConfigurationError(
      "PORT_MISSING",
      `explainTools() of agent "${options.name}" needs the security package: make the agent with @bailiwick/agent.`,
    );
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
  return flow.explain({ options: asFlow(options.flow), tools: all.list() });
}
