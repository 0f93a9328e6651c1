import { endsTurn } from "../../journal/session-join.ts";
import { isWaiting } from "../../contracts/stop-reason.ts";
import type { Decision } from "../../contracts/interruption.ts";
import type { JournalEvent } from "../../contracts/journal-event.ts";
import type { Integrity, Label } from "../../contracts/label.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import type { StoredRun } from "../../contracts/ports/stored-run.ts";
import type { RunOutput } from "../../contracts/run-output.ts";
import { isStoreAway } from "../../errors/host-errors.ts";
import { isBusy } from "../../errors/run-errors.ts";
import type { RunOptions } from "../../contracts/run-options.ts";
import type { RunState } from "../../journal/run-state.ts";
import { outerLease, type InsideRequest } from "../caller/caller.ts";
import { forRun } from "../host/for-run.ts";
import { forkInside } from "../resume/fork.ts";
import { createLiveRun } from "../start/live-run.ts";
import type { Agent, LiveRun } from "../run.ts";
import { NestedSuspensionError } from "../tool-call/record-outcome.ts";
import { loadRun, openInterruptions, releaseOf, storedOutput } from "../start/load-run.ts";
import { flowOptionsOf } from "../start/flow-run.ts";
import { sharedFor } from "../start/load-inside.ts";
import { readOptions } from "../settings/check-settings.ts";
import { runSettings } from "../settings/run-settings.ts";
import { openNewRun, openStoredRun } from "../open-run.ts";
import { handBack } from "../end/end-run.ts";
import { joinLate } from "../end/join-session.ts";
import { pauseUnless } from "../limits/timeouts.ts";

/**
 * Runs an agent inside a tool call, or continues the run that this call began earlier: after a crash, or with
 * people's decisions.
 */
export async function runInside(
  own: Agent,
  request: InsideRequest,
  live: LiveRun = createLiveRun(request.caller.childRunId(), own.logger),
): Promise<RunOutput> {
  const { caller, options } = request;
  const { fakes = options.fakes } = caller;
  const ended = caller.enter(live);
  try {
    const output = await openInside(
      own,
      fakes === options.fakes ? request : { ...request, options: { ...options, fakes } },
      live,
    );
    ended(output);
    return output;
  } catch (error) {
    if (isStoreAway(error)) request.caller.giveBack(error);
    ended((error as { readonly output?: Partial<RunOutput> }).output);
    throw error;
  }
}

async function openInside(own: Agent, { caller, input, options }: InsideRequest, live: LiveRun): Promise<RunOutput> {
  const shared = sharedFor(own, caller);
  const settings = readOptions(options, `run of agent "${own.name}"`, () =>
    runSettings(shared.options, options, caller.demands, shared.role),
  );
  const { agent } = forRun(shared, live, settings, options);
  const { store } = agent;
  const { runId } = live;
  const stored = await store.getRun(runId);
  if (stored === undefined) {
    const origin = caller.childOrigin(runId);
    if (origin !== undefined && (await forkInside(agent, runId, origin, options.parent)))
      return openInside(own, { caller, input, options }, live);
    // Commits the call to the outer run first: after a crash its model could answer differently, and the effects of the
    // inner run would be forgotten, or repeated in another call.
    await caller.commit();
    return openNewRun(agent, live, input, options);
  }
  const { state, events } = await loadRun(agent, runId);
  caller.countStored(runId, state);
  const ended = state.end !== undefined && endsTurn(state.end.status);
  if (ended) {
    // Its process died before it released the run; its lease ended together with the outer run's.
    if (stored.state === "running" || stored.state === "queued")
      await giveBackEnded(agent, stored, state, options, settings.session);
    // Without a flow policy, records have default labels, which do not depend on what the run has read.
    const label = flowOptionsOf({ agent, settings }) === undefined ? undefined : labelAtEnd(events);
    return handBack(storedOutput(state), state, label, caller);
  }
  const open = openInterruptions(state);
  const decisions = caller.childDecisions().flatMap((decision): Decision[] => {
    const asked = open.find(({ id }) => id === decision.id);
    if (asked === undefined) return [];
    // The outer run has checked its own token; the inner run needs the token that it issued.
    const { token: _outer, ...rest } = decision;
    return [asked.token === undefined ? rest : { ...rest, token: asked.token }];
  });
  // Commits the decisions to the outer run before the inner run acts on them: a crash must not lose them.
  if (decisions.length > 0) await caller.commit();
  for (;;) {
    try {
      return await openStoredRun(agent, live, decisions, options);
    } catch (error) {
      // The inner run's process died with the outer run's, and its lease has not expired yet.
      if (!isBusy(error) || error.runId !== runId || options.signal?.aborted === true) throw error;
      await partOfLease(agent, options.signal);
    }
  }
}

/** Waits for a tenth of a lease's duration, at most a second, or until the signal arrives. */
function partOfLease({ clock, keeper }: Agent, signal: AbortSignal | undefined): Promise<void> {
  return pauseUnless(clock, Math.min(1_000, keeper.leaseMs / 10), (wake) => {
    signal?.addEventListener("abort", wake, { once: true });
    return () => signal?.removeEventListener("abort", wake);
  });
}

/** The label of everything that an ended run has read: its last record has it. */
function labelAtEnd(events: readonly JournalEvent[]): Label | undefined {
  const id = events.findLast(({ type }) => type === "run.end")?.label;
  if (id === undefined) return undefined;
  // A label that every run knows has its integrity as its id, and no node.
  const known: Label = { id, integrity: id as Integrity, readers: "public", parents: [], origin: { kind: "join" } };
  return events.flatMap(({ labels = [] }) => labels).find((label) => label.id === id) ?? known;
}

/** Returns the lease of an inner run whose process recorded its end and then died: no other process resumes this run. */
async function giveBackEnded(
  agent: Agent,
  run: StoredRun,
  state: RunState,
  { parent }: Pick<RunOptions, "parent">,
  session: SessionStore | undefined,
): Promise<void> {
  const { store, owner, keeper } = agent;
  const lease = await store.acquire(run.id, owner, keeper.leaseMs, await outerLease(store, parent));
  if (lease === null) return;
  await joinLate(agent, session, { run, state });
  await agent.store.release(lease, releaseOf(state));
}

/** Like `runInside`, for a tool that starts a run itself: a suspension is thrown through the tool. */
export async function runInsideTool(own: Agent, request: InsideRequest, live: LiveRun): Promise<RunOutput> {
  const output = await runInside(own, request, live);
  if (isWaiting(output.status)) throw new NestedSuspensionError(output);
  return output;
}
