import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { asChain, type ApprovalPolicy } from "../settings/join-approval.ts";
import {
  andThen,
  fail,
  flowCallOf,
  isUnattended,
  modelCall,
  placeOf,
  recordCall,
  toolOf,
  wait,
  type MaybePromise,
  type PipelineCall,
} from "./call.ts";
import { makeInterruption, recordDecision, describedBy, titledQuestion } from "./approval-binding.ts";
import { approvalHash, boundDefinition } from "./approval-scope.ts";
import { holdsSecret, meantDecision, problemOf, refuseUnasked, refuseUnsealed, unknownField } from "./validate.ts";
import { decideHere, inlineApprover } from "./inline-approval.ts";
import { isNamed } from "./named-call.ts";
import { askUserCode, type UserAnswer } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { AskedBy } from "./call-question.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { toolContext } from "./tool-context.ts";
import { keyRuleOf } from "./deduplicate.ts";
import { askGates, authorize } from "./authorize.ts";
import type { ArgumentProblem } from "./failure.ts";

type RecordedApproval = NonNullable<PipelineCall["state"]["approval"]>;
type AskedPolicy = Extract<ApprovalPolicy, (...given: never) => unknown>;

/**
 * Lets a person decide if the tool, the approval policy or the flow policy demands it. From here on the call is in the
 * journal.
 */
export function approve(call: PipelineCall): MaybePromise<void> {
  return andThen(call.needsApproval ?? needsApprovalToday(call), (needed) => {
    call.needsApproval = needed;
    if (call.phase !== "gating") return undefined;
    recordCall(call);
    return call.state.approval === undefined ? decideAnew(call) : decideAgain(call, call.state.approval);
  });
}

/** True if today's tool or approval policy wants a person to decide about the call; a throw counts as yes. */
export function needsApprovalToday(call: PipelineCall): MaybePromise<boolean> {
  const { needsApproval } = toolOf(call);
  if (typeof needsApproval !== "function") return needsApproval === true || askPolicy(call);
  const asked = ask(call, "needsApproval", () => needsApproval(ownCopy(call.input), toolContext(call)));
  return andThen(asked, (answer) => answer || askPolicy(call));
}

/** Calls a predicate. If it fails, a person is asked, and the question states the reason. */
function ask(call: PipelineCall, name: string, predicate: () => boolean | Promise<boolean>): MaybePromise<boolean> {
  const limits = limitsOf(call.run, name, decidingTimeoutMs);
  return andThen(askUserCode<unknown>(predicate, limits), (answer) => readAnswer(call, name, answer));
}

function readAnswer(call: PipelineCall, name: string, answer: UserAnswer<unknown>): boolean {
  if (answer.ok && typeof answer.value === "boolean") return answer.value;
  if (!answer.ok && answer.stopped) return true;
  const error = answer.ok ? new TypeError(`"${name}" has to return true or false.`) : answer.error;
  reportFailure(call.run, `${name} of ${call.toolName}`, error, "A person is asked.");
  call.askedBecause = `"${name}" failed: ${reasonOf(call, error)}`;
  return true;
}

function askPolicy(call: PipelineCall): MaybePromise<boolean> {
  const { approval } = call.run.settings;
  if (approval === undefined) return false;
  const { policies } = asChain(approval);
  if (policies.some((policy) => isNamed(call, policy))) return true;
  const asked = policies.filter((policy) => typeof policy === "function");
  return asked.length > 0 && askEach(call, asked);
}

/** Calls one after the other, until one returns true. */
async function askEach(call: PipelineCall, policies: readonly AskedPolicy[]): Promise<boolean> {
  for (const policy of policies)
    if (await ask(call, "approval.policy", () => policy(ownCopy(modelCall(call)), call.run.context))) return true;
  return false;
}

function flowAsks(call: PipelineCall): boolean {
  return call.flow?.verdict === "ask" && call.flow.shadow !== true;
}

/** Applies the recorded approval if it covers the call; otherwise the call is decided again. */
async function decideAgain(call: PipelineCall, { interruption, decision, used }: RecordedApproval): Promise<void> {
  const isOver = interruption.kind !== "approval" || (used === true && !call.covered);
  if (isOver || !(await isBound(call, interruption))) return decideAnew(call);
  return decision === undefined ? goOnWaiting(call, interruption) : applyDecision(call, interruption, decision);
}

function decideAnew(call: PipelineCall): MaybePromise<void> {
  if (call.needsApproval !== true && call.mustAsk === undefined && !flowAsks(call)) return refuseUnasked(call);
  // A decision for later calls was made without the extension's reason.
  const remembered = call.mustAsk === undefined ? rememberedFor(call, flowAsks(call)) : undefined;
  if (remembered !== undefined) return applyRemembered(call, remembered);
  return askPerson(call);
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

function applyRemembered(call: PipelineCall, { approved, reason, decidedBy }: RememberedDecision): void {
  const origin = { id: `remembered:${call.key}`, decidedBy };
  const decision: Decision = approved ? { ...origin, type: "approve" } : { ...origin, type: "reject", reason };
  decided(call, decision, "remembered");
  if (approved) recordLowering(call, decision, "remembered");
  else deny(call, reason);
}

async function askPerson(call: PipelineCall): Promise<void> {
  const { run } = call;
  const { secrets, sealer } = run.agent;
  if (secrets?.holdsSecret(call.args) === true && sealer === undefined) return refuseUnsealed(call);
  const described = describedBy(call);
  const question = await titledQuestion(call, await askedBy(call), described);
  const bound = { question: boundQuestion(call, described), keyRule: await keyRuleOf(call) };
  const data = makeInterruption(call, {
    kind: "approval",
    approvalHash: approvalHash(run, toolOf(call), call.args, bound),
    question,
    args: call.args,
  });
  if (isUnattended(run) && inlineApprover(call, data) === undefined) {
    return fail(
      call,
      "policy_denied",
      `The call of "${call.toolName}" needs a person, and this run is unattended (flow.unattended: "fail"), so it did not run and the run ends. ` +
        `Give a grant that covers the call (agent.run(input, { grants }) or flow.grants), or use flow.unattended: "pend". ${whyAsked(call)}`,
      { code: "UNATTENDED" },
    );
  }
  run.journal.record({ type: "tool.approval.requested", turn: call.turn, index: call.index, interruption: data });
  return goOnWaiting(call, data);
}

/** Origin of a question about a call: a flow rule, the tool, the approval policy or an extension. */
async function askedBy(call: PipelineCall): Promise<AskedBy> {
  const policy = await call.run.flow?.questionFor(flowCallOf(call));
  const found = call.mustAsk ?? call.askedBecause;
  return flowAsks(call) && policy !== undefined ? { kind: "flow", policy, found } : { kind: "approval", policy, found };
}

/** Asks the inline approver, or waits for a decision from outside. */
async function goOnWaiting(call: PipelineCall, data: InterruptionData): Promise<void> {
  const { run, batch } = call;
  if (batch.stopped !== undefined) return failUndecided(call);
  const answer = await decideHere(call, data);
  if (answer === undefined) return wait(call, [data]);
  const { decision, via } = answer;
  if (decision === undefined) return failUndecided(call);
  const meant = meantDecision(run.agent, decision, call.args);
  if (run.agent.sealer === undefined && holdsSecret(run.agent, meant)) return refuseUnsealed(call);
  decided(call, meant, via);
  return applyDecision(call, data, meant);
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

async function applyDecision(call: PipelineCall, data: InterruptionData, decision: Decision): Promise<void> {
  const via = call.state.approval?.via ?? "resume";
  if (decision.type !== "approve") {
    if (via === "expired") return failExpired(call);
    return deny(call, decision.type === "reject" ? decision.reason : undefined);
  }
  call.approvalId = data.id;
  if (decision.args !== undefined) {
    const problem = await gateEdited(call, decision.args);
    if (problem !== undefined) {
      // An inline approver would give them again.
      if (via === "inline") return fail(call, "invalid_input", problem.message, problem.details);
      call.approvalId = undefined;
      call.askedBecause = problem.message;
      return askPerson(call);
    }
  }
  if (call.phase === "gating") recordLowering(call, decision, via);
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
  await askGates(call, "changed");
  if (call.phase === "gating") await authorize(call);
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
