import type { FlowDecision } from "../../contracts/ports/flow-policy.ts";
import { fail, recordFlow, finish, isSettled, toolOf, type PipelineCall } from "./call.ts";
import { flowToday, supersedes } from "./flow-verdict.ts";
import { needsApprovalToday } from "./needs-approval.ts";
import type { Earlier } from "./settle.ts";
import { askWhatHappened } from "./unknown-outcome.ts";
import type { GateMoment, PartVerdict, Refusal } from "../part.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import { resolved, validateArguments } from "./validate.ts";

/** Questions of flow rules that reach a person in one turn. */
const questionsPerTurn = 5;

/** The questions that a call has to pass. */
export interface Verdict {
  /** The tool, the approval policy, a predicate that failed or an extension wants a person to decide. */
  readonly needsApproval: boolean;
  /** An extension wants a person to decide, for this reason. */
  readonly mustAsk: string | undefined;
  /** The predicate that failed. */
  readonly found: string | undefined;
}

/**
 * Asks the parts of the run, the flow policy, the tool and the approval policy about a call. What the journal has from
 * an earlier process counts too: the stricter verdict holds.
 *
 * @param isChanged - The value took the place of the journaled one.
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function judge(call: PipelineCall, earlier: Earlier, isChanged: boolean): Promise<Verdict | undefined> {
  const { call: recorded, approval } = call.state;
  const mustAsk = await askGates(call, recorded === undefined ? "made" : isChanged ? "changed" : "resumed", earlier);
  if (isSettled(call)) return undefined;
  // A question that a part adds to an effect that may have happened is about that effect.
  if (earlier === "repeats" && mustAsk !== undefined && recorded?.needsApproval !== true && approval === undefined) {
    await askWhatHappened(call, mustAsk);
    return undefined;
  }
  const isNew = recorded === undefined || isChanged;
  await authorize(call, { isNew, isFixed: !isNew });
  if (isSettled(call)) return undefined;
  const asked = recorded?.needsApproval === true ? { needed: true, found: undefined } : await needsApprovalToday(call);
  return { needsApproval: asked.needed || mustAsk !== undefined, found: asked.found, mustAsk };
}

interface Judged {
  /** The policy has not decided about this value before. */
  readonly isNew: boolean;
  /** The value does not change any more: a person typed it, or it is journaled. */
  readonly isFixed: boolean;
}

/**
 * Asks the flow policy. Of its decision and the journaled one about the same value the stricter applies, and is
 * journaled. What the policy makes harmless is made so here, before anyone is asked, and parsed again.
 */
export async function authorize(call: PipelineCall, { isNew, isFixed }: Judged): Promise<void> {
  const decision = await flowToday(call);
  if (decision === undefined) return;
  if (decision === "failed")
    return fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" was refused because the flow policy could not decide it. Nothing ran.`,
      { code: "FLOW_POLICY_FAILED" },
    );
  const { input: harmless, ...verdict } = decision;
  if (harmless !== undefined && !isFixed && decision.verdict !== "deny") {
    if (hasReference(call)) return applyDecision(call, decision);
    await validateArguments(call, harmless, "The arguments, with links of untrusted origin made harmless,");
    if (isSettled(call)) return;
    // The verdict about the harmful text holds: a grant may cover the harmless one.
  }
  if (isNew || supersedes(decision, call.flow)) applyDecision(call, { ...verdict, input: call.flow?.input });
}

/** A reference stays one, because it carries the label of its value; what it stands for is made harmless where it runs. */
function hasReference(call: PipelineCall): boolean {
  return resolved(call.run, toolOf(call), call.value?.given) !== call.value?.given;
}

function applyDecision(call: PipelineCall, decision: FlowDecision): void {
  call.flow = decision;
  const state = call.state;
  // The first decision is journaled with the call; one about edited arguments comes after it.
  if (state.call !== undefined) recordFlow(call, decision);
  const { value } = call;
  if (decision.input !== undefined && value !== undefined) call.value = { ...value, input: decision.input };
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
      else if (!isSameJson(verdict.change, call.args)) changed = verdict;
      if (isSettled(call)) return undefined;
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
    if (isSettled(call)) return undefined;
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
