import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { Question } from "../../contracts/question.ts";
import type { RememberedDecision } from "../../contracts/remembered-decision.ts";
import { asFlow } from "../settings/join-flow.ts";
import { asChain, namesOfPolicy } from "../settings/join-approval.ts";
import type { ApprovalPolicy } from "../settings/join-approval.ts";
import { isGatedInside } from "../../registry/resolve-name.ts";
import { fail, modelCall, recordCall, toolOf, andThen, type PipelineCall, type MaybePromise } from "./call.ts";
import { hasExpired, makeInterruption } from "./approval-binding.ts";
import { approvalHash, boundDefinition } from "./approval-scope.ts";
import { holdsSecret, meantDecision, refuseUnasked, refuseUnsealed, validateArguments } from "./validate.ts";
import { unknownField } from "./unknown-field.ts";
import { expiredDecision, recordDecision } from "./record-decision.ts";
import { inlineApprover, type InlineAnswer } from "./inline-approval.ts";
import { askUserCode, type UserAnswer } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { AskedBy } from "./call-question.ts";
import { describedBy, titledQuestion } from "./questions.ts";
import { reasonOf, reportFailure } from "../hooks/hook-failures.ts";
import { decidingTimeoutMs, limitsOf } from "../hooks/hooks-runner.ts";
import { rememberedFor } from "./remembered-approval.ts";
import { toolContext } from "./tool-context.ts";
import { keyRuleOf } from "./deduplicate.ts";
import { askGates } from "./ask-gates.ts";
import { authorize } from "./authorize.ts";

type AskedPolicy = Extract<ApprovalPolicy, (...given: never) => unknown>;

/**
 * Lets a person decide where the tool, the approval policy or the flow policy demands it. From here on the call is in
 * the journal.
 */
export function approve(call: PipelineCall): MaybePromise<void> {
  return andThen(call.needsApproval ?? needsApprovalToday(call), (needed) => {
    call.needsApproval = needed;
    if (call.phase !== "gating") return undefined;
    recordCall(call);
    return decideNow(call);
  });
}

/** True if today's tool or approval policy wants a person to decide about the call; a throw counts as yes. */
export function needsApprovalToday(call: PipelineCall): MaybePromise<boolean> {
  return andThen(askTool(call), (answer) => answer || askPolicy(call));
}

function askTool(call: PipelineCall): MaybePromise<boolean> {
  const { needsApproval } = toolOf(call);
  return typeof needsApproval === "function"
    ? ask(call, "needsApproval", () => needsApproval(ownCopy(call.input), toolContext(call)))
    : needsApproval === true;
}

/** Asks a predicate. One that fails asks a person, and says why in the question. */
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

function isNamed(call: PipelineCall, policy: ApprovalPolicy): boolean {
  const tool = toolOf(call);
  // The calls of an agent or a program that this framework runs are gated inside.
  if (policy === "all") return !isGatedInside(tool);
  if (policy === "writers") return tool.__isWriter;
  const { batch } = call;
  batch.policyNames ??= new Map();
  let names = batch.policyNames.get(policy);
  if (names === undefined) batch.policyNames.set(policy, (names = namesOfPolicy(policy).map(resolvedIn(call))));
  return names.some((isMeant) => isMeant(call.toolName));
}

/**
 * Matches tools by a name in a policy. An outer run's policy may name tools that this run does not
 * have.
 */
function resolvedIn({ run: { catalogue } }: PipelineCall): (name: string) => (toolName: string) => boolean {
  return (name) => {
    try {
      const resolved = catalogue.resolveName(name);
      return (toolName) => toolName === resolved;
    } catch {
      return (toolName) => toolName === name || toolName.endsWith(`_${name}`) || toolName.endsWith(`.${name}`);
    }
  };
}

/** Asks one after the other, until one says yes. */
async function askEach(call: PipelineCall, policies: readonly AskedPolicy[]): Promise<boolean> {
  for (const policy of policies)
    if (await ask(call, "approval.policy", () => policy(ownCopy(modelCall(call)), call.run.context))) return true;
  return false;
}

function flowAsks(call: PipelineCall): boolean {
  return call.flow?.verdict === "ask" && call.flow.shadow !== true;
}

function decideNow(call: PipelineCall): MaybePromise<void> {
  const { approval } = call.state;
  if (approval?.interruption.kind !== "approval" || (approval.used === true && !call.covered)) return decideAnew(call);
  const { interruption, decision } = approval;
  return andThen(isBound(call, interruption), (bound) => {
    if (!bound) return decideAnew(call);
    return decision === undefined ? goOnWaiting(call, interruption) : applyDecision(call, interruption, decision);
  });
}

function decideAnew(call: PipelineCall): MaybePromise<void> {
  if (call.needsApproval !== true && call.mustAsk === undefined && !flowAsks(call)) return refuseUnasked(call);
  // A decision for later calls was made without the extension's reason.
  const remembered = call.mustAsk === undefined ? rememberedFor(call, flowAsks(call)) : undefined;
  if (remembered !== undefined) return applyRemembered(call, remembered);
  return askPerson(call);
}

/** True if an approval covers the call: it was given for these arguments, to this question, about this tool. */
export function isBound(call: PipelineCall, interruption: InterruptionData): MaybePromise<boolean> {
  if (interruption.argsHash !== call.argsHash) return false;
  const tool = toolOf(call);
  return andThen(keyRuleOf(call), (keyRule) => {
    const question = boundQuestion(call, describedBy(call));
    const hash = approvalHash(call.run, tool, call.args, { question, keyRule });
    return hash === undefined
      ? interruption.definitionHash === boundDefinition(call.run, tool)
      : interruption.approvalHash === hash;
  });
}

/**
 * The text that an approval binds: the sentence of the tool's `describeCall`, and what any process asks about the call,
 * without why a predicate failed in one.
 */
function boundQuestion(call: PipelineCall, described: string | undefined): string {
  return described === undefined ? whyAsked(call) : `${described}\n${whyAsked(call)}`;
}

function whyAsked(call: PipelineCall): string {
  return flowAsks(call) && call.flow !== undefined ? call.flow.explanation : `"${call.toolName}" needs approval.`;
}

function applyRemembered(call: PipelineCall, { approved, reason, decidedBy }: RememberedDecision): void {
  const origin = { id: `remembered:${call.key}`, ...(decidedBy !== undefined && { decidedBy }) };
  const decision: Decision = approved
    ? { ...origin, type: "approve" }
    : { ...origin, type: "reject", ...(reason !== undefined && { reason }) };
  decided(call, decision, "remembered");
  if (approved) recordLowering(call, decision, "remembered");
  else deny(call, reason);
}

function askPerson(call: PipelineCall): MaybePromise<void> {
  const { run } = call;
  const { secrets, sealer } = run.agent;
  if (secrets?.holdsSecret(call.args) === true && sealer === undefined) {
    refuseUnsealed(call);
    return undefined;
  }
  const described = describedBy(call);
  const asked = titledQuestion(call, askedBy(call), described);
  return andThen(keyRuleOf(call), (keyRule) =>
    askAbout(call, asked, { question: boundQuestion(call, described), keyRule }),
  );
}

/** Origin of a question about a call: a flow rule, the tool, the approval policy or an extension. */
function askedBy(call: PipelineCall): AskedBy {
  const { turn, index, toolCallId, args, input, run } = call;
  const policy = run.flow?.questionFor({ turn, index, toolCallId, tool: toolOf(call), args, input });
  if (flowAsks(call) && policy !== undefined) return { kind: "flow", policy };
  return { kind: "approval", policy, found: call.mustAsk ?? call.askedBecause };
}

function askAbout(
  call: PipelineCall,
  question: Question,
  bound: Parameters<typeof approvalHash>[3],
): MaybePromise<void> {
  const { run } = call;
  const data = makeInterruption(call, {
    kind: "approval",
    approvalHash: approvalHash(run, toolOf(call), call.args, bound),
    question,
    args: call.args,
  });
  if (asFlow(run.settings.flow).unattended === "fail" && inlineApprover(call, data) === undefined) {
    call.batch.unattended = true;
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
  return goOnWaiting(call, data);
}

/** Asks the inline approver, or waits for a decision from outside. */
function goOnWaiting(call: PipelineCall, data: InterruptionData): MaybePromise<void> {
  const { run, batch } = call;
  if (batch.stopped !== undefined) {
    fail(call, "aborted", `The run was stopped before anyone decided about "${call.toolName}". Nothing ran.`);
    return undefined;
  }
  if (hasExpired(data, run.clock.now())) {
    decided(call, expiredDecision(data.id), "expired");
    fail(
      call,
      "approval_expired",
      `The call of "${call.toolName}" was not approved in time, so it did not run. Ask the user whether it is still wanted.`,
    );
    return undefined;
  }
  const approver = inlineApprover(call, data);
  if (approver !== undefined) return approver().then((answer) => applyInline(call, data, answer));
  stayOpen(call, data);
  return undefined;
}

function stayOpen(call: PipelineCall, data: InterruptionData): void {
  call.phase = "waiting";
  call.interruptions = [data];
}

function applyInline(
  call: PipelineCall,
  data: InterruptionData,
  { decision, via, left }: InlineAnswer,
): MaybePromise<void> {
  if (left === true && call.batch.stopped === undefined) {
    stayOpen(call, data);
    return undefined;
  }
  if (decision === undefined) {
    fail(call, "aborted", `The run was stopped before anyone decided about "${call.toolName}". Nothing ran.`);
    return undefined;
  }
  const meant = meantDecision(call.run.agent, decision, call.args);
  if (call.run.agent.sealer === undefined && holdsSecret(call.run.agent, meant)) {
    refuseUnsealed(call);
    return undefined;
  }
  decided(call, meant, via);
  return applyDecision(call, data, meant);
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

function applyDecision(call: PipelineCall, data: InterruptionData, decision: Decision): MaybePromise<void> {
  if (decision.type !== "approve") {
    if (call.state.approval?.via === "expired") {
      fail(
        call,
        "approval_expired",
        `The call of "${call.toolName}" was not approved in time, so it did not run. Ask the user whether it is still wanted.`,
      );
      return undefined;
    }
    deny(call, decision.type === "reject" ? decision.reason : undefined);
    return undefined;
  }
  call.approvalId = data.id;
  const via = call.state.approval?.via ?? "resume";
  if (decision.args === undefined) return recordLowering(call, decision, via);
  return gateEdited(call, decision.args).then(() =>
    call.phase === "gating" ? recordLowering(call, decision, via) : undefined,
  );
}

/** [quarantine.endorse] A person's word lowers the label of these very arguments, for this call: once, and audited. */
function recordLowering(call: PipelineCall, decision: Decision, via: string): void {
  const { run, turn, index, toolCallId, toolName, argsHash } = call;
  if (run.flow === undefined || !flowAsks(call) || call.state.lowered?.subject === argsHash) return;
  run.journal.record({
    type: "flow.lowered",
    turn,
    index,
    toolCallId,
    toolName,
    by: "approval",
    subject: argsHash,
    reason: `${call.flow?.rule ?? "The policy"} asked, and the call was approved (${via}).`,
    ...(decision.decidedBy !== undefined && { decidedBy: decision.decidedBy }),
    ...run.flow.loweredBy({ turn, index }),
  });
}

/** Arguments that a person edited pass the gate again, without a second question to that person. */
async function gateEdited(call: PipelineCall, args: unknown): Promise<void> {
  const unknown = unknownField(toolOf(call).__inputJsonSchema, args, call.args);
  if (unknown !== undefined) {
    fail(
      call,
      "invalid_input",
      `The arguments of "${call.toolName}" as edited by the approver cannot be used: ${unknown}.`,
    );
    return;
  }
  await validateArguments(call, args, "The arguments as edited by the approver");
  if (call.phase !== "gating") return;
  await askGates(call, "changed");
  if (call.phase !== "gating") return;
  await authorize(call);
}

function deny(call: PipelineCall, reason: string | undefined): void {
  const why = reason === undefined || reason === "" ? "" : ` Reason: ${reason}`;
  if (call.run.flow?.stopsAfterDenials() === true) call.batch.policyStop = true;
  fail(call, "approval_denied", `The call of "${call.toolName}" was not approved, so it did not run.${why}`);
}
