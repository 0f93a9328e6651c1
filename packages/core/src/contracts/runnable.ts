import type { RunHandle } from "./run-handle.ts";
import type { RunInput, RunOptions } from "./run-options.ts";
import type { RunOutput } from "./run-output.ts";

/** Anything that can be run: an agent, or a composition of runnables. */
export interface Runnable {
  readonly name: string;
  readonly description?: string | undefined;
  run(input: RunInput, options?: RunOptions): Promise<RunOutput>;
  stream(input: RunInput, options?: RunOptions): RunHandle;
}
