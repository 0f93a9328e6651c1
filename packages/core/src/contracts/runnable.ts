import type { ChatMessage, Message } from "./message.ts";
import type { RunHandle } from "./run-handle.ts";
import type { InheritedRunOptions, RunInput } from "./run-options.ts";
import type { RunOutput } from "./run-output.ts";

/** Options of every runnable: those that an outer run passes to an inner one, and earlier messages. */
export interface RunnableOptions extends InheritedRunOptions {
  readonly messages?: readonly (Message | ChatMessage)[] | undefined;
  readonly sessionId?: string | undefined;
}

/** Anything that can be run: an agent, or a composition of runnables. */
export interface Runnable {
  readonly name: string;
  readonly description?: string | undefined;
  run(input: RunInput, options?: RunnableOptions): Promise<RunOutput>;
  stream(input: RunInput, options?: RunnableOptions): RunHandle;
}
