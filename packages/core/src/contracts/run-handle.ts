import type { RunEvent } from "./run-event.ts";
import type { RunOutput } from "./run-output.ts";
import type { RunInput } from "./run-options.ts";
import type { Tool } from "./tool.ts";

/** A run in progress: iterate it for events, await `result` for the output. */
export type RunHandle<Tools extends readonly Tool[] = readonly Tool[], Structured = unknown> = RunHandleOf<
  RunOutput<Tools, Structured>
>;

/**
 * The place of a message that a run has accepted. It is never lost: a run that ends before it has read the message adds
 * it to its session and to `messages` of its output, and reads it if it is resumed.
 */
export interface KeptMessage {
  /**
   * `run`: the run reads the message. `session`: the run is being stopped and reads no more, so the next run of the
   * session reads it.
   */
  readonly kept: "run" | "session";
}

/** `RunHandle` by the output it resolves to. */
export interface RunHandleOf<out Output> extends AsyncIterable<RunEvent> {
  /** Id of the run. */
  readonly runId: string;
  /** The same output that `run()` resolves to; rejects with the same errors. Never an unhandled rejection. */
  readonly result: Promise<Output>;
  /**
   * Inserts a message after the current results. Throws RunError `RUN_OVER` once the run has ended here.
   *
   * @param message - A text, parts, or a user message.
   */
  steer(message: RunInput): KeptMessage;
  /**
   * Continues with a message after the answer. Throws RunError `RUN_OVER` once the run has ended here.
   *
   * @param message - A text, parts, or a user message.
   */
  followUp(message: RunInput): KeptMessage;
  /**
   * Cancels the run; it keeps its partial messages and usage.
   *
   * @param reason - Text for the journal; default: none.
   */
  abort(reason?: string): void;
  /** The events as a web stream. */
  toReadableStream(): ReadableStream<RunEvent>;
}
