import type { InterruptionData } from "../../contracts/interruption.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import { callerOf } from "../caller/caller.ts";
import { placeOf, type PipelineCall } from "./call.ts";
import { batchOf } from "./question-batch.ts";

/** Journals that the run inside waits for a person: its questions surface on the outer run, with their path. */
export function recordChildSuspension(call: PipelineCall, output: RunOutput): void {
  const { run } = call;
  const outer = run.journal.state.activeAgent;
  const keyHeldBy = run.keyWaits.get(call.toolCallId);
  const interruptions = output.interruptions.map((asked): InterruptionData => {
    const { signer, secrets } = run.agent;
    const shown = secrets?.scrub({ ...asked }) ?? asked;
    const agentPath = [outer, ...asked.agentPath];
    const { token: _inner, ...own } = { ...shown, runId: run.runId, agentPath };
    // [questions.inside] Calls of one turn may run agents: their approvals are on one card, as those of plain calls are.
    const place = [run.runId, call.turn, call.state.decisions?.length ?? 0, agentPath];
    const data = asked.batch === undefined ? own : { ...own, batch: batchOf(run.agent.hasher, place, asked) };
    return signer === undefined ? data : { ...data, token: signer.sign(data) };
  });
  run.journal.record({
    type: "child.suspended",
    ...placeOf(call),
    childRunId: output.runId,
    interruptions,
    spent: [...(run.spentInside.get(call.toolCallId) ?? [])].flatMap(([runId, spent]) =>
      spent.map((one) => ({ ...one, runId })),
    ),
    ...(output.wakeAt !== undefined && { wakeAt: output.wakeAt }),
    ...(keyHeldBy !== undefined && { keyHeldBy }),
  });
  run.keyWaits.delete(call.toolCallId);
  if (keyHeldBy !== undefined) callerOf(run.options.parent)?.noteKeyWait(keyHeldBy);
  call.phase = "waiting";
  call.interruptions = [...(call.state.child?.interruptions ?? interruptions)];
}
