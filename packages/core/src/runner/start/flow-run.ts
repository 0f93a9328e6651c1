import type { FlowOptions, Grant } from "../../contracts/flow-options.ts";
import type { FlowRun, KeptPlans } from "../../contracts/ports/flow-policy.ts";
import { textOfContent } from "../../tools/content-text.ts";
import { callerOf } from "../caller/caller.ts";
import { sealedLedger } from "../../journal/sealed-ledger.ts";
import { callModelBeside, parseObject } from "../model/model-beside.ts";
import { asFlow, mayNeedWarnings } from "../settings/join-flow.ts";
import type { Run } from "../run.ts";
import type { LedgerKey } from "../../contracts/ports/ledger.ts";

/** The options of the flow policy of a run; `undefined` without a security port or if the mode is `off`. */
export function flowOptionsOf({ agent, settings }: Pick<Run, "agent" | "settings">): FlowOptions | undefined {
  const { mode = "auto", ...rest } = asFlow(settings.flow);
  // A composition always passes the labels of its nodes from one to the next.
  const carries = agent.role === "composition" && (mode === "off" || mode === "shadow");
  // The construction of an agent without the rules logged a warning.
  if (agent.flow === undefined || (mode === "off" && !carries)) return undefined;
  // A program has no words to plan grants for: its order is fixed.
  const planner = agent.role === "composition" ? { planner: false as const } : {};
  return { ...rest, ...planner, mode: carries ? "shadow" : mode };
}

/** Starts the flow policy of a run, if it has one. */
export async function beginFlow(run: Run): Promise<FlowRun | undefined> {
  const { flow } = run.agent;
  const options = flowOptionsOf(run);
  if (flow === undefined || options === undefined) return undefined;
  const grants: readonly Grant[] = run.options.grants ?? [];
  const { tools } = run.catalogue;
  const { hostedTools = [] } = run.agent.options;
  for (const warning of flow.check({ options, tools, hostedTools })) run.warn(warning);
  if (grants.length > 0 || mayNeedWarnings(tools))
    for (const warning of await flow.warnings({ options, tools, grants, once: run.agent })) run.warn(warning);
  return flow.begin({
    runId: run.runId,
    options,
    grants,
    tools: () => run.catalogue.tools,
    instructions: () => {
      const { instructions } = run.settings;
      if (typeof instructions === "string") return instructions;
      const [first] = run.view;
      return first?.role === "system" ? textOfContent(first.content) : "";
    },
    messages: () => run.journal.state.messages,
    warn: (warning) => run.warn(warning),
    keptPlans: () => keptPlans(run),
    parentLabel: callerOf(run.options.parent)?.label,
    parentFlow: callerOf(run.options.parent)?.flow,
    ...(run.agent.role === "composition" && { workflow: run.agent.checkInput === undefined ? "message" : "value" }),
    sessionId: run.context.sessionId,
    tenantId: run.context.tenantId,
    userId: run.context.userId,
    record: (event) => void run.journal.record({ ...event }),
    callModel: async ({ model: spec, ...call }) => {
      const model = spec === undefined ? run.agent.model : run.agent.resolveModel(spec);
      const answer = await callModelBeside(run, { ...call, model });
      if (answer === undefined) throw new Error(`The model call for "${call.purpose}" gave nothing.`);
      return parseObject(answer.text);
    },
  });
}

const reference = "$ref:";

/**
 * Gives the flow policy the values of references, as parsed by the tools' schemas: a process that continues a run takes
 * the tools' outputs from the journal.
 */
export async function restoreReferences({ flow, catalogue, journal }: Run): Promise<void> {
  if (flow === undefined) return;
  for (const { turn, index, toolCallId, toolName, call, outcome, result } of journal.state.calls.values()) {
    const tool = catalogue.get(toolName);
    if (tool?.__validateOutput === undefined || outcome === undefined || outcome.failure !== undefined) continue;
    if (result === undefined || !JSON.stringify(result.message.content).includes(reference)) continue;
    const checked = await tool.__validateOutput(outcome.output);
    if (!checked.ok) continue;
    flow.quarantine({ turn, index, toolCallId, tool, input: undefined, args: call?.args }, checked.value);
  }
}

/** Name under which a ledger stores plans: no tool can have it. */
const keptUnder = "bailiwick:planner";

/** The planner's answers in the ledger of a run, for its owner and the definition of its agent [grants.planner.kept]. */
function keptPlans({ runId, agent, context, clock, logger }: Run): KeptPlans {
  const { hasher, definitionHash } = agent;
  const ledger = sealedLedger(agent.ledger, agent.sealer);
  const { tenantId = "", userId } = context;
  const user = userId === undefined ? "" : `/user:${encodeURIComponent(userId)}`;
  const keyOf = (prompt: string): LedgerKey => ({
    kind: "cache",
    scope: `tenant:${encodeURIComponent(tenantId)}${user}`,
    toolName: keptUnder,
    key: hasher.sha256(`${definitionHash}\n${prompt}`),
  });
  const failed = (error: unknown): undefined => {
    logger.warn(`The store of run ${runId} keeps no plan.`, { error });
  };
  return {
    async find(prompt) {
      const row = await ledger.get(keyOf(prompt)).catch(failed);
      if (row?.state !== "done" || row.expiresAt <= clock.now()) return undefined;
      return { answer: row.outcome, runId: row.runId };
    },
    async keep(prompt, outcome, ttlMs) {
      const key = keyOf(prompt);
      const expiresAt = clock.now() + ttlMs;
      const row = { ...key, state: "done" as const, runId, callKey: keptUnder, inputHash: key.key, outcome, expiresAt };
      await ledger.put(row).catch(failed);
    },
  };
}
