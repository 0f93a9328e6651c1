import type { StoredRun } from "@bailiwick/core";
import type { JsonBody } from "./read-body.ts";

/** The action of a request. */
export type RunAction =
  | "start"
  | "list"
  | "read"
  | "audit"
  | "decide"
  | "cancel"
  | "steer"
  | "fork"
  | "edit"
  | "delete";

/** The action of a request, and the run, session and body that it is about. */
export interface AccessRequest {
  /**
   * `audit` reads the records of a run; `read` is every other way of reading. A `fork` acts again from where it begins.
   * `edit` renames a chat or chooses its branch, and `delete` deletes it; both name a session, and no run.
   */
  readonly action: RunAction;
  /** The run; absent for `start`, `list` and actions on a whole chat, and if there is no such run. */
  readonly run?: StoredRun | undefined;
  /**
   * The session: of the run, or the one that a list or a start names. Absent if none is named, and for a start whose
   * body is read by `toRunInput`.
   */
  readonly session?: { readonly id: string } | undefined;
  /** The parsed body of a POST request, also where a middleware read the stream before. Do not read the request's own. */
  readonly body?: JsonBody | undefined;
}

/** The caller of a request. Tenant and user are the owner that the request claims. */
export interface Caller {
  /**
   * The user: only this user's runs and sessions exist for the caller. Without one, the caller is anonymous and reaches
   * runs without a user by run id or session id. Journaled as the user of the runs they start, and as `decidedBy`.
   */
  readonly userId?: string | undefined;
  /** The tenant: the caller sees only runs of this tenant; without one, only runs without a tenant. */
  readonly tenantId?: string | undefined;
  /** Channel through which a decision came, such as `slack`; journaled. Default `http`. */
  readonly channel?: string | undefined;
}

/**
 * Returns the caller, or `null` to refuse. The caller's tenant and user decide what exists; `authorize` can refuse what an
 * owner may do, and cannot allow what only another owner may do. Use `share` for that. A request waits 30 seconds for it, and
 * no longer than its caller: then it is refused.
 *
 * @param request - The HTTP request, with its headers.
 * @param access - What the request wants to do, and with which chat or run.
 */
export type Authorize = (request: Request, access: AccessRequest) => Caller | null | Promise<Caller | null>;

/**
 * Decides if a caller may act on a run of another user of the tenant.
 *
 * @param caller - The answer of `authorize`.
 * @param run - The run that belongs to another user.
 */
export type ShareRule = (caller: Caller, run: StoredRun) => boolean | Promise<boolean>;

/** Opens runs of other users of the tenant, with a function for each kind of action. */
export interface Share {
  /** Reading the run, its stream, its questions and its records, and finding it in lists, such as for support. */
  readonly read?: ShareRule | undefined;
  /** Deciding its questions, and finding and reading them, such as for a second approver. */
  readonly decide?: ShareRule | undefined;
  /** Steering and cancelling it. */
  readonly continue?: ShareRule | undefined;
  /** Forking it; the fork belongs to the owner of the run. */
  readonly fork?: ShareRule | undefined;
}
