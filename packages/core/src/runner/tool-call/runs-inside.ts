import type { RunOutput } from "../../contracts/run-output.ts";
import { addAgentUsage, addCost, addUsage } from "../../journal/fold-model.ts";
import { keepInside, nestedRun } from "./nested-run.ts";

/**
 * Adds the runs that a tool started to its result: their usage and cost count for the calling run.
 *
 * @param outputs - Outputs of runs that were started with `ctx.runOptions`, in order.
 * @param result - Value that the tool returns, or the error that it throws.
 * @returns The result to return or to throw in its place.
 * @example
 * ```ts
 * import { createAgentRuntime } from "@bailiwick/core";
 * import { callerModel, withRunsInside } from "@bailiwick/core/extension";
 * import type { ToolExecutionContext } from "@bailiwick/core/extension";
 *
 * export async function summarize(text: string, ctx: ToolExecutionContext): Promise<string> {
 *   const model = callerModel(ctx.runOptions);
 *   if (model === undefined) return text;
 *   const output = await createAgentRuntime({ name: "summary", model }).run(text, ctx.runOptions);
 *   return withRunsInside([output], output.text);
 * }
 * ```
 */
export function withRunsInside<Result>(outputs: readonly RunOutput[], result: Result): Result {
  const [first, ...others] = outputs;
  if (first === undefined) return result;
  const sum = others.reduce(
    (total, one) => ({
      ...total,
      usage: addUsage(total.usage, one.usage),
      usageByAgent: addAgentUsage(total.usageByAgent, one.usageByAgent),
      costUsd: addCost(total.costUsd, one.costUsd),
    }),
    first,
  );
  const output = keepInside(first, { ...sum, status: "completed" });
  if (result instanceof Error) return Object.defineProperty(result, "output", { value: output });
  return nestedRun(output, () => result) as Result;
}
