import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { asChain } from "../settings/join-approval.ts";
import {
  fail,
  flowCallOf,
  hasLeftGate,
  isUnattended,
  modelCall,
  placeOf,
  toolOf,
  wait,
  type PipelineCall,
} from "./call.ts";
import { makeInterruption, recordDecision, describedBy, titledQuestion } from "./approval-binding.ts";
import { approvalHash, boundDefinition } from "./approval-scope.ts";
import { keyRuleOf } from "./deduplicate.ts";
import { holdsSecret, meantDecision, problemOf, refuseUnasked, refuseUnsealed, unknownField } from "./validate.ts";
import { decideHere, inlineApprover } from "./inline-approval.ts";
import { isNamed } from "./named-call.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { AskedBy } from "./call-question.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { toolContext } from "./tool-context.ts";
import { askGates, authorize, type Verdict } from "./judge.ts";
import type { Earlier } from "./settle.ts";
import type { ArgumentProblem } from "./failure.ts";

type RecordedApproval = NonNullable<PipelineCall["state"]["approval"]>;

/** A predicate's answer; `found` tells that it failed. */
interface Needed {
  readonly needed: boolean;
  readonly found: string | undefined;
}

const notNeeded: Needed = { needed: false, found: undefined };
const isNeeded: Needed = { needed: true, found: undefined };

/**
 * Gets the permission of a person, if the verdict asks for one: a recorded decision that covers this call, one that was
 * remembered, or the answer to a question. Edited arguments pass the gate again, without a second question.
 *
 * @returns false if the call has its outcome now, or waits.
 */
export async function permission(call: PipelineCall, verdict: Verdict, earlier: Earlier): Promise<boolean> {
  let { found } = verdict;
  let asked = await recordedQuestion(call, earlier);
  if (asked === undefined) {
    if (!verdict.needed && verdict.mustAsk === undefined && !flowAsks(call)) {
      refuseUnasked(call);
      return !hasLeftGate(call);
    }
    // A decision for later calls was made without the extension's reason.
    const remembered = verdict.mustAsk === undefined ? rememberedFor(call, flowAsks(call)) : undefined;
    if (remembered !== undefined) return applyRemembered(call, remembered);
  }
  for (;;) {
    asked ??= await askPerson(call, verdict.mustAsk ?? found);
    if (asked === undefined) return false;
    const decision = asked.decision ?? (await decideNow(call, asked.interruption));
    if (decision === undefined) return false;
    const via = call.state.approval?.via ?? "resume";
    if (decision.type !== "approve") {
      if (via === "expired") failExpired(call);
      else deny(call, decision.type === "reject" ? decision.reason : undefined);
      return false;
    }
    call.approvalId = asked.interruption.id;
    const problem = decision.args === undefined ? undefined : await gateEdited(call, decision.args);
    if (hasLeftGate(call)) return false;
    if (problem === undefined) {
      recordLowering(call, decision, via);
      return true;
    }
    if (via === "inline") {
      // An inline approver would give them again.
      fail(call, "invalid_input", problem.message, problem.details);
      return false;
    }
    call.approvalId = undefined;
    found = problem.message;
    asked = undefined;
  }
}

/** The recorded question and its decision, if it covers this call. */
async function recordedQuestion(call: PipelineCall, earlier: Earlier): Promise<RecordedApproval | undefined> {
  const { approval } = call.state;
  if (approval?.interruption.kind !== "approval" || (approval.used === true && earlier === "none")) return undefined;
  return (await isBound(call, approval.interruption)) ? approval : undefined;
}

/** Asks today's tool and approval policy if a person has to decide about the call; a predicate that fails counts as yes. */
export async function needsApprovalToday(call: PipelineCall): Promise<Needed> {
  const { needsApproval } = toolOf(call);
  if (needsApproval === true) return isNeeded;
  if (typeof needsApproval === "function") {
    const answer = await ask(call, "needsApproval", () => needsApproval(ownCopy(call.input), toolContext(call)));
    if (answer.needed) return answer;
  }
  return askPolicy(call);
}

/** Calls a predicate. If it fails, a person is asked, and the question states the reason. */
async function ask(call: PipelineCall, name: string, predicate: () => boolean | Promise<boolean>): Promise<Needed> {
  const answer = await askUserCode<unknown>(predicate, limitsOf(call.run, name, decidingTimeoutMs));
  if (answer.ok && typeof answer.value === "boolean") return answer.value ? isNeeded : notNeeded;
  if (!answer.ok && answer.stopped) return isNeeded;
  const error = answer.ok ? new TypeError(`"${name}" has to return true or false.`) : answer.error;
  reportFailure(call.run, `${name} of ${call.toolName}`, error, "A person is asked.");
  return { needed: true, found: `"${name}" failed: ${reasonOf(call, error)}` };
}

async function askPolicy(call: PipelineCall): Promise<Needed> {
  const { approval } = call.run.settings;
  if (approval === undefined) return notNeeded;
  const { policies } = asChain(approval);
  if (policies.some((policy) => isNamed(call, policy))) return isNeeded;
  for (const policy of policies) {
    if (typeof policy !== "function") continue;
    const answer = await ask(call, "approval.policy", () => policy(ownCopy(modelCall(call)), call.run.context));
    if (answer.needed) return answer;
  }
  return notNeeded;
}

function flowAsks(call: PipelineCall): boolean {
  return call.flow?.verdict === "ask" && call.flow.shadow !== true;
}

/** True if an approval covers the call: it was given for these arguments, to this question, about this tool. */
export async function isBound(call: PipelineCall, interruption: InterruptionData): Promise<boolean> {
  if (interruption.argsHash !== call.argsHash) return false;
  const tool = toolOf(call);
  const keyRule = await keyRuleOf(call);
  const hash = approvalHash(call.run, tool, call.args, { question: boundQuestion(call, describedBy(call)), keyRule });
  return hash === undefined
    ? interruption.definitionHash === boundDefinition(call.run, tool)
    : interruption.approvalHash === hash;
}

/**
 * The text that an approval covers: the sentence of the tool's `describeCall`, and the parts of the question that are
 * equal in every process, without the reason why a predicate failed in one.
 */
function boundQuestion(call: PipelineCall, described: string | undefined): string {
  return described === undefined ? whyAsked(call) : `${described}\n${whyAsked(call)}`;
}

function whyAsked(call: PipelineCall): string {
  return flowAsks(call) && call.flow !== undefined ? call.flow.explanation : `"${call.toolName}" needs approval.`;
}

function applyRemembered(call: PipelineCall, { approved, reason, decidedBy }: RememberedDecision): boolean {
  const origin = { id: `remembered:${call.key}`, decidedBy };
  const decision: Decision = approved ? { ...origin, type: "approve" } : { ...origin, type: "reject", reason };
  decided(call, decision, "remembered");
  if (approved) recordLowering(call, decision, "remembered");
  else deny(call, reason);
  return approved;
}

/** Journals the question to a person; `undefined` if the call has its outcome now. */
async function askPerson(call: PipelineCall, found: string | undefined): Promise<RecordedApproval | undefined> {
  const { run } = call;
  const { secrets, sealer } = run.agent;
  if (secrets?.holdsSecret(call.args) === true && sealer === undefined) {
    refuseUnsealed(call);
    return undefined;
  }
  const described = describedBy(call);
  const question = await titledQuestion(call, await askedBy(call, found), described);
  const bound = { question: boundQuestion(call, described), keyRule: await keyRuleOf(call) };
  const data = makeInterruption(call, {
    kind: "approval",
    approvalHash: approvalHash(run, toolOf(call), call.args, bound),
    question,
    args: call.args,
  });
  if (isUnattended(run) && inlineApprover(call, data) === undefined) {
    fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" needs a person, and this run is unattended (flow.unattended: "fail"), so it did not run and the run ends. ` +
        `Give a grant that covers the call (agent.run(input, { grants }) or flow.grants), or use flow.unattended: "pend". ${whyAsked(call)}`,
      { code: "UNATTENDED" },
    );
    return undefined;
  }
  run.journal.record({ type: "tool.approval.requested", turn: call.turn, index: call.index, interruption: data });
  return { interruption: data };
}

/** Origin of a question about a call: a flow rule, the tool, the approval policy or an extension. */
async function askedBy(call: PipelineCall, found: string | undefined): Promise<AskedBy> {
  const policy = await call.run.flow?.questionFor(flowCallOf(call));
  return flowAsks(call) && policy !== undefined ? { kind: "flow", policy, found } : { kind: "approval", policy, found };
}

/** Asks the approvers of this process; `undefined` if the call waits, or has its outcome now. */
async function decideNow(call: PipelineCall, data: InterruptionData): Promise<Decision | undefined> {
  const { run, batch } = call;
  const answer = batch.stopped === undefined ? await decideHere(call, data) : { decision: undefined, via: "inline" };
  if (answer === undefined) wait(call, [data]);
  else if (answer.decision === undefined) failUndecided(call);
  else {
    const meant = meantDecision(run.agent, answer.decision, call.args);
    if (run.agent.sealer === undefined && holdsSecret(run.agent, meant)) refuseUnsealed(call);
    else {
      decided(call, meant, answer.via);
      return meant;
    }
  }
  return undefined;
}

function failUndecided(call: PipelineCall): void {
  fail(call, "aborted", `The run was stopped before anyone decided about "${call.toolName}". Nothing ran.`);
}

function failExpired(call: PipelineCall): void {
  fail(
    call,
    "approval_expired",
    `The call of "${call.toolName}" was not approved in time, so it did not run. Ask the user whether it is still wanted.`,
  );
}

function decided(call: PipelineCall, decision: Decision, via: string): void {
  const { run, argsHash, state } = call;
  const bound = {
    argsHash,
    definitionHash: boundDefinition(run, toolOf(call)),
    args: state.approval?.interruption.args,
  };
  recordDecision(run, call, bound, decision, via);
}

/**
 * [quarantine.endorse] A person's approval lowers the label of exactly these arguments, for this call: once, and
 * audited.
 */
function recordLowering(call: PipelineCall, decision: Decision, via: string): void {
  const { run, argsHash } = call;
  if (run.flow === undefined || !flowAsks(call) || call.state.lowered?.subject === argsHash) return;
  run.journal.record({
    type: "flow.lowered",
    ...placeOf(call),
    by: "approval",
    subject: argsHash,
    reason: `${call.flow?.rule ?? "The policy"} asked, and the call was approved (${via}).`,
    decidedBy: decision.decidedBy,
    ...run.flow.loweredBy(placeOf(call)),
  });
}

/**
 * Arguments that a person edited pass the gate again, without a second question to that person.
 *
 * @returns why the tool does not accept them.
 */
async function gateEdited(call: PipelineCall, args: unknown): Promise<ArgumentProblem | undefined> {
  const unknown = unknownField(toolOf(call).__inputJsonSchema, args, call.args);
  if (unknown !== undefined)
    return {
      message: `The arguments of "${call.toolName}" as edited by the approver cannot be used: ${unknown}.`,
      details: {},
    };
  const problem = await problemOf(call, args, "The arguments as edited by the approver");
  if (problem !== undefined) return problem;
  await askGates(call, "changed", "none");
  if (!hasLeftGate(call)) await authorize(call, true);
  return undefined;
}

function deny(call: PipelineCall, reason: string | undefined): void {
  const why = reason === undefined || reason === "" ? "" : ` Reason: ${reason}`;
  fail(call, "approval_denied", `The call of "${call.toolName}" was not approved, so it did not run.${why}`);
}

/**
 * The person's decision for similar calls. A decision for the same arguments wins over one for the tool; the latest
 * counts. A question of a flow rule is answered only by a decision on the same deciding values and readers, and such a
 * decision answers no other question.
 *
 * @param byFlow - A flow rule asks.
 */
function rememberedFor(call: PipelineCall, byFlow: boolean): RememberedDecision | undefined {
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
