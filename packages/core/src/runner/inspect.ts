import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Interruption } from "../contracts/interruption.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { StoredRun } from "../contracts/ports/run-store.ts";
import { RunNotFoundError } from "../errors/run-errors.ts";
import type { AgentDefinition } from "./active-run.ts";
import { foldChecked } from "./load-run.ts";
import { openInterruptions, storedOutput } from "./suspended-output.ts";

/** Everything that is known about a run. */
export interface RunInspection {
  /** As the store sees it. */
  readonly run: StoredRun;
  /** The journal, in order. */
  readonly events: readonly JournalEvent[];
  /** The output as far as the run has come. */
  readonly output: RunOutput;
  /** What it waits for. */
  readonly interruptions: readonly Interruption[];
  /** Writers that have an intent and no outcome: whether they took effect is not recorded. */
  readonly uncertainCalls: readonly { readonly toolCallId: string; readonly toolName: string }[];
}

/**
 * Looks at a run without driving it.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function inspectRun(definition: AgentDefinition, runId: string): Promise<RunInspection> {
  const { store } = definition;
  const run = await store.getRun(runId);
  if (run === undefined) throw new RunNotFoundError(runId, store.name);
  const events = await store.load(runId);
  const state = foldChecked(runId, events);
  return {
    run,
    events,
    output: storedOutput(state),
    interruptions: openInterruptions(state),
    uncertainCalls: [...state.calls.values()]
      .filter(({ intent, outcome, result }) => intent !== undefined && outcome === undefined && result === undefined)
      .map(({ toolCallId, toolName }) => ({ toolCallId, toolName })),
  };
}
