import type { RunEvent } from "./run-event.ts";

/**
 * Handlers of a run's events: one function for all of them, or an object with a handler per event. They are never
 * awaited; an error in one is reported once and changes nothing. The names are `on` + PascalCase of the event, plus some
 * that other frameworks use; the page of events lists them.
 */
export type TokenHandlers = ((agentName: string, event: TokenEvent) => void) | TokenHandlerObject;

/** A run event under its PascalCase name, with the original event as `event`. */
export interface TokenEvent {
  /** Such as `text_delta`, `tool_execution_start`, or the run event's own name. */
  readonly type: string;
  /** The run event that this one was made from. */
  readonly event: RunEvent;
  /** Text of `text_delta` and `reasoning`. */
  readonly content?: string | undefined;
  /** Id of the tool call, in events of tools. */
  readonly toolCallId?: string | undefined;
  /** Name of the tool, in events of tools. */
  readonly toolName?: string | undefined;
  /** Arguments of the call, at its start. */
  readonly args?: unknown;
  /** Result of the call, at its end. */
  readonly result?: unknown;
  /** The error, in events of failures. */
  readonly error?: unknown;
  /** The child's event, for `tool_execution_stream`. */
  readonly nestedEvent?: TokenEvent | undefined;
  /** The reason, such as that of a rejected call. */
  readonly reason?: string | undefined;
}

type Handler = (agentName: string, event: TokenEvent) => void;

/** One optional handler per event. */
export interface TokenHandlerObject {
  /** A piece of the answer's text. */
  readonly onTextDelta?: Handler | undefined;
  /** A piece of the model's reasoning. */
  readonly onReasoning?: Handler | undefined;
  /** The model begins to write a tool call. */
  readonly onToolCallStart?: Handler | undefined;
  /** A piece of the call's arguments. */
  readonly onToolCallDelta?: Handler | undefined;
  /** The call's arguments are complete. */
  readonly onToolCallEnd?: Handler | undefined;
  /** A tool begins to run. */
  readonly onToolExecutionStart?: Handler | undefined;
  /** A tool has returned. */
  readonly onToolExecutionOutput?: Handler | undefined;
  /** A piece of output that a tool streams. */
  readonly onToolExecutionStream?: Handler | undefined;
  /** The structured answer so far. */
  readonly onStructuredDelta?: Handler | undefined;
  /** The run has ended. */
  readonly onDone?: Handler | undefined;
  /** The run has failed. */
  readonly onError?: Handler | undefined;
  /** Any other event by its PascalCase name, such as `onRunStart` or `onToolApprovalRequested`. */
  readonly [name: `on${string}`]: Handler | undefined;
}
