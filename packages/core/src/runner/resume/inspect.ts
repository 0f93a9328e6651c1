import type { JournalEvent, JournalEventOf } from "../../contracts/journal-event.ts";
import type { Interruption } from "../../contracts/interruption.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import { uncertainCalls } from "../../journal/uncertain-calls.ts";
import type { AgentDefinition } from "../active-run.ts";
import { loadRun } from "../start/load-run.ts";
import { shownEvents } from "./shown-events.ts";
import { openInterruptions, storedOutput } from "../end/suspended-output.ts";

/** Everything that is known about a run. */
export interface RunInspection {
  /** As the store sees it. */
  readonly run: StoredRun;
  /** The journal, in order. Each record was made once; what it tells of may have been executed more than once. */
  readonly events: readonly JournalEvent[];
  /** The output as far as the run has come. */
  readonly output: RunOutput;
  /** What it waits for. */
  readonly interruptions: readonly Interruption[];
  /** Writers that have an intent and no outcome: whether they took effect is not recorded. */
  readonly uncertainCalls: readonly { readonly toolCallId: string; readonly toolName: string }[];
  /** Where a label was lowered, and on whose word: by validators of tools, and by people's approvals. */
  readonly lowerings: readonly JournalEventOf<"flow.lowered">[];
}

/**
 * Looks at a run without driving it.
 *
 * @throws RunNotFoundError when the store does not have it.
 */
export async function inspectRun(definition: AgentDefinition, runId: string): Promise<RunInspection> {
  const { run, events, state } = await loadRun(definition, runId);
  return {
    run,
    events: await shownEvents(definition, events),
    output: storedOutput(state),
    interruptions: openInterruptions(state),
    uncertainCalls: uncertainCalls(state, state.seq),
    lowerings: events.filter((event) => event.type === "flow.lowered"),
  };
}
