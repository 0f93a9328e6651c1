import type { ChatMessage, Message } from "./message.ts";
import type { RunHandle } from "./run-handle.ts";
import type { InheritedRunOptions, RunInput } from "./run-options.ts";
import type { RunOutput } from "./run-output.ts";
import type { WireChatMessage } from "./wire-chat-message.ts";

/** Options of every runnable: those that an outer run passes to an inner one, and earlier messages. */
export interface RunnableOptions extends InheritedRunOptions {
  /** Earlier messages of the conversation, before the input. Default: none. */
  readonly messages?: readonly (Message | ChatMessage | WireChatMessage)[] | undefined;
  /** Session whose messages are loaded before the run and appended after it. Default: none. */
  readonly sessionId?: string | undefined;
}

/** Anything that can be run: an agent, or a composition of runnables. */
export interface Runnable {
  /** Name in events, errors and the journal. */
  readonly name: string;
  /** Description for models that may call it. */
  readonly description?: string | undefined;
  /**
   * Runs to its end and returns the output.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of this run, such as `signal`, `userId` and `sessionId`.
   */
  run(input: RunInput, options?: RunnableOptions): Promise<RunOutput>;
  /**
   * Runs and returns the events while it executes.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of this run, such as `signal`, `userId` and `sessionId`.
   */
  stream(input: RunInput, options?: RunnableOptions): RunHandle;
}
