import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { boundDefinition } from "./approval-scope.ts";
import { flowCallOf, toolOf, type PipelineCall } from "./call.ts";

/**
 * The person's decision for similar calls. A decision for the same arguments wins over one for the tool; the latest
 * counts. A question of a flow rule is answered only by a decision on the same deciding values and readers, and such a
 * decision answers no other question.
 *
 * @param byFlow - A flow rule asks.
 */
export function rememberedFor(call: PipelineCall, byFlow: boolean): RememberedDecision | undefined {
  let sticky: RememberedDecision | undefined;
  let exact: RememberedDecision | undefined;
  for (const remembered of call.run.journal.state.remembered) {
    if (remembered.toolName !== call.toolName) continue;
    if (remembered.definitionHash !== boundDefinition(call.run, toolOf(call))) continue;
    if (!answers(call, remembered, byFlow)) continue;
    if (remembered.argsHash === undefined) {
      // The approver of the tool has not seen that a secret would be passed on.
      if (!remembered.approved || call.state.exact === undefined) sticky = remembered;
    } else if (remembered.argsHash === call.argsHash) exact = remembered;
  }
  return exact ?? sticky;
}

function answers(call: PipelineCall, remembered: RememberedDecision, byFlow: boolean): boolean {
  if (remembered.flowArgs === undefined) return !byFlow || !remembered.approved;
  const covered = { args: remembered.flowArgs, approved: remembered.approved };
  return call.run.flow?.coversRemembered(flowCallOf(call), covered) ?? false;
}
