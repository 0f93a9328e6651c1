import type { ApprovalDecision } from "../../contracts/approval-config.ts";
import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import { RunError } from "../../errors/run-errors.ts";
import { frozenCopy, ownAnswer } from "../../user-code/copies.ts";
import { askUserCode } from "../../user-code/call-user-code.ts";
import { reportFailure, reasonOf } from "../hooks/hook-failures.ts";
import { durableJson } from "../../json/checked-json.ts";
import { isSameJson } from "../../json/canonical-json.ts";
import { asChain, type Approver } from "../settings/join-approval.ts";
import { expiredDecision, hasExpired } from "./approval-binding.ts";
import { isNamed } from "./named-call.ts";
import { displayed, modelCall, type PipelineCall } from "./call.ts";

const defaultTimeoutMs = 300_000;

/** Maximum number of questions to each approver about one call, if approvers edit arguments that others approved. */
const mostRounds = 5;

/** Answer of an inline approver; no decision if the run was stopped or the consumer of its stream left in the meantime. */
export interface InlineAnswer {
  /** The consumer of the stream left: the question stays open. */
  readonly left?: true;
  readonly decision: Decision | undefined;
  readonly via: "inline" | "timeout" | "expired";
}

type Answered = ApprovalDecision | boolean;

/** Subject of an approval: a call of our tools, or a call that the vendor runs. */
export type ApprovalSubject = Pick<
  PipelineCall,
  "batch" | "run" | "toolCallId" | "toolName" | "rawArguments" | "args" | "tool"
>;

/**
 * The approvers in this process, as one; `undefined` if there are none, or one that the call needs is missing, and then
 * the run is suspended.
 */
export function inlineApprover(
  call: ApprovalSubject,
  data: InterruptionData,
): (() => Promise<InlineAnswer>) | undefined {
  const { approvers, byPerson } = asChain(call.run.settings.approval);
  if (approvers.length === 0 || byPerson.some((policy) => typeof policy === "function" || isNamed(call, policy)))
    return undefined;
  return () => askAll(call, data, approvers);
}

/**
 * The decision about an open question in this process: its time is over, or the approvers have answered; `undefined` if
 * it stays open. An answer without a decision means that the run was stopped.
 */
export async function decideHere(call: ApprovalSubject, data: InterruptionData): Promise<InlineAnswer | undefined> {
  if (hasExpired(data, call.run.clock.now())) return { decision: expiredDecision(data.id), via: "expired" };
  const answer = await inlineApprover(call, data)?.();
  return answer?.left === true && call.batch.stopped === undefined ? undefined : answer;
}

/**
 * Calls each approver once, the innermost first. All have to approve, and one rejection decides. Edited arguments are
 * shown to all others, also to those that approved before.
 */
async function askAll(
  call: ApprovalSubject,
  data: InterruptionData,
  approvers: readonly Approver[],
): Promise<InlineAnswer> {
  const approved = new Map<Approver, InlineAnswer>();
  let edited: { readonly args: unknown } | undefined;
  for (let asked = 0; asked < approvers.length * mostRounds; asked += 1) {
    const approver = approvers.find((one) => !approved.has(one));
    if (approver === undefined) break;
    const answer = await askInline(call, data, () => questionFor(call, data, edited)(approver));
    const { decision } = answer;
    if (decision?.type !== "approve") return answer;
    if (decision.args !== undefined && !isSameJson(decision.args, edited?.args)) {
      edited = { args: decision.args };
      approved.clear();
    }
    approved.set(approver, answer);
  }
  if (approved.size < approvers.length) {
    const reason = "The approvers did not agree on the arguments.";
    return { decision: { id: data.id, type: "reject", reason, channel: "inline" }, via: "inline" };
  }
  return agreed(data, [...approved.values()], edited);
}

/** All approved: the decision is only remembered if each of them requests it. */
function agreed(
  data: InterruptionData,
  answers: readonly InlineAnswer[],
  edited: { readonly args: unknown } | undefined,
): InlineAnswer {
  const remembered = answers.map(({ decision }) => (decision?.type === "approve" ? decision.remember : undefined));
  const [first] = remembered;
  const remember = remembered.every((one) => one === first)
    ? first
    : remembered.includes(undefined)
      ? undefined
      : "call";
  const via = answers.some((answer) => answer.via === "timeout") ? "timeout" : "inline";
  return {
    decision: {
      id: data.id,
      type: "approve",
      ...(via === "inline" && { channel: "inline" }),
      args: edited?.args,
      remember,
    },
    via,
  };
}

/** Calls one approver about the call, or about the arguments that another one edited. */
function questionFor(
  call: ApprovalSubject,
  data: InterruptionData,
  edited: { readonly args: unknown } | undefined,
): (approver: Approver) => Answered | Promise<Answered> {
  let made = displayed(call, modelCall(call));
  let question = data;
  if (edited !== undefined) {
    const args = displayed(call, edited.args);
    made = { ...made, arguments: JSON.stringify(args), input: args };
    // The token is bound to the arguments for which it was made.
    question = { ...data, args, token: undefined };
  }
  return ({ by, ask, outer }) => {
    if (by === "run") return ask(data.agentName, frozenCopy(made), call.tool);
    const asked =
      outer === undefined
        ? question
        : { ...question, runId: outer.runId, agentPath: [...outer.path, ...question.agentPath] };
    return ask(frozenCopy(asked));
  };
}

/** Waits for an approver until its time is over, the run is stopped, or the consumer of its stream leaves. */
async function askInline(
  call: ApprovalSubject,
  data: InterruptionData,
  asked: () => Answered | Promise<Answered>,
): Promise<InlineAnswer> {
  const { run, batch } = call;
  if (batch.left) return { decision: undefined, via: "inline", left: true };
  const { timeout: timeoutMs = defaultTimeoutMs } = run.settings.approval ?? {};
  const name = run.options.onApprovalRequired === undefined ? "approval.onApproval" : "onApprovalRequired";
  let left: true | undefined;
  const answer = await askUserCode(async () => toDecision(data, ownAnswer(await asked())), {
    name,
    timeoutMs,
    clock: run.timers,
    control: {
      onStop(stop) {
        batch.onStop.add(stop);
        const forgetLeave = run.control.onLeave(() => {
          left = true;
          stop();
        });
        return () => {
          batch.onStop.delete(stop);
          forgetLeave();
        };
      },
    },
  });
  if (answer.ok) return { decision: answer.value, via: "inline" };
  if (answer.stopped) return { decision: undefined, via: "inline", ...(left && { left }) };
  if (answer.isLate === true) return lateAnswer(call, data, timeoutMs);
  reportFailure(run, name, answer.error, `The call of "${call.toolName}" counts as not approved.`);
  const reason = `The approver failed: ${reasonOf(call, answer.error)}`;
  return { decision: { id: data.id, type: "reject", reason, channel: "inline" }, via: "inline" };
}

function toDecision(data: InterruptionData, answer: Answered): Decision {
  const given: ApprovalDecision =
    typeof answer === "object" && answer !== null
      ? answer
      : { approved: answer, ...(typeof answer !== "boolean" && { reason: "The approver returned no decision." }) };
  const { reason, remember } = given;
  const origin = { id: data.id, channel: "inline" };
  if (remember !== undefined && !data.question.remember.includes(remember))
    throw new TypeError(`"remember" has to be one of ${JSON.stringify(data.question.remember)}.`);
  // The value has to be exactly `true`: an approver that returns any other value has not approved.
  if ((given.approved as unknown) === true) {
    const args = given.args === undefined ? undefined : durableJson(given.args);
    if (args?.ok === false) throw new TypeError(`"args" holds ${args.problem}, which is not plain JSON.`);
    return { ...origin, type: "approve", args: args?.value, remember };
  }
  return { ...origin, type: "reject", reason, remember };
}

/** @throws RunError `APPROVAL_TIMEOUT` if `approval.timeoutAction` is `throw`. */
function lateAnswer(call: ApprovalSubject, { id }: InterruptionData, timeoutMs: number): InlineAnswer {
  const { run, tool, toolName, args } = call;
  const action = run.settings.approval?.timeoutAction ?? "deny";
  if (action === "throw") {
    const message = `No decision about "${toolName}" within ${timeoutMs} ms, and approval.timeoutAction is "throw". The run can be resumed.`;
    throw new RunError("APPROVAL_TIMEOUT", message, { runId: run.runId });
  }
  // A time-out never approves an effect, not even for a tool that was added after the agent's construction.
  const { secrets } = run.agent;
  if (action === "approve" && tool?.__isWriter === false && secrets?.holdsSecret(args) !== true)
    return { decision: { id, type: "approve" }, via: "timeout" };
  return { decision: { id, type: "reject", reason: `No decision within ${timeoutMs} ms.` }, via: "timeout" };
}
