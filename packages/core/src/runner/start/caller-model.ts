import type { RunOptions } from "../../contracts/run-options.ts";
import type { QueuedOptions } from "./queued-input.ts";

/** True if the caller of a run gives its own model, which no other one replaces. */
export function hasCallerModel({ model }: RunOptions): boolean {
  return typeof model === "object" && model?.ofCaller === true;
}

/** Notes on values of a caller that are never stored. */
export function notStored(options: RunOptions): QueuedOptions {
  return {
    ...(options.dependencies !== undefined && { withDependencies: true }),
    ...(hasCallerModel(options) && { withCallerModel: true }),
  };
}
