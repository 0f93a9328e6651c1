import type { Decision, Interruption, Owner, RunHandle, RunInput, RunInspection, RunOptions } from "@bailiwick/core";

/** The parts of an agent that are served; any `Agent` fits. */
export interface ServedAgent {
  /** Name of the agent; its tool is `ask_<name>`. */
  readonly name: string;
  /** Description of its tool. */
  readonly description?: string | undefined;
  /**
   * Starts a run.
   *
   * @param input - A text, parts, or a user message.
   * @param options - Settings of this run.
   */
  stream(input: RunInput, options?: RunOptions): RunHandle;
  /**
   * Resumes a run.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   * @param options - Settings of the rest of the run.
   */
  resumeStream(runId: string, decisions?: readonly Decision[], options?: RunOptions): RunHandle;
  /**
   * Lists the open questions of a run.
   *
   * @param runId - Id of the run.
   */
  interruptions(runId: string): Promise<readonly Interruption[]>;
  /**
   * Reads a run with its journal.
   *
   * @param runId - Id of the run.
   */
  inspect(runId: string): Promise<RunInspection>;
  /**
   * Delivers decisions; returns how many were new.
   *
   * @param runId - Id of the run.
   * @param decisions - Decisions about its open questions.
   * @param owner - Tenant and user who may own the run.
   */
  decide(runId: string, decisions: readonly Decision[], owner?: Owner): Promise<number>;
  /**
   * Cancels a run.
   *
   * @param runId - Id of the run.
   * @param reason - Text for the journal.
   */
  cancel(runId: string, reason?: string): Promise<void>;
}

/** The user for whom a client calls. */
export interface McpCaller {
  /** The tenant that owns the data: part of every key of sessions, kept results and runs. */
  readonly tenantId?: string | undefined;
  /** Journaled as the user of the runs, and as who decided. */
  readonly userId?: string | undefined;
}
