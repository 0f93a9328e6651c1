import type { ToolCall } from "./tool-call.ts";
import type { InterruptionData } from "./interruption.ts";
import type { Remembering } from "./question.ts";
import type { RunContext } from "./run-context.ts";

/** The question for an inline approver. */
export type ApprovalRequest = InterruptionData;

/** The answer of an inline approver, who is asked once per call. */
export interface ApprovalDecision {
  /** True if the call may run. */
  readonly approved: boolean;
  /** The reason, which the model reads if the call is rejected. */
  readonly reason?: string | undefined;
  /** Edited arguments: validated and gated again. */
  readonly args?: unknown;
  /** One of `question.remember`; any other value counts as a failure of the approver, and the call is not approved. */
  readonly remember?: Remembering | undefined;
}

/** Rules about calls that need a person, and how the person gets the question. */
export interface ApprovalConfig {
  /** Default `"none"`: only calls for which tools or the flow policy demand it. */
  readonly policy?:
    | "none"
    | "all"
    | readonly string[]
    | ((call: ToolCall, ctx: RunContext) => boolean | Promise<boolean>)
    | undefined;
  /** Called in the process, in place of suspending the run. */
  readonly onApproval?: ((request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>) | undefined;
  /** Time limit of an inline approver, in milliseconds; default 300,000. */
  readonly timeout?: number | undefined;
  /** Default `deny`. `approve` is refused for any tool that is a writer. */
  readonly timeoutAction?: "deny" | "throw" | "approve" | undefined;
  /** Validity of a suspended approval, in milliseconds; default 7 days. */
  readonly expiresAfterMs?: number | undefined;
}
