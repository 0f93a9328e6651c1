import type { FlowDecision } from "../../contracts/ports/flow-policy.ts";
import {
  fail,
  flowCallOf,
  recordFlow,
  settled,
  finish,
  hasLeftGate,
  type MaybePromise,
  type PipelineCall,
} from "./call.ts";
import { needsApprovalToday } from "./permission.ts";
import { askWhatHappened, type Earlier } from "./settle.ts";
import type { GateMoment, PartVerdict, Refusal } from "../part.ts";
import { hashArguments, validateArguments } from "./validate.ts";

/** Questions of flow rules that reach a person in one turn. */
const questionsPerTurn = 5;

/** The questions that a call has to pass. */
export interface Verdict {
  /** The tool, the approval policy or a predicate that failed wants a person to decide. */
  readonly needed: boolean;
  /** An extension wants a person to decide, for this reason. */
  readonly mustAsk: string | undefined;
  /** The predicate that failed. */
  readonly found: string | undefined;
}

/**
 * Asks the parts of the run, the flow policy, the tool and the approval policy about a call. What the journal has from
 * an earlier process counts too: the stricter verdict holds.
 *
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function judge(call: PipelineCall, earlier: Earlier): Promise<Verdict | undefined> {
  const recorded = call.state.call;
  const mustAsk = await askGates(call, recorded === undefined ? "made" : "resumed", earlier);
  if (hasLeftGate(call)) return undefined;
  // A question that a part adds to an effect that may have happened is about that effect.
  if (
    earlier === "repeats" &&
    mustAsk !== undefined &&
    recorded?.needsApproval !== true &&
    call.state.approval === undefined
  ) {
    await askWhatHappened(call, mustAsk);
    return undefined;
  }
  await authorize(call);
  if (hasLeftGate(call)) return undefined;
  const asked = recorded?.needsApproval === true ? { needed: true, found: undefined } : await needsApprovalToday(call);
  call.needsApproval = asked.needed || mustAsk !== undefined;
  return { ...asked, mustAsk };
}

/**
 * Asks the flow policy. Of its decision and the journaled one about the same arguments the stricter applies, and is
 * journaled.
 */
export async function authorize(call: PipelineCall, edited = false): Promise<void> {
  const decision = await flowToday(call);
  if (decision === "failed")
    return fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" was refused because the flow policy could not decide it. Nothing ran.`,
      { code: "FLOW_POLICY_FAILED" },
    );
  const isFirst = edited || call.state.call === undefined;
  if (decision !== undefined && (isFirst || supersedes(decision, call.flow))) applyDecision(call, decision);
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

/**
 * Asks the parts of the run about a call: a refusal wins over a question, and a question over no verdict. Arguments that
 * a part changes pass the schema, and each part that judges changed arguments, again.
 *
 * @returns why a person must decide, if a part says so.
 */
export async function askGates(call: PipelineCall, first: GateMoment, earlier: Earlier): Promise<string | undefined> {
  let moment = first;
  for (let round = 0; round <= mostChanges; round += 1) {
    const gates = gatesAt(call, moment);
    if (gates.length === 0) return undefined;
    let mustAsk: string | undefined;
    let changed: Extract<PartVerdict, { readonly change: unknown }> | undefined;
    for (const part of gates) {
      const verdict = await part.gate(call, moment);
      if (verdict === undefined) continue;
      if ("ask" in verdict) mustAsk ??= verdict.ask;
      else if ("refuse" in verdict) await refuse(call, verdict.refuse, earlier);
      else if ("skip" in verdict) finish(call, { output: verdict.skip, simulated: true, durationMs: 0 });
      else if ("replace" in verdict)
        await validateArguments(call, verdict.replace, `The arguments that ${verdict.by} gave`);
      else if (hashArguments(call, verdict.change) !== call.argsHash) changed = verdict;
      if (hasLeftGate(call)) return undefined;
      if (changed !== undefined) break;
    }
    if (changed === undefined) return mustAsk;
    if (call.state.call !== undefined) {
      await refuseChanges(
        call,
        `${changed.by} changed arguments that ${first === "changed" ? "the approver edited" : "the call began with"}. Approve arguments that the extension leaves as they are, or let its gate return nothing or { refuse }`,
        earlier,
      );
      return undefined;
    }
    await validateArguments(call, changed.change, `The arguments that ${changed.by} gave`);
    if (hasLeftGate(call)) return undefined;
    moment = "changed";
  }
  await refuseChanges(call, "its extensions kept changing its arguments", earlier);
  return undefined;
}

function gatesAt({ run, toolName }: PipelineCall, moment: GateMoment): PipelineCall["run"]["points"]["gate"] {
  return run.points.gate.filter(
    ({ moments, tools }) =>
      (moments === undefined || moments.includes(moment)) && (tools === undefined || tools.includes(toolName)),
  );
}

/** Refuses a call. A call that has begun before a crash or a question is not reported as one that never ran. */
async function refuse(call: PipelineCall, { message, code }: Refusal, earlier: Earlier): Promise<void> {
  if (earlier === "repeats") return askWhatHappened(call, `it would be refused now (${message})`);
  if (call.state.child === undefined) return fail(call, "policy_denied", message, { code });
  const begun = { code, effectHappened: "unknown" } as const;
  fail(call, "policy_denied", `${message} Calls inside it may have taken effect.`, begun);
}

function refuseChanges(call: PipelineCall, why: string, earlier: Earlier): Promise<void> {
  return refuse(
    call,
    { message: `The call of "${call.toolName}" did not run: ${why}.`, code: "EXTENSION_REFUSED" },
    earlier,
  );
}
