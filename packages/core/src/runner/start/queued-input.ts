import type { KeptOptions } from "../../contracts/kept-options.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import { sealValue } from "../../journal/sealed-record.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { Agent } from "../run.ts";

/** Options with data of the caller that a run keeps. */
export const keptOptions = ["messages", "conversationHistory", "metadata", "extraVars", "clientTools"] as const;

/**
 * Options of a run that are stored with its input: the process that begins the run may be another one. Later ones are in
 * its first record.
 */
export interface QueuedOptions extends Pick<RunOptions, (typeof keptOptions)[number]> {
  /** Options that apply in every process that drives the run. */
  readonly options?: KeptOptions | undefined;
  /** The run was started with dependencies, which are never stored. */
  readonly withDependencies?: boolean | undefined;
  /** The run was started with a model of its caller. */
  readonly withCallerModel?: boolean | undefined;
}

/** The stored input of a run that has such options. */
interface QueuedInput {
  readonly $queued: QueuedOptions;
  readonly input: unknown;
}

/**
 * The input of a run's row, with the options that its first process may leave to another one.
 *
 * @param notes - Notes on values that are not stored.
 */
export function queuedInput(options: RunOptions, input: unknown, notes: QueuedOptions = {}): unknown {
  const given = keptOptions.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const $queued: QueuedOptions = { ...Object.fromEntries(given), ...notes };
  return Object.keys($queued).length === 0 ? input : ({ $queued, input } satisfies QueuedInput);
}

/** Splits the result of `queuedInput`; any other input is returned unchanged. */
export function openQueuedInput(stored: unknown): { readonly input: unknown; readonly queued: QueuedOptions } {
  // A message with a member of this name comes from a caller, and must not bring options.
  if (typeof stored !== "object" || stored === null || !("$queued" in stored) || "role" in stored)
    return { input: stored, queued: {} };
  const { $queued: queued, input } = stored as QueuedInput;
  return { input, queued };
}

/**
 * The input for fields outside the journal: without known secrets, as in its first record, and sealed if there is a
 * key.
 */
export async function keptInput({ secrets, sealer }: Agent, runId: string, input: unknown): Promise<unknown> {
  await secrets?.ready();
  const own = ownCopy(input);
  return sealValue(secrets?.scrub(own) ?? own, sealer, ["input", runId]);
}
