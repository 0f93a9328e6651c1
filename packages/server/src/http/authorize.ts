import type { StoredRun } from "@bailiwick/core";

/** What someone wants to do. */
export type RunAction = "start" | "list" | "read" | "audit" | "decide" | "cancel" | "steer" | "fork";

/** What someone wants, and with which run. */
export interface AccessRequest {
  /** `audit` looks at the records of a run; `read` is all else that only looks. A `fork` acts again from where it begins. */
  readonly action: RunAction;
  /** The run in question; absent for `start` and `list`, and when there is no such run. */
  readonly run?: StoredRun | undefined;
}

/** Who asks. */
export interface Caller {
  /** Journaled as the user of the runs they start, and as `decidedBy` of their decisions. */
  readonly userId?: string | undefined;
  /** Only runs of this tenant exist for them; without one, only runs that have none. */
  readonly tenantId?: string | undefined;
  /** Where they decide; journaled. Default `http`. */
  readonly channel?: string | undefined;
}

/** Decides who asks and whether they may; `null` refuses. */
export type Authorize = (request: Request, access: AccessRequest) => Caller | null | Promise<Caller | null>;

/**
 * Lets everybody do everything, without a name: for an app that only one person can reach.
 *
 * @example
 * ```ts
 * import { anyone, type RunRoutesOptions } from "@bailiwick/server";
 *
 * export const open: Pick<RunRoutesOptions, "authorize"> = { authorize: anyone };
 * ```
 */
export const anyone: Authorize = () => ({});
