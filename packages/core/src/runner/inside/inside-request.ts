import type { RunInput } from "../../contracts/run-options.ts";
import type { RunnableOptions } from "../../contracts/runnable.ts";
import type { Caller } from "../caller/caller.ts";

/** A run inside a tool call of another run. */
export interface InsideRequest {
  readonly caller: Caller;
  readonly input: RunInput;
  readonly options: RunnableOptions;
}
