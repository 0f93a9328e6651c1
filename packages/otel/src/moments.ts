import type { TelemetryMoment } from "@bailiwick/core";
import type { Attributes } from "@opentelemetry/api";
import { ownerAttributes } from "./attributes.ts";

/** A span for a journaled record of a run. */
export interface MomentSpan {
  readonly name: string;
  readonly attributes: Attributes;
}

/**
 * Names and attributes of a moment. The conventions know `search_memory`; the other operations are the framework's own.
 *
 * @param identities - Adds the deciding person.
 */
export function momentSpan(moment: TelemetryMoment, identities: boolean): MomentSpan {
  const owner = ownerAttributes(moment);
  const span = (operation: string, subject: string, attributes: Attributes): MomentSpan => ({
    name: subject === "" ? operation : `${operation} ${subject}`,
    attributes: { "gen_ai.operation.name": operation, ...owner, ...attributes },
  });
  switch (moment.kind) {
    case "approval":
      return span("approval", moment.toolName, {
        ...callOf(moment),
        "bailiwick.approval.decision": moment.decision,
        "bailiwick.approval.via": moment.via,
        ...(identities && moment.decidedBy !== undefined && { "bailiwick.approval.decided_by": moment.decidedBy }),
      });
    case "policy":
      return span("policy", moment.toolName, {
        ...callOf(moment),
        "bailiwick.policy.verdict": moment.verdict,
        "bailiwick.policy.rule": moment.rule,
        ...(moment.shadow && { "bailiwick.policy.shadow": true }),
        ...(moment.explanation !== undefined && { "bailiwick.policy.explanation": moment.explanation }),
      });
    case "handoff":
      return span("handoff", moment.toAgent, {
        "bailiwick.handoff.from": moment.fromAgent,
        "bailiwick.handoff.to": moment.toAgent,
      });
    case "compaction":
      return span("compact", "", {
        "bailiwick.compaction.strategy": moment.strategy,
        "bailiwick.compaction.dropped_messages": moment.droppedMessages,
      });
    case "memory":
      return span("search_memory", "", {
        "bailiwick.memory.count": moment.memoryIds.length,
        "bailiwick.memory.ids": [...moment.memoryIds],
      });
  }
}

const callOf = ({ toolName, toolCallId }: { readonly toolName: string; readonly toolCallId: string }): Attributes => ({
  "gen_ai.tool.name": toolName,
  "gen_ai.tool.call.id": toolCallId,
});
