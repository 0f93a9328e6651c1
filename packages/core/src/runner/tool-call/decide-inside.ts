import type { InterruptionData } from "../../contracts/interruption.ts";
import type { PipelineCall } from "./call.ts";
import { inlineApprover } from "./inline-approval.ts";

/**
 * Asks the approver of this process what a run inside the call waits for.
 *
 * @returns whether anything was decided: then the run inside can go on.
 */
export async function decideInside(call: PipelineCall): Promise<boolean> {
  let decided = false;
  for (const data of call.interruptions) {
    if (call.batch.stopped !== undefined) return false;
    if (data.kind !== "approval") continue;
    const approver = inlineApprover(subjectOf(call, data), data);
    if (approver === undefined) return false;
    const { decision, via } = await approver();
    if (decision === undefined) return false;
    call.run.journal.record({
      type: "child.decided",
      turn: call.turn,
      index: call.index,
      toolCallId: call.toolCallId,
      decision,
      via,
    });
    decided = true;
  }
  return decided;
}

/** The call inside, as its question shows it. Its tool is not known here, so waiting never approves it. */
function subjectOf(
  { batch, run }: PipelineCall,
  { toolCallId, toolName, args }: InterruptionData,
): Parameters<typeof inlineApprover>[0] {
  return { batch, run, toolCallId, toolName, args, rawArguments: JSON.stringify(args) ?? "", tool: undefined };
}
