import type { RunSearch, RunStore } from "@bailiwick/core";
import type { StudioTool, StudioTools } from "../views/view-types.ts";
import { countCalls, quantile, type ToolNumbers } from "../views/tool-statistics.ts";
import type { StudioAgent } from "./options.ts";

/** Maximum number of runs that the statistics of tools are of: the newest ones. */
const mostRuns = 100;

/** Maximum number of records that the statistics read. */
const mostRecords = 20_000;

/** Tools of all agents, with the numbers of their newest calls. */
export async function toolsOf(
  store: RunStore,
  agents: readonly StudioAgent[],
  owner: Pick<RunSearch, "tenantId" | "allTenants">,
): Promise<StudioTools> {
  const { runs } = await store.searchRuns({ ...owner, limit: mostRuns });
  const numbers = new Map<string, Map<string, ToolNumbers>>();
  let records = 0;
  let counted = 0;
  for (const { run } of runs) {
    records += run.head.seq;
    if (records > mostRecords && counted > 0) break;
    counted += 1;
    const ofAgent = numbers.get(run.agentId) ?? new Map<string, ToolNumbers>();
    numbers.set(run.agentId, ofAgent);
    countCalls(await store.load(run.id), ofAgent);
  }
  const tools: StudioTool[] = [];
  const failures: StudioTools["failures"][number][] = [];
  for (const agent of agents) {
    try {
      for (const explanation of (await agent.explainTools?.()) ?? []) {
        const known = numbers.get(agent.name)?.get(explanation.name);
        tools.push({
          agentId: agent.name,
          explanation,
          calls: known?.calls ?? 0,
          errors: known?.errors ?? 0,
          rejections: known?.rejections ?? 0,
          p50: known && quantile(known.durations, 0.5),
          p95: known && quantile(known.durations, 0.95),
        });
      }
    } catch (error) {
      failures.push({ agentId: agent.name, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { tools, overRuns: counted, failures };
}
