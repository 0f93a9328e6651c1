import { toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import { parsedHash } from "./validate.ts";

/** Journals that a writer is about to run. It runs only when this is on disk. Readers leave no intent. */
export function recordIntent(call: PipelineCall): boolean {
  const tool = toolOf(call);
  if (!tool.__isWriter) return false;
  const grant = call.flow?.shadow === true ? undefined : call.flow?.grant;
  const { approval } = call.state;
  const approvalId = call.approvalId ?? (approval?.decision?.type === "approve" ? approval.interruption.id : undefined);
  call.run.journal.record({
    type: "tool.intent",
    turn: call.turn,
    index: call.index,
    toolCallId: call.toolCallId,
    toolName: call.toolName,
    argsHash: call.argsHash,
    attempt: call.attempt,
    sideEffectClass: tool.__sideEffectClass,
    ...(call.idempotencyKey !== undefined && { idempotencyKey: call.idempotencyKey, inputHash: parsedHash(call) }),
    ...(approvalId !== undefined && { approvalId }),
    ...(grant !== undefined && { grant }),
  });
  return true;
}
