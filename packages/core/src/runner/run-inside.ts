import type { Decision } from "../contracts/interruption.ts";
import type { RunInput, RunOptions } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import type { AgentShared } from "./agent-shared.ts";
import type { Caller } from "./caller.ts";
import { createLeaseKeeper } from "./lease-keeper.ts";
import { createLiveRun } from "./live-run.ts";
import { loadState } from "./load-run.ts";
import { openNewRun, openStoredRun } from "./open-run.ts";
import { openInterruptions, storedOutput } from "./suspended-output.ts";

/** A run inside a tool call of another run. */
export interface InsideRequest {
  readonly caller: Caller;
  readonly input: RunInput;
  readonly options: RunOptions;
}

/**
 * Runs an agent inside a tool call, or goes on with the run that this call began before: after a crash, or with what
 * people decided since.
 */
export async function runInside(own: AgentShared, { caller, input, options }: InsideRequest): Promise<RunOutput> {
  const shared = sharedFor(own, caller);
  const { store } = shared.definition;
  const runId = caller.childRunId();
  const live = createLiveRun(runId, shared.logger);
  const stored = await store.getRun(runId);
  if (stored === undefined) return openNewRun(shared, live, input, options);
  const state = await loadState(shared.definition, runId);
  const ended = state.end !== undefined && state.end.status !== "suspended" && state.end.status !== "error";
  if (ended) return storedOutput(state);
  const open = openInterruptions(state);
  const decisions = caller.childDecisions().flatMap((decision): Decision[] => {
    const asked = open.find(({ id }) => id === decision.id);
    if (asked === undefined) return [];
    // The outer run has checked its own token; the run inside wants the one that it gave.
    const { token: _outer, ...rest } = decision;
    return [asked.token === undefined ? rest : { ...rest, token: asked.token }];
  });
  return openStoredRun(shared, live, decisions, options);
}

/** An agent without a store of its own keeps the run inside where the outer run is kept. */
function sharedFor(own: AgentShared, caller: Caller): AgentShared {
  if (!own.definition.inMemory) return own;
  const { store, ledger, inMemory } = caller;
  return { ...own, definition: { ...own.definition, store, ledger, inMemory }, keeper: createLeaseKeeper(store, own.timers) };
}
