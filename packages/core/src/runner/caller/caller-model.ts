import type { ModelProvider } from "../../contracts/model-provider.ts";
import type { InheritedRunOptions } from "../../contracts/run-options.ts";
import { callerOf } from "./caller.ts";

/**
 * Finds the model of the run that calls a tool, for a tool that starts a run with that model.
 *
 * @param runOptions - `ctx.runOptions` of the tool's context.
 * @returns `undefined` outside of a tool call.
 * @throws ConfigurationError `INVALID_OPTION` for options of another make, `MAX_DEPTH` where no run may be started inside.
 * @example
 * ```ts
 * import { createAgentRuntime } from "@bailiwick/core";
 * import { callerModel } from "@bailiwick/core/extension";
 * import type { ToolExecutionContext } from "@bailiwick/core/extension";
 *
 * export async function summarize(text: string, ctx: ToolExecutionContext): Promise<string> {
 *   const model = callerModel(ctx.runOptions);
 *   if (model === undefined) return text;
 *   return (await createAgentRuntime({ name: "summary", model }).run(text, ctx.runOptions)).text;
 * }
 * ```
 */
export function callerModel(runOptions: InheritedRunOptions): ModelProvider | undefined {
  return callerOf(runOptions.parent)?.model();
}
