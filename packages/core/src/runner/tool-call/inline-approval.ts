import type { ApprovalDecision } from "../../contracts/approval-config.ts";
import type { Decision, InterruptionData } from "../../contracts/interruption.ts";
import type { ToolCall } from "../../contracts/tool-call.ts";
import { RunError } from "../../errors/run-errors.ts";
import { frozenCopy } from "../../user-code/copies.ts";
import { toError } from "../../user-code/call-user-code.ts";
import { reportFailure } from "../hooks/hook-failures.ts";
import { reasonOf } from "./intercept.ts";
import { modelCall } from "./call.ts";
import type { PipelineCall } from "./call.ts";

const defaultTimeoutMs = 300_000;

/** What an inline approver said; no decision when the run was stopped meanwhile. */
export interface InlineAnswer {
  readonly decision: Decision | undefined;
  readonly via: "inline" | "timeout";
}

type Answered = ApprovalDecision | boolean;

/** What an approver decides about: a call of ours, or one that the vendor runs. */
export type ApprovalSubject = Pick<
  PipelineCall,
  "batch" | "run" | "toolCallId" | "toolName" | "rawArguments" | "args" | "tool"
>;

/** The approver in this process: the run's `onApprovalRequired`, else `approval.onApproval`; none suspends the run. */
export function inlineApprover(
  call: ApprovalSubject,
  data: InterruptionData,
): (() => Promise<InlineAnswer>) | undefined {
  const { options, settings } = call.run;
  const ofRun = options.onApprovalRequired;
  if (ofRun !== undefined)
    return () => askInline(call, data, () => ofRun(data.agentName, frozenCopy(shownCall(call)), call.tool));
  const ofAgent = settings.approval?.onApproval;
  if (ofAgent !== undefined) return () => askInline(call, data, () => ofAgent(frozenCopy(data)));
  return undefined;
}

/** The call without known secrets, and without what could deceive an eye or a terminal: whoever is asked may show it. */
function shownCall(call: ApprovalSubject): ToolCall {
  const { secrets, sanitizer } = call.run.definition;
  const clean = secrets?.scrub(modelCall(call)) ?? modelCall(call);
  return sanitizer?.display(clean) ?? clean;
}

function askInline(
  call: ApprovalSubject,
  data: InterruptionData,
  asked: () => Answered | Promise<Answered>,
): Promise<InlineAnswer> {
  const { run, batch } = call;
  const timeoutMs = run.settings.approval?.timeout ?? defaultTimeoutMs;
  return new Promise<InlineAnswer>((resolve, reject) => {
    const stop = (): void => end(() => resolve({ decision: undefined, via: "inline" }));
    const cancelTimer = run.clock.setTimer(
      () => end(() => onTimeout(call, data, timeoutMs, resolve, reject)),
      timeoutMs,
    );
    let ended = false;
    const end = (then: () => void): void => {
      if (ended) return;
      ended = true;
      cancelTimer();
      batch.onStop.delete(stop);
      then();
    };
    batch.onStop.add(stop);
    Promise.resolve()
      .then(asked)
      .then(
        (answer) => end(() => resolve({ decision: toDecision(data, answer), via: "inline" })),
        (error: unknown) =>
          end(() => {
            const failed = toError(error);
            const name = run.options.onApprovalRequired === undefined ? "approval.onApproval" : "onApprovalRequired";
            reportFailure(run, name, failed, `The call of "${call.toolName}" counts as not approved.`);
            const reason = `The approver failed: ${reasonOf(call, failed)}`;
            resolve({
              decision: { id: data.id, type: "reject", reason, channel: "inline" },
              via: "inline",
            });
          }),
      );
  });
}

function toDecision(data: InterruptionData, answer: Answered): Decision {
  // Only the word itself approves: an approver that returns nothing has not said yes.
  const given: ApprovalDecision =
    typeof answer === "object" && answer !== null ? answer : { approved: (answer as unknown) === true };
  const { reason, remember } = given;
  if ((given.approved as unknown) === true) {
    return {
      id: data.id,
      channel: "inline",
      type: "approve",
      ...(given.args !== undefined && { args: given.args }),
      ...(remember !== undefined && { remember }),
    };
  }
  return {
    id: data.id,
    channel: "inline",
    type: "reject",
    ...(reason !== undefined && { reason }),
    ...(remember !== undefined && { remember }),
  };
}

function onTimeout(
  call: ApprovalSubject,
  data: InterruptionData,
  timeoutMs: number,
  resolve: (answer: InlineAnswer) => void,
  reject: (error: Error) => void,
): void {
  const action = call.run.settings.approval?.timeoutAction ?? "deny";
  if (action === "throw") {
    reject(
      new RunError(
        "APPROVAL_TIMEOUT",
        `Nobody decided about "${call.toolName}" within ${timeoutMs} ms, and approval.timeoutAction is "throw". The run can be resumed.`,
        {
          runId: call.run.runId,
        },
      ),
    );
    return;
  }
  // Nobody approves an effect by waiting, also not of a tool that arrived after the agent was checked.
  const { secrets } = call.run.definition;
  if (action === "approve" && call.tool?.__isWriter === false && secrets?.holdsSecret(call.args) !== true) {
    resolve({ decision: { id: data.id, type: "approve" }, via: "timeout" });
    return;
  }
  resolve({
    decision: { id: data.id, type: "reject", reason: `Nobody decided within ${timeoutMs} ms.` },
    via: "timeout",
  });
}
