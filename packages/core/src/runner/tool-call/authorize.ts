import type { FlowDecision } from "../../contracts/ports/security.ts";
import { fail, recordFlow, toolOf } from "./call.ts";
import type { PipelineCall } from "./call.ts";
import type { MaybePromise } from "./maybe-promise.ts";

/** Questions of flow rules that reach a person in one turn. */
const questionsPerTurn = 5;

/** Asks the flow policy. What it decides is journaled with the call. */
export function authorize(call: PipelineCall): MaybePromise<void> {
  const { flow } = call.run;
  if (flow === undefined) return undefined;
  const tool = toolOf(call);
  let decision: MaybePromise<FlowDecision>;
  try {
    decision = flow.decide({
      turn: call.turn,
      index: call.index,
      toolCallId: call.toolCallId,
      tool,
      input: call.input,
      args: call.args,
    });
  } catch (error) {
    return refuse(call, error);
  }
  if (decision instanceof Promise) {
    return decision.then(
      (decided) => apply(call, decided),
      (error: unknown) => refuse(call, error),
    );
  }
  return apply(call, decision);
}

function refuse(call: PipelineCall, error: unknown): void {
  call.run.logger.error(
    `The flow policy could not decide a call of "${call.toolName}" in run ${call.run.runId}; it counts as refused.`,
    { error },
  );
  fail(
    call,
    "policy_denied",
    `The call of "${call.toolName}" was refused because the flow policy could not decide it. Nothing ran.`,
    { code: "FLOW_POLICY_FAILED" },
  );
}

const verdicts: readonly unknown[] = ["allow", "ask", "deny"] satisfies readonly FlowDecision["verdict"][];

function apply(call: PipelineCall, decision: FlowDecision): void {
  // A policy that gives no verdict has not allowed the call.
  if (!verdicts.includes((decision as Partial<FlowDecision> | undefined)?.verdict))
    return refuse(call, new TypeError('The flow policy gave no verdict: it has to be "allow", "ask" or "deny".'));
  call.flow = decision;
  const state = call.state;
  // The first decision is journaled with the call; one about edited arguments comes after it.
  if (state.call !== undefined) recordFlow(call, decision);
  if (decision.stopRun === true) call.batch.policyStop = true;
  if (decision.input !== undefined) call.input = decision.input;
  if (decision.shadow === true || decision.verdict === "allow") return;
  if (decision.verdict === "deny") {
    fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" was denied by rule ${decision.rule}: ${decision.explanation} Nothing ran.`,
      { code: decision.rule },
    );
    return;
  }
  if (state.approval === undefined && questionsAsked(call) >= questionsPerTurn) {
    fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" needs a person's approval, and ${questionsPerTurn} questions of this turn wait for one already. Nothing ran. Call it again in a later turn if it is still needed.`,
      { code: "TOO_MANY_QUESTIONS", recoverable: true, recoveryHint: "retry_later" },
    );
  }
}

function questionsAsked(call: PipelineCall): number {
  let asked = 0;
  for (const other of call.batch.calls) {
    if (other === call) continue;
    const approval = other.state.approval;
    if (approval?.interruption.kind === "approval" && approval.via !== "remembered") asked += 1;
  }
  return asked;
}
