import { isWaiting } from "../../contracts/stop-reason.ts";
import type { RunInput } from "../../contracts/run-options.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { Runnable, RunnableOptions } from "../../contracts/runnable.ts";
import type { ToolExecutionContext } from "../../contracts/tool-context.ts";
import { ToolError } from "../../errors/tool-error.ts";
import { callerOf } from "../caller/caller.ts";
import { runtimeOf } from "./inside-of.ts";

/**
 * Runs a runnable inside a tool call. A runnable of this framework is found again after a crash and can wait for a
 * person; any other has to end immediately.
 *
 * @throws ToolError if a foreign runnable is suspended.
 */
export async function runNode(
  runnable: Runnable,
  input: RunInput,
  ctx: Pick<ToolExecutionContext, "runOptions">,
  extra: RunnableOptions = {},
): Promise<RunOutput> {
  const options: RunnableOptions = { ...ctx.runOptions, ...extra };
  const caller = callerOf(options.parent);
  const runtime = runtimeOf(runnable);
  if (runtime !== undefined && caller !== undefined) return runtime.runInside({ caller, input, options });
  const output = await runnable.run(input, options);
  if (!isWaiting(output.status)) return output;
  throw new ToolError(
    `"${runnable.name}" waits for a person, but only agents and compositions of Bailiwick can be resumed inside a tool call. Use onApprovalRequired or an Agent.`,
    { recoverable: false },
  );
}

/**
 * An agent's answer for its caller.
 *
 * @throws ToolError if it stopped early.
 */
export function answerOf(output: RunOutput): unknown {
  if (output.status === "completed") return output.structured ?? output.text;
  const said = output.text === "" ? "" : ` What it said until then: ${output.text}`;
  throw new ToolError(`Agent "${output.agentName}" stopped before it was done (${output.stopReason}).${said}`);
}
