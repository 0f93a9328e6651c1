import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import type { ToolPreview } from "../../contracts/preview.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import { fail, flowCallOf, isSettled, isUnattended, placeOf, toolOf, wait, type PipelineCall } from "./call.ts";
import { makeInterruption, recordDecision, describedBy, titledQuestion } from "./approval-binding.ts";
import { boundDefinition } from "./approval-scope.ts";
import { bindingOf, changedSince, differences, isBound, whyAsked } from "./binding.ts";
import { holdsSecret, meantDecision, problemOf, refuseUnasked, refuseUnsealed, unknownField } from "./validate.ts";
import { decideHere, inlineApprover } from "./inline-approval.ts";
import type { AskedByRules } from "./call-question.ts";
import { flowAsks } from "./flow-verdict.ts";
import { askGates, authorize, type Verdict } from "./judge.ts";
import { previewOf, refuseUnstable, shownInQuestion, type CallPreview } from "./preview.ts";
import type { Earlier } from "./settle.ts";
import { failUnstable, nextRound } from "./value-rounds.ts";

type RecordedApproval = NonNullable<PipelineCall["state"]["approval"]>;

/** A call's permission to run. */
export interface Permission {
  /** The interruption whose approval the execution uses up; absent if no question was asked. */
  readonly approvalId?: string | undefined;
  readonly preview?: ToolPreview | undefined;
}

/** The verdict about a call, with the preview that its question shows. */
export interface Shown extends Verdict {
  readonly preview: CallPreview;
}

/** Maximum number of edits of an approver of this process to one call. */
const mostEdits = 3;

/**
 * Gets the permission of a person, if the verdict asks for one: a recorded decision that covers this call, one that was
 * remembered, or the answer to a question. An edit that the schema accepts as it is runs; one of which it makes another
 * value is a new question, and so is one that it refuses.
 *
 * @returns `undefined` if the call has its outcome now, or waits.
 */
export async function permission(
  call: PipelineCall,
  verdict: Shown,
  earlier: Earlier,
): Promise<Permission | undefined> {
  const recorded = recordedQuestion(call, earlier);
  const digest = digestOf(verdict.preview);
  if (recorded !== undefined && isBound(call, recorded.interruption, digest ?? ""))
    return decide(call, verdict, recorded);
  if (recorded?.decision !== undefined && isBound(call, recorded.interruption) && refuseUnstable(call))
    return undefined;
  if (!verdict.needsApproval && !flowAsks(call)) {
    refuseUnasked(call);
    return isSettled(call) ? undefined : { preview: madeOf(verdict.preview) };
  }
  // A decision for later calls was made without the extension's reason.
  const remembered = verdict.mustAsk === undefined ? rememberedFor(call, flowAsks(call)) : undefined;
  if (remembered !== undefined) return applyRemembered(call, remembered, verdict.preview);
  const found = verdict.mustAsk ?? verdict.found;
  return decide(
    call,
    verdict,
    await askPerson(call, { found, before: recorded?.interruption, preview: verdict.preview }),
  );
}

/** Applies the decision about a question, and asks again about an edit that cannot run as it is. */
async function decide(
  call: PipelineCall,
  verdict: Shown,
  first: RecordedApproval | undefined,
): Promise<Permission | undefined> {
  let asked = first;
  let { preview } = verdict;
  for (let edits = 1; asked !== undefined; edits += 1) {
    const decision = asked.decision ?? (await decideNow(call, asked.interruption));
    if (decision === undefined) return undefined;
    const via = call.state.approval?.via ?? "resume";
    if (decision.type !== "approve") {
      refuseDecided(call, decision, via);
      return undefined;
    }
    const edit = decision.args === undefined ? "fits" : await takeEdit(call, verdict, decision.args);
    if (isSettled(call)) return undefined;
    if (edit === "fits") {
      recordLowering(call, decision, via);
      return { approvalId: asked.interruption.id, preview: madeOf(preview) };
    }
    // An approver of this process would give an edit that does not fit again.
    if (via === "inline" && edit.code !== undefined) fail(call, "invalid_input", edit.why, { code: edit.code });
    else if (edits >= mostEdits) failUnstable(call);
    const next = isSettled(call) ? undefined : await previewOf(call, "none");
    if (next === undefined) return undefined;
    preview = next;
    asked = await askPerson(call, { found: edit.why, preview });
  }
  return undefined;
}

function refuseDecided(call: PipelineCall, decision: Decision, via: string): void {
  if (via === "expired") failExpired(call);
  else deny(call, decision.type === "reject" ? decision.reason : undefined);
}

/** The recorded question about this call, unless an earlier attempt has used its answer. */
function recordedQuestion({ state: { approval } }: PipelineCall, earlier: Earlier): RecordedApproval | undefined {
  const isOver = approval?.interruption.kind !== "approval" || (approval.used === true && earlier === "none");
  return isOver ? undefined : approval;
}

function applyRemembered(
  call: PipelineCall,
  { approved, reason, decidedBy }: RememberedDecision,
  preview: CallPreview,
): Permission | undefined {
  const origin = { id: `remembered:${call.key}`, decidedBy };
  const decision: Decision = approved ? { ...origin, type: "approve" } : { ...origin, type: "reject", reason };
  decided(call, decision, "remembered");
  if (approved) recordLowering(call, decision, "remembered");
  else deny(call, reason);
  return approved ? { preview: madeOf(preview) } : undefined;
}

/** The preview, if there is one. */
function madeOf(preview: CallPreview): ToolPreview | undefined {
  return preview === "none" ? undefined : preview;
}

function digestOf(preview: CallPreview): string | undefined {
  return madeOf(preview)?.digest;
}

/** Journals the question to a person; `undefined` if the call has its outcome now. */
async function askPerson(
  call: PipelineCall,
  {
    found,
    before,
    preview,
  }: {
    /** The reason of the code that asks. */
    readonly found: string | undefined;
    /** The earlier question about the same call, whose answer does not cover it. */
    readonly before?: InterruptionData | undefined;
    readonly preview: CallPreview;
  },
): Promise<RecordedApproval | undefined> {
  const { run } = call;
  const { secrets, sealer } = run.agent;
  if (secrets?.holdsSecret(call.args) === true && sealer === undefined) {
    refuseUnsealed(call);
    return undefined;
  }
  const described = describedBy(call);
  const binding = bindingOf(call, described, digestOf(preview));
  const changed = before && changedSince(call, before, binding);
  const question = await titledQuestion(
    call,
    { ...(await askedBy(call, found, changed)), shown: shownInQuestion(call, preview) },
    described,
  );
  const data = makeInterruption(call, {
    kind: "approval",
    binding,
    question,
    args: call.args,
    argsJsonSchema: toolOf(call).__inputJsonSchema,
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
async function askedBy(
  call: PipelineCall,
  found: string | undefined,
  changed: string | undefined,
): Promise<AskedByRules> {
  const policy = await call.run.flow?.questionFor(flowCallOf(call));
  const by = { policy, found, changed };
  return flowAsks(call) && policy !== undefined ? { kind: "flow", ...by, policy } : { kind: "approval", ...by };
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

/** An edit that cannot run as it is; the code is that of a refusal by the schema. */
interface RefusedEdit {
  readonly why: string;
  readonly code?: string | undefined;
}

/** Applies arguments that a person edited: they are judged again, without a second question to that person. */
async function takeEdit(call: PipelineCall, verdict: Verdict, args: unknown): Promise<"fits" | RefusedEdit> {
  const source = "The arguments as edited by the approver";
  const unknown = unknownField(toolOf(call).__inputJsonSchema, args, call.args);
  if (unknown !== undefined)
    return {
      why: `The arguments of "${call.toolName}" as edited by the approver cannot be used: ${unknown}.`,
      code: "EDIT_INVALID",
    };
  const { value: shown } = call;
  const problem = await problemOf(call, args, source);
  if (problem !== undefined) return { why: problem.message, code: problem.details.code ?? "EDIT_INVALID" };
  if (!isSameJson(call.args, args)) {
    // The edit is another notation of the value that the person was shown.
    if (call.argsHash === shown?.hash) return "fits";
    if (nextRound(call, verdict.needsApproval)) await judgeEdit(call);
    return { why: `The inputSchema of the tool changes your edit: ${differences(args, call.args)}.` };
  }
  if (toolOf(call).preview === undefined || call.argsHash === shown?.hash) {
    await judgeEdit(call);
    return "fits";
  }
  if (nextRound(call, verdict.needsApproval)) await judgeEdit(call);
  return { why: "Your edit changes what the call would do." };
}

async function judgeEdit(call: PipelineCall): Promise<void> {
  await askGates(call, "changed", "none");
  if (!isSettled(call)) await authorize(call, { isNew: true, isFixed: true });
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
    // An approval of what a preview showed covers nothing else.
    if (remembered.approved && toolOf(call).preview !== undefined) continue;
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
