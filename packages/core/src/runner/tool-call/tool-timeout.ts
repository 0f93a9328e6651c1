import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";

const defaultTimeoutMs = 60_000;
/** Of a sandbox whose configuration says nothing. */
const sandboxTimeoutMs = 30_000;

/**
 * How long one attempt of a tool may take, in milliseconds: the tool's own time, else the agent's, else 60,000; never
 * longer than its sandbox's. `0` is bounded by the run alone.
 */
export function effectiveTimeoutMs(call: PipelineCall): number {
  const tool = toolOf(call);
  const own = tool.timeoutMs ?? call.run.settings.toolTimeoutMs ?? defaultTimeoutMs;
  if (tool.sandboxPolicy === "none") return own;
  const timeout = tool.sandboxConfig.timeout ?? sandboxTimeoutMs;
  return own === 0 ? timeout : Math.min(own, timeout);
}
