import type { FlowDecision } from "../../contracts/ports/flow-policy.ts";
import { andThen, fail, flowCallOf, recordFlow, settled, type MaybePromise, type PipelineCall } from "./call.ts";

/** Questions of flow rules that reach a person in one turn. */
const questionsPerTurn = 5;

/** Asks the flow policy. Its decision is journaled with the call. */
export function authorize(call: PipelineCall): MaybePromise<void> {
  return andThen(flowToday(call), (decision) => settle(call, decision));
}

function settle(call: PipelineCall, decision: FlowDecision | "failed" | undefined): void {
  if (decision === "failed") refuse(call);
  else if (decision !== undefined) apply(call, decision);
}

/** Asks the flow policy about a call with a journaled decision: the stricter of it and today's decision applies. */
export function authorizeAgain(call: PipelineCall): MaybePromise<void> {
  return andThen(flowToday(call), (decision) => {
    if (decision === "failed" || (decision !== undefined && supersedes(decision, call.flow))) settle(call, decision);
  });
}

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
function checkedDecision(call: PipelineCall, decision: FlowDecision): FlowDecision | "failed" {
  if (verdicts.includes((decision as Partial<FlowDecision> | undefined)?.verdict)) return decision;
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

function refuse(call: PipelineCall): void {
  fail(
    call,
    "policy_denied",
    `The call of "${call.toolName}" was refused because the flow policy could not decide it. Nothing ran.`,
    { code: "FLOW_POLICY_FAILED" },
  );
}

/** Verdicts, from the least to the most strict. */
const verdicts: readonly unknown[] = ["allow", "ask", "deny"] satisfies readonly FlowDecision["verdict"][];

function apply(call: PipelineCall, decision: FlowDecision): void {
  call.flow = decision;
  const state = call.state;
  // The first decision is journaled with the call; one about edited arguments comes after it.
  if (state.call !== undefined) recordFlow(call, decision);
  if (decision.stopRun === true) call.batch.policyStop = true;
  if (decision.input !== undefined) call.input = decision.input;
  if (decision.shadow === true || decision.verdict === "allow") return;
  if (decision.correction === true) {
    fail(call, "policy_denied", `The call of "${call.toolName}" did not run: ${decision.explanation}`, {
      code: "GRANT_FORM",
      recoverable: true,
      recoveryHint: "check_input",
    });
    return;
  }
  if (decision.verdict === "deny") {
    return fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" was denied by rule ${decision.rule}: ${decision.explanation} Nothing ran.`,
      { code: decision.rule },
    );
  }
  if (state.approval === undefined && questionsAsked(call) >= questionsPerTurn) {
    fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" needs an approval, and ${questionsPerTurn} questions of this turn are open already. Nothing ran. Call it again in a later turn.`,
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
