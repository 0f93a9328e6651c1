/**
 * Runs of agents driven by Restate.
 *
 * @module
 */
export { restateRuns } from "./restate-runs.ts";
export type { RestateRuns } from "./restate-runs.ts";
export type { RestateAgent, RestateOptions } from "./options.ts";
export type { DriveRequest, Driven } from "./drive-slice.ts";
