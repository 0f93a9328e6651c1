import type { Grant, Mandate } from "./flow-options.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Reason why a run may stop for a person, or why a tool is treated in some way. */
export type PreflightReason =
  /** No grant covers the calls of a writer. */
  | "no_grant"
  /** A grant fixes some arguments of a call, but not this one. */
  | "open_argument"
  /** The value is read from data that outsiders can write. */
  | "undeclared_data"
  /** A grant does not name the private results that a call may carry. */
  | "private_data"
  /** The tool, or the agent's `approval`, asks for an approval even if a grant covers the call. */
  | "needs_approval"
  /** The tool declares no effect. */
  | "undeclared_tool"
  /** The planner's model gave no answer. */
  | "planner_failed";

/** One point to settle before a task can run without a person. */
export interface PreflightFinding {
  /** Kind of the finding, for code that handles findings. */
  readonly reason: PreflightReason;
  /** The tool; `undefined` for a finding about the planner. */
  readonly tool?: string | undefined;
  /** The argument that no grant fixes. */
  readonly path?: string | undefined;
  /** Explanation for people, with what to do. */
  readonly sentence: string;
  /** Code to fill in and copy: a grant, an argument of a grant, or a declaration of the tool. */
  readonly code?: string | undefined;
}

/** Questions that a task may ask a person, found without running it. */
export interface Preflight {
  /** Mandates of the input, at least one for each gated tool, as the planner reads them. */
  readonly mandates: readonly Mandate[];
  /** Grants that the planner proposes for the input. */
  readonly grants: readonly Grant[];
  /** Names of the writers that no grant covers. */
  readonly ungranted: readonly string[];
  /** Everything to settle, by tool; empty when nothing is open. */
  readonly findings: readonly PreflightFinding[];
  /** The proposed grants as code: `grants: […]` for the options of a run. */
  readonly code: string;
  /** Tokens that the planner used. */
  readonly usage: TokenUsage;
}

/** Options of a preflight. */
export interface PreflightOptions {
  /** Grants that the run will get. Default: only the agent's. */
  readonly grants?: readonly Grant[] | undefined;
  /** Instructions of the run. Required if the agent's are a function. Default: the agent's. */
  readonly instructions?: string | undefined;
  /** Cancels the planner's model call. */
  readonly signal?: AbortSignal | undefined;
}
