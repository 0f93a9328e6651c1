import type { StopReason } from "../stop-reason.ts";
import type { StoredRun, StoredRunState } from "./stored-run.ts";

/** Search for runs. A run inside a tool call is only found through `insideRunId`. */
export interface RunSearch {
  /** Limits the search to this tenant; by default, to runs without a tenant. */
  readonly tenantId?: string | undefined;
  /** Searches every tenant, for an operator. Leave out `tenantId` then. */
  readonly allTenants?: boolean | undefined;
  /** Default: every user. */
  readonly userId?: string | undefined;
  /** Limits the search to runs of the agent of this name. Default: every agent. */
  readonly agentId?: string | undefined;
  /** Limits the search to runs of this session. Default: every session. */
  readonly sessionId?: string | undefined;
  /** Limits the search to runs in one of these states. Default: every state. */
  readonly states?: readonly StoredRunState[] | undefined;
  /** Limits the search to runs that called this tool. */
  readonly tool?: string | undefined;
  /**
   * Words that must all occur in the first 4,000 characters of the input or of the answer, in any case. Sealed text and
   * the messages between input and answer are not searched.
   */
  readonly text?: string | undefined;
  /** Lowest cost of a run, in US dollars. */
  readonly leastCostUsd?: number | undefined;
  /** Earliest creation time of a run, in milliseconds since the epoch. */
  readonly createdFrom?: number | undefined;
  /** Time before which a run was created, in milliseconds since the epoch. */
  readonly createdBefore?: number | undefined;
  /** Limits the search to runs inside the tool calls of this run. */
  readonly insideRunId?: string | undefined;
  /** Runs of a page; default 50. */
  readonly limit?: number | undefined;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

/** Facts that a store counts while a run is recorded, so that no search reads a journal. */
export interface RunFacts {
  /** Cost in US dollars of the calls whose price is known; absent if no price is known, and in sealed journals. */
  readonly costUsd?: number | undefined;
  /** Input and output tokens of the run's model calls. */
  readonly tokens: number;
  /** Number of model calls. */
  readonly modelCalls: number;
  /** Number of tool calls. */
  readonly toolCalls: number;
  /** Names of the tools that were called, in order of their first call. */
  readonly tools: readonly string[];
  /** The reason why the run ended; absent until then. */
  readonly stopReason?: StopReason | undefined;
}

/** A run that was found. */
export interface FoundRun {
  /** The run as the store lists it, without its journal. */
  readonly run: StoredRun;
  /** Cost, tokens and tools of the run. */
  readonly facts: RunFacts;
}

/** One page of a search, newest run first. */
export interface FoundRuns {
  /** The runs of this page, the newest first. */
  readonly runs: readonly FoundRun[];
  /** `after` of the next page; absent on the last one. */
  readonly next?: string | undefined;
}

/** Number of runs in each state; runs inside tool calls are not counted. */
export type RunCounts = Readonly<Partial<Record<StoredRunState, number>>>;
