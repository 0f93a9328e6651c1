import type { FlowDecision } from "../../contracts/ports/flow-policy.ts";
import { flowCallOf, settled, type MaybePromise, type PipelineCall } from "./call.ts";

/** Returns today's decision without applying it. `undefined` without a policy; a policy that fails denies. */
export function flowToday(call: PipelineCall): MaybePromise<FlowDecision | "failed" | undefined> {
  const { flow } = call.run;
  if (flow === undefined) return undefined;
  return settled<FlowDecision, FlowDecision | "failed">(
    () => flow.decide(flowCallOf(call)),
    (decision) => checkedDecision(call, decision),
    (error) => noDecision(call, error),
  );
}

/** A policy that gives no verdict has not allowed the call. */
function checkedDecision(call: PipelineCall, given: FlowDecision): FlowDecision | "failed" {
  const decision = { ...given };
  if (verdicts.includes(decision.verdict)) return decision;
  return noDecision(call, new TypeError('The flow policy gave no verdict: it has to be "allow", "ask" or "deny".'));
}

/** True if today's decision replaces the journaled one. */
export function supersedes(today: FlowDecision, before: FlowDecision | undefined): boolean {
  const [now, then] = [strictness(today), strictness(before)];
  if (now !== then) return now > then;
  // An approval is given to the shown question, and an execution uses the count of its grant.
  if (now === 1) return today.rule !== before?.rule || today.explanation !== before.explanation;
  return now === 0 && today.shadow !== true && today.grant !== before?.grant;
}

/** A decision that is only recorded restricts nothing. */
function strictness(decision: FlowDecision | undefined): number {
  if (decision === undefined || decision.shadow === true) return 0;
  return verdicts.indexOf(decision.verdict);
}

function noDecision({ run, toolName }: PipelineCall, error: unknown): "failed" {
  run.logger.error(
    `The flow policy could not decide a call of "${toolName}" in run ${run.runId}; it counts as refused.`,
    { error },
  );
  return "failed";
}

/** Verdicts, from the least to the most strict. */
const verdicts: readonly unknown[] = ["allow", "ask", "deny"] satisfies readonly FlowDecision["verdict"][];

/** True if the decision of the flow policy demands a person. */
export function flowAsks({ flow }: PipelineCall): boolean {
  return flow?.verdict === "ask" && flow.shadow !== true;
}
