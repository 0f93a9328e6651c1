import type { Decision } from "./interruption.ts";
import type { RecoveryHint, ToolErrorKind } from "./vocabularies.ts";

/** The failure of a call, as data. */
export interface ToolFailure {
  /** The kind of the failure, such as a time-out or invalid arguments. */
  readonly kind: ToolErrorKind;
  /** A sentence that says what happened and what to do, for the model and for people. */
  readonly message: string;
  /** True if trying again can help. */
  readonly recoverable: boolean;
  /** The next step that can help, for the model. */
  readonly recoveryHint: RecoveryHint;
  /** A finer code, such as `IDEMPOTENCY_CONFLICT`. */
  readonly code?: string | undefined;
  /** The message contains text of the tool: it is treated like a result before a model reads it. */
  readonly fromTool?: boolean | undefined;
  /** True if the effect of a writer happened although the call failed. */
  readonly effectHappened?: boolean | "unknown" | undefined;
}

/** Value that a person changed in the arguments of a call, before and after. */
export interface ChangedValue {
  /** Path of the value with indexes, such as `to[0].mail`. */
  readonly path: string;
  /** Absent if the person added the value, or removed it. */
  readonly before?: unknown;
  /** The value after the change; absent if the person removed it. */
  readonly after?: unknown;
}

/** Decision of a person about a call, or an answer to a question of its tool. */
export interface CallDecision {
  /** The decision, such as `approve` or `reject`. */
  readonly type: Decision["type"];
  /** Title of the question. */
  readonly question: string;
  /** The person who decided. */
  readonly decidedBy?: string | undefined;
  /** The place of the decision: `http`, `chat`, `inline`. */
  readonly channel?: string | undefined;
  /** `inline`, `resume`, `remembered`, `expired`, `timeout` … */
  readonly via: string;
  /** The reason that the person gave. */
  readonly reason?: string | undefined;
  /** The answer to `ctx.ask`. */
  readonly value?: unknown;
  /** Arguments that the person changed, before and after. */
  readonly changes?: readonly ChangedValue[] | undefined;
}

/** One finished call, as `RunOutput.toolCalls` lists it. */
export interface ToolCallResult<Name extends string = string, Input = unknown, Output = unknown> {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Name of the tool. */
  readonly toolName: Name;
  /**
   * Validated input, or the raw arguments if they did not validate: the type is known after `toolName` and `isError` are
   * compared.
   */
  readonly input: Input;
  /** The tool's result, if it did not fail. */
  readonly output?: Output | undefined;
  /** The error, if the call failed. */
  readonly error?: ToolFailure | undefined;
  /** True if the call failed or was rejected. */
  readonly isError: boolean;
  /** Execution time in milliseconds. */
  readonly durationMs: number;
  /** An earlier result of the same idempotency key was returned; nothing ran. */
  readonly deduplicated?: boolean | undefined;
  /** A cached result was returned; nothing ran. */
  readonly cached?: boolean | undefined;
  /** A hook skipped the call and provided this result. */
  readonly simulated?: boolean | undefined;
  /** `ToolReturn.details`. */
  readonly details?: unknown;
  /** Decisions of people about the call, in order. */
  readonly decisions?: readonly CallDecision[] | undefined;
}
