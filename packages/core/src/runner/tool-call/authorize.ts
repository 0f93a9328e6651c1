import type { FlowDecision } from "../../contracts/ports/flow-policy.ts";
import {
  andThen,
  fail,
  flowCallOf,
  recordFlow,
  settled,
  finish,
  type MaybePromise,
  type PipelineCall,
} from "./call.ts";
import type { GateMoment, PartVerdict, Refusal } from "../part.ts";
import { hashArguments, validateArguments } from "./validate.ts";

/** Questions of flow rules that reach a person in one turn. */
const questionsPerTurn = 5;

/** Asks the flow policy. Its decision is journaled with the call. */
export function authorize(call: PipelineCall): MaybePromise<void> {
  return andThen(flowToday(call), (decision) => settle(call, decision));
}

function settle(call: PipelineCall, decision: FlowDecision | "failed" | undefined): void {
  if (decision !== undefined && decision !== "failed") return applyDecision(call, decision);
  if (decision === undefined) return;
  fail(
    call,
    "policy_denied",
    `The call of "${call.toolName}" was refused because the flow policy could not decide it. Nothing ran.`,
    { code: "FLOW_POLICY_FAILED" },
  );
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

function applyDecision(call: PipelineCall, decision: FlowDecision): void {
  call.flow = decision;
  const state = call.state;
  // The first decision is journaled with the call; one about edited arguments comes after it.
  if (state.call !== undefined) recordFlow(call, decision);
  if (decision.input !== undefined) call.input = decision.input;
  if (decision.shadow === true || decision.verdict === "allow") return;
  if (decision.correction === true)
    return fail(call, "policy_denied", `The call of "${call.toolName}" did not run: ${decision.explanation}`, {
      code: "GRANT_FORM",
      recoverable: true,
      recoveryHint: "check_input",
    });
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
  const isAsked = ({ state: { approval } }: PipelineCall): boolean =>
    approval?.interruption.kind === "approval" && approval.via !== "remembered";
  return call.batch.calls.filter((other) => other !== call && isAsked(other)).length;
}

/** Maximum number of rounds in which extensions may change the arguments of one call. */
const mostChanges = 5;

type Gates = PipelineCall["run"]["points"]["gate"];

/**
 * Calls the parts of a run about a call and joins their verdicts: a refusal wins over a question, and a question over
 * no verdict. Arguments that a part changes pass the schema, and each part that judges changed arguments, again.
 */
export function askGates(call: PipelineCall, moment: GateMoment = "made"): Promise<void> | undefined {
  if (call.run.points.gate.length === 0) return undefined;
  const gates = gatesAt(call, moment);
  return gates.length === 0 ? undefined : askInRounds(call, gates, moment);
}

function gatesAt({ run, toolName }: PipelineCall, moment: GateMoment): Gates {
  return run.points.gate.filter(
    ({ moments, tools }) =>
      (moments === undefined || moments.includes(moment)) && (tools === undefined || tools.includes(toolName)),
  );
}

async function askInRounds(call: PipelineCall, given: Gates, first: GateMoment): Promise<void> {
  let gates = given;
  let moment = first;
  for (let round = 0; round <= mostChanges; round += 1) {
    call.mustAsk = undefined;
    const changed = await askEach(call, gates, moment);
    if (call.phase !== "gating" || changed === undefined) return;
    if (call.state.call !== undefined)
      return refuseChanges(
        call,
        `${changed.by} changed arguments that ${first === "changed" ? "the approver edited" : "the call began with"}. Approve arguments that the extension leaves as they are, or let its gate return nothing or { refuse }`,
      );
    await validateArguments(call, changed.change, `The arguments that ${changed.by} gave`);
    if (call.phase !== "gating") return;
    moment = "changed";
    gates = gatesAt(call, moment);
  }
  await refuseChanges(call, "its extensions kept changing its arguments");
}

/** Calls each gate once. */
async function askEach(
  call: PipelineCall,
  gates: Gates,
  moment: GateMoment,
): Promise<{ readonly change: unknown; readonly by: string } | undefined> {
  for (const part of gates) {
    const verdict = await part.gate(call, moment);
    if (verdict === undefined) continue;
    if ("change" in verdict) {
      if (hashArguments(call, verdict.change) !== call.argsHash) return verdict;
    } else await applyVerdict(call, verdict);
    if (call.phase !== "gating") return undefined;
  }
  return undefined;
}

async function applyVerdict(
  call: PipelineCall,
  verdict: Exclude<PartVerdict, undefined | { readonly change: unknown }>,
): Promise<void> {
  if ("refuse" in verdict) {
    await refuse(call, verdict.refuse);
  } else if ("skip" in verdict) {
    finish(call, { output: verdict.skip, simulated: true, durationMs: 0 });
  } else if ("ask" in verdict) {
    call.mustAsk ??= verdict.ask;
  } else {
    await validateArguments(call, verdict.replace, `The arguments that ${verdict.by} gave`);
  }
}

/** Refuses a call. A call that has begun before a crash or a question is not reported as one that never ran. */
function refuse(call: PipelineCall, { message, code }: Refusal): MaybePromise<void> {
  if (call.whenRefused !== undefined) return call.whenRefused(message);
  if (call.state.child === undefined) return fail(call, "policy_denied", message, { code });
  const begun = { code, effectHappened: "unknown" } as const;
  fail(call, "policy_denied", `${message} Calls inside it may have taken effect.`, begun);
}

function refuseChanges(call: PipelineCall, why: string): MaybePromise<void> {
  return refuse(call, { message: `The call of "${call.toolName}" did not run: ${why}.`, code: "EXTENSION_REFUSED" });
}
