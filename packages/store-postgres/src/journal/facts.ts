import { printTools } from "@bailiwick/core/store";
import type { AppendedFacts } from "@bailiwick/core/store";

/** Names of the columns that a group adds to the facts of its runs, in the order of their values. */
export const factsNames = "cost_usd, tokens, model_calls, tool_calls, tools, stop_reason, words";

const types = ["double precision", "bigint", "bigint", "bigint", "text", "text", "text"];

/** Parameters of these columns. */
export function factsColumns(first: number): string {
  return types.map((type, index) => `$${first + index}::${type}[]`).join(", ");
}

/** Assignments that add them. */
export const addedFacts = `cost_usd = CASE WHEN next.cost_usd IS NULL THEN runs.cost_usd ELSE coalesce(runs.cost_usd, 0) + next.cost_usd END,
         tokens = runs.tokens + next.tokens, model_calls = runs.model_calls + next.model_calls,
         tool_calls = runs.tool_calls + next.tool_calls,
         tools = CASE WHEN position(next.tools IN runs.tools) > 0 THEN runs.tools ELSE runs.tools || next.tools END,
         stop_reason = coalesce(next.stop_reason, runs.stop_reason),
         words = CASE WHEN next.words = '' THEN runs.words ELSE runs.words || chr(10) || next.words END`;

/** Values of these columns. */
export function factsValues(runs: readonly (readonly AppendedFacts[])[]): readonly (readonly unknown[])[] {
  const sums = runs.map(sumOf);
  return [
    sums.map(({ costUsd }) => costUsd ?? null),
    sums.map(({ tokens }) => tokens),
    sums.map(({ modelCalls }) => modelCalls),
    sums.map(({ toolCalls }) => toolCalls),
    sums.map(({ tools }) => printTools(tools).replaceAll("\0", "")),
    sums.map(({ stopReason }) => stopReason ?? null),
    sums.map(({ words }) => words),
  ];
}

function sumOf(facts: readonly AppendedFacts[]): AppendedFacts {
  const costs = facts.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost),
    tokens: facts.reduce((sum, { tokens }) => sum + tokens, 0),
    modelCalls: facts.reduce((sum, { modelCalls }) => sum + modelCalls, 0),
    toolCalls: facts.reduce((sum, { toolCalls }) => sum + toolCalls, 0),
    tools: [...new Set(facts.flatMap(({ tools }) => tools))],
    stopReason: facts.findLast(({ stopReason }) => stopReason !== undefined)?.stopReason,
    words: facts
      .map(({ words }) => words)
      .filter((text) => text !== "")
      .join("\n"),
  };
}
