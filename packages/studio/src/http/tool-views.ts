import type { JournalEvent, RunSearch, RunStore, StoredRun } from "@bailiwick/core";
import type { StudioTool, StudioTools } from "../views/view-types.ts";
import { countCalls, quantile, type ToolNumbers } from "../views/tool-statistics.ts";
import type { StudioAgent } from "./options.ts";

/** Maximum number of runs in the statistics of tools: the newest ones. */
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
    if (counted > 0 && records + run.head.seq > mostRecords) break;
    counted += 1;
    records += await countRun(store, run, numbers, mostRecords - records);
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

/**
 * Counts the calls of a run and of the runs inside its calls, up to a number of records.
 *
 * @returns the number of records that were read.
 */
async function countRun(
  store: RunStore,
  { id, agentId }: Pick<StoredRun, "id" | "agentId">,
  numbers: Map<string, Map<string, ToolNumbers>>,
  most: number,
): Promise<number> {
  const open = [id];
  let records = 0;
  for (let runId = open.pop(); runId !== undefined && records < most; runId = open.pop()) {
    const events: readonly JournalEvent[] = await store.load(runId).catch(() => []);
    records += events.length;
    const name = events.find((event) => event.type === "run.start")?.agentName ?? agentId;
    const ofAgent = numbers.get(name) ?? new Map<string, ToolNumbers>();
    numbers.set(name, ofAgent);
    countCalls(events, ofAgent);
    open.push(...innerRunsOf(events));
  }
  return records;
}

function innerRunsOf(events: readonly JournalEvent[]): readonly string[] {
  const ids = events.flatMap((event) => {
    if (event.type === "tool.outcome") return event.childRun?.runId ?? [];
    return event.type === "child.suspended" ? event.childRunId : [];
  });
  return [...new Set(ids)];
}
