import type { ResolvedTool } from "../../contracts/resolved-tool.ts";
import type { AgentOptions } from "../../contracts/run-options.ts";
import { ConfigurationError } from "../../errors/configuration-errors.ts";

/**
 * Refuses approval by waiting for tools that change something.
 *
 * @param tools - An agent's, or those that arrive with a run.
 * @throws ConfigurationError `APPROVE_ON_TIMEOUT`
 */
export function checkTimedApproval(options: Pick<AgentOptions, "approval">, tools: readonly ResolvedTool[]): void {
  if (options.approval?.timeoutAction !== "approve") return;
  const writer = tools.find((tool) => tool.__isWriter);
  if (writer === undefined) return;
  throw new ConfigurationError(
    "APPROVE_ON_TIMEOUT",
    `approval.timeoutAction "approve" would let "${writer.name}", which can change things, run because nobody answered. Use "deny" or "throw", or declare the tool's sideEffectClass if it only reads.`,
  );
}
