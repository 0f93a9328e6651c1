import type { RunOptions } from "../../contracts/run-options.ts";
import { sealValue } from "../../journal/sealed-record.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { Agent } from "../run.ts";

/** Options of an enqueued run, stored with its input. */
export type QueuedOptions = Pick<RunOptions, "metadata" | "messages">;

/** The input of an enqueued run, as it is stored. */
interface QueuedInput {
  readonly $queued: QueuedOptions;
  readonly input: unknown;
}

/** The input of a run's row, with the options that its first process needs. */
export function queuedInput({ metadata, messages }: QueuedOptions, input: unknown): unknown {
  if (metadata === undefined && messages === undefined) return input;
  const $queued = { ...(metadata !== undefined && { metadata }), ...(messages !== undefined && { messages }) };
  return { $queued, input } satisfies QueuedInput;
}

/** Splits the result of `queuedInput`; any other input is returned unchanged. */
export function openQueuedInput(stored: unknown): { readonly input: unknown; readonly queued: QueuedOptions } {
  // A message with a member of that name was sent by a caller: it must not bring options.
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
