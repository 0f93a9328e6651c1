import type { GuardrailResult } from "../contracts/guardrail.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { BailiwickError, type BailiwickErrorOptions } from "./bailiwick-error.ts";

/** A run ended without an answer; `output` is its partial output. */
export class RunError extends BailiwickError {
  /** The partial output; the run can be inspected and resumed by its id. */
  output: RunOutput | undefined;

  constructor(
    code: string,
    message: string,
    options?: BailiwickErrorOptions & { readonly output?: RunOutput | undefined },
  ) {
    super(code, message, options);
    this.output = options?.output;
  }
}

/** A guardrail blocked the run. */
export class GuardrailTrippedError extends RunError {
  /** Every verdict of the stage that blocked. */
  readonly verdicts: readonly { readonly name: string; readonly verdict: GuardrailResult }[];

  constructor(
    message: string,
    verdicts: readonly { readonly name: string; readonly verdict: GuardrailResult }[],
    options?: BailiwickErrorOptions,
  ) {
    super("GUARDRAIL_TRIPPED", message, options);
    this.verdicts = verdicts;
  }
}

/** The answer does not match the output schema, even after the repair turn. */
export class OutputValidationError extends RunError {
  /** The answer as the model wrote it. */
  readonly rawText: string;
  /** Differences from the schema. */
  readonly issues: readonly { readonly path: string; readonly message: string }[];

  constructor(
    rawText: string,
    issues: readonly { readonly path: string; readonly message: string }[],
    options?: BailiwickErrorOptions,
  ) {
    super(
      "OUTPUT_INVALID",
      `The answer does not match the output schema: ${issues.map((issue) => `${issue.path || "(root)"}: ${issue.message}`).join("; ")}.`,
      options,
    );
    this.rawText = rawText;
    this.issues = issues;
  }
}

/** The store has no run of that id. */
export class RunNotFoundError extends BailiwickError {
  /**
   * @param runId - Id of the run.
   * @param storeName - Name of the store that was searched.
   */
  constructor(runId: string, storeName: string) {
    super(
      "RUN_NOT_FOUND",
      `Run "${runId}" is not in the store "${storeName}". Check the id, and that this agent has the store that the run was started with.`,
      { runId },
    );
  }
}

/**
 * True if the error means that another process drives the run, also if another copy of the framework made the error.
 *
 * @param error - The thrown value.
 * @example
 * ```ts
 * import { isBusy } from "@bailiwick/core";
 *
 * export const statusOf = (error: unknown): number => (isBusy(error) ? 409 : 500);
 * ```
 */
export function isBusy(error: unknown): error is BailiwickError {
  return BailiwickError.isInstance(error) && error.code === "RUN_BUSY";
}

/** Another process drives the run. */
export class RunBusyError extends BailiwickError {
  /**
   * @param runId - The run.
   * @param delivered - Number of decisions that were stored in its inbox for the process that drives it.
   */
  constructor(runId: string, delivered: number = 0) {
    const what =
      delivered === 0
        ? "Wait for it, steer() or cancel() it. If that process died, resume the run when its lease has expired (after 30 seconds, or the agent's leaseMs), or at once with resume(runId, decisions, { formerIsGone: true })."
        : `The ${delivered} decision(s) are in its inbox, and the process that drives it uses them.`;
    super("RUN_BUSY", `Run "${runId}" is being driven elsewhere. ${what}`, { runId });
  }
}

/** The queue of an agent has as many runs as `enqueue()` allows. Nothing was stored. */
export class QueueFullError extends BailiwickError {
  /** Time after which another try is worth it, in milliseconds. */
  readonly retryAfterMs: number;

  /**
   * @param agentName - Name of the agent.
   * @param waiting - Number of runs that wait.
   * @param retryAfterMs - Time after which another try is worth it, in milliseconds.
   */
  constructor(agentName: string, waiting: number, retryAfterMs: number) {
    super(
      "QUEUE_FULL",
      `Agent "${agentName}" has ${waiting} runs that wait for a worker, as many as maxQueued allows. Nothing was stored. Try again in ${Math.ceil(retryAfterMs / 1_000)} s, or start more workers.`,
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** This process gave the run back before it ended. It is queued, and the next worker continues it. */
export class RunHandedOverError extends BailiwickError {
  constructor(runId: string) {
    super("RUN_HANDED_OVER", `Run "${runId}" was released before it ended. A worker continues it, or call resume().`, {
      runId,
    });
  }
}

/** A decision cannot be applied: unknown, used, expired, forged, or for another run or call. Nothing was changed. */
export class DecisionError extends BailiwickError {
  /** The interruption's id as given. */
  readonly decisionId: string;

  constructor(code: string, decisionId: string, message: string, options?: BailiwickErrorOptions) {
    super(code, message, options);
    this.decisionId = decisionId;
  }
}

/**
 * A tool that a pending call needs no longer exists, or a composition has made other steps than its present version
 * makes; the run can still be resumed.
 */
export class ToolMissingError extends BailiwickError {
  /** Name of the tool that the pending call needs, or of the node that was called. */
  readonly toolName: string;

  constructor(
    toolName: string,
    runId?: string,
    message = `A pending call needs the tool "${toolName}", which this agent does not have. Add the tool and resume again, or cancel the run.`,
  ) {
    super("TOOL_MISSING", message, { runId });
    this.toolName = toolName;
  }
}
