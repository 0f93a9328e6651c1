import type { AgentUsage, RunOutput } from "../../contracts/run-output.ts";
import type { RunState } from "../../journal/run-state.ts";
import { spentBy } from "../answer/run-output.ts";
import type { Caller } from "../caller/caller.ts";
import type { BudgetAccount } from "../limits/budgets.ts";
import { byAgent } from "../tool-call/nested-run.ts";
import type { Run } from "../run.ts";

type Counted = Run["spentInside"];

/** The usage of the runs inside calls that wait, as the journal has it: the run's account opens with it. */
export function countedInside({ turnCalls, calls }: RunState): Counted {
  const counted: Counted = new Map();
  for (const key of turnCalls) {
    const { toolCallId = "", child } = calls.get(key) ?? {};
    for (const one of child?.spent ?? []) {
      const runs = runsIn(counted, toolCallId);
      const runId = one.runId ?? child?.runId ?? "";
      runs.set(runId, [...(runs.get(runId) ?? []), one]);
    }
  }
  return counted;
}

/** Notes what a run inside a call has spent when this process leaves it. */
export function noteSpent(counted: Counted, toolCallId: string, output: Partial<RunOutput> | undefined): void {
  if (output?.runId !== undefined) runsIn(counted, toolCallId).set(output.runId, byAgent(output));
}

/** Counts in the outer run's account what a stored run inside has spent, unless it is counted. */
export function countStored(counted: Counted, budget: BudgetAccount, toolCallId: string): Caller["countStored"] {
  return (runId, state) => {
    const spent = spentBy(state);
    const runs = runsIn(counted, toolCallId);
    const known = runs.get(runId) ?? [];
    budget.book({
      tokens: known.reduce((rest, one) => rest - one.usage.totalTokens, spent.usage.totalTokens),
      usd: known.reduce((rest, one) => rest - (one.costUsd ?? 0), spent.costUsd ?? 0),
    });
    runs.set(runId, spent.byAgent);
  };
}

function runsIn(counted: Counted, toolCallId: string): Map<string, readonly AgentUsage[]> {
  const runs = counted.get(toolCallId) ?? new Map<string, readonly AgentUsage[]>();
  counted.set(toolCallId, runs);
  return runs;
}
