import type { PipelineCall } from "./call.ts";

/** Until when a call sleeps, itself or in the run inside it; `undefined` when it does not. */
export function wakeTimeOf(call: PipelineCall): number | undefined {
  const { sleep, child, result } = call.state;
  return result === undefined ? (sleep?.wakeAt ?? child?.wakeAt) : undefined;
}

/**
 * Whether a call still sleeps. That its time has come is journaled, so that the clock is asked once. A person's
 * decision wakes the run inside a call before its time.
 */
export function isAsleep(call: PipelineCall): boolean {
  const { sleep, child } = call.state;
  const wakeAt = wakeTimeOf(call);
  if (wakeAt === undefined || (sleep === undefined && child !== undefined && child.decisions.length > 0)) return false;
  if (call.run.clock.now() < wakeAt) return true;
  const { turn, index, toolCallId } = call;
  call.run.journal.record({
    type: "sleep.ended",
    turn,
    index,
    toolCallId,
    ...(sleep !== undefined && { sleepKey: sleep.key }),
  });
  return false;
}
