import type { Decision } from "../../contracts/interruption.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import type { AgentShared } from "../agent/agent-shared.ts";
import type { Caller } from "./caller.ts";
import type { InsideRequest } from "./inside-request.ts";
import { inheritedSecrets } from "./inherited-secrets.ts";
import { createLeaseKeeper } from "../resume/lease-keeper.ts";
import { createLiveRun, type LiveRun } from "../start/live-run.ts";
import { NestedSuspension } from "./nested-suspension.ts";
import { loadState } from "../start/load-run.ts";
import { openNewRun, openStoredRun } from "../start/open-run.ts";
import { openInterruptions, storedOutput } from "../end/suspended-output.ts";

/**
 * Runs an agent inside a tool call, or goes on with the run that this call began before: after a crash, or with what
 * people decided since.
 */
export async function runInside(
  own: AgentShared,
  { caller, input, options }: InsideRequest,
  live: LiveRun = liveInside(own, caller),
): Promise<RunOutput> {
  const shared = sharedFor(own, caller);
  const { store } = shared.definition;
  const { runId } = live;
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

/** The live run for the next run inside a call. */
export function liveInside({ logger }: AgentShared, caller: Caller): LiveRun {
  return createLiveRun(caller.childRunId(), logger);
}

/** Like `runInside`, for a tool that starts a run by itself: a suspension leaves the tool. */
export async function runInsideTool(own: AgentShared, request: InsideRequest, live: LiveRun): Promise<RunOutput> {
  const output = await runInside(own, request, live);
  if (output.status === "suspended") throw new NestedSuspension(output);
  return output;
}

/**
 * What a run inside shares with the run around it: known secrets of both are scrubbed, and an agent without a store of
 * its own keeps the run where the outer run is kept, sealed with the same key unless it has its own.
 */
function sharedFor(own: AgentShared, caller: Caller): AgentShared {
  const secrets = inheritedSecrets(own.definition.secrets, caller.secrets);
  if (!own.definition.inMemory)
    return secrets === own.definition.secrets ? own : { ...own, definition: { ...own.definition, secrets } };
  const { store, ledger, inMemory } = caller;
  const sealer = own.definition.sealer ?? caller.sealer;
  return {
    ...own,
    definition: { ...own.definition, store, ledger, inMemory, secrets, sealer },
    keeper: createLeaseKeeper(store, own.timers, own.keeper.leaseMs),
  };
}
