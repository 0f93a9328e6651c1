import { createAgentRuntime, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { agentRuntimeOf, runsBesideFakes, type ResolvedTool } from "@bailiwick/core/extension";
import { EvaluationError } from "../evaluation-error.ts";
import type { AgentMaker, Candidate, EvaluatedAgent, Evaluation } from "../evaluation.ts";

type AgentDefinition = AgentRuntime["definition"];

/** Options of an agent that would keep its runs elsewhere. */
const fixed = ["store", "session", "memory", "ledger"] as const;

/**
 * Makes the agent of a candidate on the store of the evaluation, and checks that no call of it can have a real effect.
 *
 * @throws EvaluationError `EVAL_STORE_FIXED`, `EVAL_FAKE_MISSING`, `EVAL_HOSTED_TOOL`
 */
export async function candidateAgent(
  evaluation: Evaluation,
  name: string,
  candidate: Candidate,
  store: RunStore,
): Promise<AgentRuntime> {
  const given = candidate.agent ?? evaluation.agent;
  const runtime = await madeOn(evaluation, given, store);
  await runtime.definition.registry.known.ready();
  checkTools(evaluation, name, runtime);
  return runtime;
}

async function madeOn(
  evaluation: Evaluation,
  given: EvaluatedAgent | AgentMaker,
  store: RunStore,
): Promise<AgentRuntime> {
  const isMaker = typeof given === "function" && agentRuntimeOf(given) === undefined;
  const made = isMaker ? await (given as AgentMaker)({ store }) : (given as EvaluatedAgent);
  const runtime = typeof made === "object" && made !== null ? agentRuntimeOf(made) : undefined;
  if (runtime === undefined)
    throw new EvaluationError(
      "INVALID_OPTION",
      `The "agent" of the evaluation "${evaluation.name}" is not an agent. Pass an Agent, or a function that makes one: agent: ({ store }) => createAgent({ store }).`,
    );
  if (!isMaker) {
    const wrong = agentsOf(runtime.definition).flatMap(({ name, options }) =>
      fixed.flatMap((option) => (options[option] === undefined ? [] : [`"${option}" of "${name}"`])),
    )[0];
    if (wrong !== undefined) throw storeFixed(evaluation, `The agent brings ${wrong}`);
  }
  const own = runtime.definition.options.store;
  if (own === store) return runtime;
  if (own !== undefined)
    throw storeFixed(
      evaluation,
      `The function "agent" made "${runtime.name}" on another store than the one it was given`,
    );
  const { options, fetch: http } = runtime.definition;
  return createAgentRuntime(
    { ...options, store },
    runtime.ports,
    http === undefined ? {} : { fetch: async () => http },
  );
}

function storeFixed({ name }: Evaluation, why: string): EvaluationError {
  return new EvaluationError(
    "EVAL_STORE_FIXED",
    `${why}, so the runs of the evaluation "${name}" would be kept there. Make the agent, its sessions and its memory on the store of the evaluation: agent: ({ store }) => createAgent({ store }).`,
  );
}

/** An agent and the agents inside its tools. */
export function agentsOf(first: AgentDefinition): readonly AgentDefinition[] {
  const found = new Set<AgentDefinition>([first]);
  for (const agent of found)
    for (const tool of agent.registry.known.list()) {
      const inner = innerOf(tool);
      if (inner !== undefined) found.add(inner);
    }
  return [...found];
}

function innerOf({ composition }: ResolvedTool): AgentDefinition | undefined {
  const { agent } = Object(composition) as { readonly agent?: unknown };
  return typeof agent === "function" ? (agent as () => AgentDefinition | undefined)() : undefined;
}

function checkTools(
  { name, fakes = {}, realEffects = [] }: Evaluation,
  candidate: string,
  { definition }: AgentRuntime,
): void {
  const agents = agentsOf(definition);
  const hosted = agents
    .flatMap((agent) => (agent.options.hostedTools ?? []).map((tool) => tool.name))
    .filter((tool) => !realEffects.includes(tool));
  const where = `the evaluation "${name}", candidate "${candidate}"`;
  if (hosted.length > 0)
    throw new EvaluationError(
      "EVAL_HOSTED_TOOL",
      `The vendor runs ${quoted(hosted)} in ${where}, so no fake can take its place. Leave it out of the agent, or allow it: realEffects: [${quoted(hosted)}].`,
    );
  const missing = new Map<string, boolean>();
  for (const agent of agents)
    for (const tool of agent.registry.known.list()) {
      if (Object.hasOwn(fakes, tool.name) || realEffects.includes(tool.name) || runsBesideFakes(tool, true)) continue;
      missing.set(tool.name, tool.__effectDeclared && !tool.__effectHinted && tool.sideEffectClass !== undefined);
    }
  if (missing.size === 0) return;
  const named = (declared: boolean): readonly string[] =>
    [...missing].flatMap(([tool, is]) => (is === declared ? [tool] : []));
  const parts = [
    ...(named(true).length > 0 ? [`These tools change something outside: ${quoted(named(true))}.`] : []),
    ...(named(false).length > 0
      ? [
          `These tools do not declare their effect in your code: ${quoted(named(false))}. If one only reads, declare it: npx bailiwick declare.`,
        ]
      : []),
  ];
  throw new EvaluationError(
    "EVAL_FAKE_MISSING",
    `${missing.size === 1 ? "A tool has" : "Tools have"} no fake in ${where}. ${parts.join(" ")} Add fakes: { ${[...missing.keys()].map((tool) => `${/^[A-Za-z_$][\w$]*$/u.test(tool) ? tool : JSON.stringify(tool)}: (args) => …`).join(", ")} }.`,
  );
}

function quoted(names: readonly string[]): string {
  return names.map((one) => `"${one}"`).join(", ");
}
