import type { Decision } from "../contracts/interruption.ts";
import type { Lease } from "../contracts/ports/run-store.ts";
import type { RunRecord, StoredRun } from "../contracts/ports/stored-run.ts";
import type { RunInput, RunOptions } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { checkTokenHandlers } from "../events/token-handlers.ts";
import { checkSandbox } from "../registry/sandbox-of.ts";
import { isBusy, RunBusyError, RunError } from "../errors/run-errors.ts";
import type { RunState } from "../journal/run-state.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import { openJournal, type OpenedJournal } from "../journal/open-journal.ts";
import { checkTimedApproval } from "./settings/join-approval.ts";
import type { AgentShared } from "./start/agent-shared.ts";
import { finishFork } from "./resume/fork.ts";
import { sendSignal } from "./inbox/signals.ts";
import { toError } from "../user-code/call-user-code.ts";
import { checkExtensionNames, checkExtensions } from "./settings/extension-options.ts";
import { checkSettings, checkOptionNames } from "./settings/check-settings.ts";
import { callerOf, outerLease } from "./caller/caller.ts";
import { loopShare } from "./limits/loop-share.ts";
import { driveRun, type Entry } from "./drive-run.ts";
import { asFound, giveBackFailed, leaveAsFound } from "./give-back-run.ts";
import { watchHandOver } from "./hand-over.ts";
import { loadRun, protectionOf, type LoadedRun } from "./start/load-run.ts";
import { whenSessionFree } from "./start/session-queue.ts";
import { createLiveRun } from "./start/live-run.ts";
import type { LiveRun } from "./run.ts";
import { giveBackTaken, takeUp, type Purpose } from "./take-up-run.ts";
import { checkRunInput } from "./start/run-input.ts";
import { keptInput } from "./start/stored-input.ts";
import { runSettings } from "./settings/run-settings.ts";
import { storedOutput } from "./end/suspended-output.ts";

/**
 * Starts a new run, or finds the one that its idempotency key names, and drives it.
 *
 * @throws ConfigurationError `INVALID_INPUT`, `INVALID_OPTION`, `UNKNOWN_OPTION` before anything is stored.
 * @throws RunBusyError when the run of the idempotency key is driven elsewhere.
 */
export async function openNewRun(
  shared: AgentShared,
  live: LiveRun,
  input: RunInput,
  options: RunOptions,
): Promise<RunOutput> {
  const { definition } = shared;
  const settings = checkedSettings(shared, options);
  checkRunInput(input);
  const sessionId = options.sessionId ?? definition.ids.next("session");
  const owner = { tenantId: options.tenantId, userId: options.userId ?? settings.userId };
  const leave =
    settings.session === undefined
      ? undefined
      : await shared.sessions.enter({ sessionId, ...owner }, settings.concurrentRuns ?? "queue", live.control.signal);
  try {
    await loopShare("begin");
    const record: RunRecord = {
      id: live.runId,
      agentId: definition.name,
      definitionHash: definition.definitionHash,
      sessionId,
      ...owner,
      parent:
        options.parent === undefined
          ? undefined
          : { runId: options.parent.runId, toolCallId: options.parent.toolCallId },
      input: await keptInput(definition, live.runId, input),
      deadlineAt: settings.deadlineAt,
      idempotencyKey: options.idempotencyKey,
      inSession: settings.session !== undefined && options.parent === undefined,
    };
    const under = await outerLease(definition.store, options.parent);
    const holder = { owner: shared.owner, ttlMs: shared.keeper.leaseMs, under };
    const waiting = { clock: shared.clock, mode: settings.concurrentRuns, signal: live.control.signal };
    const { run, created, lease } = await whenSessionFree(waiting, () => definition.store.create(record, holder));
    if (!created) {
      live.runId = run.id;
      return await findEarlier(shared, live, run, options);
    }
    // A store that does not know holders is asked for the lease when the run is there.
    const held = lease ?? (await definition.store.acquire(run.id, shared.owner, shared.keeper.leaseMs, under));
    if (held === null) throw new RunBusyError(run.id);
    const opened = await openJournal({
      ...protectionOf(definition),
      store: definition.store,
      lease: held,
      clock: shared.clock,
      secrets: definition.secrets,
    });
    return await driveAndSettle(shared, live, { settings, options, opened, input, sessionId });
  } finally {
    leave?.();
  }
}

/** State of the run that already has the idempotency key. */
async function findEarlier(
  shared: AgentShared,
  live: LiveRun,
  run: StoredRun,
  options: RunOptions,
): Promise<RunOutput> {
  const found = await loadRun(shared.definition, run.id);
  if (found.run.state === "stuck") throw isStuck(run.id);
  if (rests(found.run)) return storedOutput(found.state);
  return openStoredRun(shared, live, [], options, { foundAt: found.run.epoch });
}

const rests = ({ state }: StoredRun): boolean => state !== "running" && state !== "queued";

function isStuck(runId: string): RunError {
  return new RunError(
    "RUN_STUCK",
    `Run "${runId}" has this idempotency key and is stuck: it ended its process too often. Inspect it, then retry it with retryRun() of @bailiwick/worker, or discard it.`,
    { runId },
  );
}
/** Looks again after another process was faster, at this interval. */
const mostLooks = 10;

/**
 * Takes the lease of a stored run. A decision that was made from a look at the run is valid only if the run is
 * unchanged when its lease is there: if another process drove it between the two, the lease is released and the run
 * is read again.
 *
 * @throws RunNotFoundError, RunBusyError, DecisionError, ToolMissingError, ConfigurationError `DEPENDENCIES_MISSING`
 * @throws RunError `RUN_HAS_PARENT` for a run inside a call of a run that has not ended.
 * @throws JournalUnavailableError while this process holds the run and its store cannot be written.
 */
export async function openStoredRun(
  shared: AgentShared,
  live: LiveRun,
  decisions: readonly Decision[],
  options: RunOptions,
  purpose: Purpose = {},
): Promise<RunOutput> {
  const settings = checkedSettings(shared, options);
  let given = decisions;
  for (let look = 1; look <= mostLooks; look += 1) {
    const taken = await takeUp(shared, live, { settings, options, decisions: given, purpose });
    if ("output" in taken) return taken.output;
    if ("again" in taken) {
      given = taken.again;
      continue;
    }
    const { before, lease } = taken;
    const opened = await openUnder(shared, before, lease);
    const { sessionId } = before.run;
    // A run that was enqueued, or whose process died before its first record, begins now.
    const isNew = opened.journal.state.start === undefined;
    const input = isNew ? (before.run.input as RunInput) : undefined;
    const entry = { settings, options: { ...options, ...(isNew && before.queued) }, opened, input, sessionId, before };
    const forget = watchHandOver(live, purpose.handOver ?? {});
    return driveAndSettle(shared, live, { ...entry, decisions: given, cancel: purpose.cancel }).finally(forget);
  }
  throw new RunBusyError(live.runId);
}

/** Opens the journal of a stored run; a fork gets the records that it begins with, where its process died before that. */
async function openUnder(shared: AgentShared, before: LoadedRun, lease: Lease): Promise<OpenedJournal> {
  const { fork, state } = before;
  const { definition, clock } = shared;
  const { store, secrets } = definition;
  const unfinished = fork !== undefined && lease.head.seq === 0;
  try {
    const held = unfinished ? await finishFork(definition, lease, fork) : lease;
    return await openJournal({ ...protectionOf(definition), store, lease: held, clock, secrets });
  } catch (thrown) {
    await store.release(lease, asFound(before, state)).catch(() => undefined);
    throw thrown;
  }
}

async function driveAndSettle(shared: AgentShared, live: LiveRun, entry: Entry): Promise<RunOutput> {
  const { journal } = entry.opened;
  const { seq } = journal.state;
  shared.live.set(live.runId, live);
  try {
    const { output, error } = await driveRun(shared, live, entry);
    if (error !== undefined) throw error;
    return output;
  } catch (thrown) {
    if (journal.state.seq === seq) await leaveAsFound(shared.definition.store, entry);
    throw thrown;
  } finally {
    await giveBackFailed(shared, journal);
    // After a lease that was lost, this process may drive the run again already.
    if (shared.live.get(live.runId) === live) shared.live.delete(live.runId);
    await handOn(shared, live, journal, entry.cancel === true);
  }
}

/**
 * Handles signals that arrived after the run's last look: messages wait for the next process that resumes it, a cancel
 * ends it.
 */
async function handOn(
  shared: AgentShared,
  live: LiveRun,
  { state, lease, failure }: JournalWriter,
  wasCancel: boolean,
): Promise<void> {
  const { runId } = live;
  const waits = state.suspended !== undefined && failure === undefined;
  try {
    for (const signal of live.takeWaiting()) {
      // An ended run is not cancelled any more, not even when it is resumed.
      if (signal.name !== "cancel" || waits) await sendSignal(shared.definition, runId, signal);
    }
    // A cancel that failed is thrown to its caller: it would fail again at once.
    if (waits && !wasCancel && (await isCancelled(shared, lease, state))) await endCancelled(shared, runId);
  } catch (thrown) {
    shared.logger.error(`What came at the end of run ${runId} could not be kept.`, { error: toError(thrown) });
  }
}

/** True if a run that is now at rest was asked to stop; `lease` was its last one here. */
async function isCancelled({ definition, owner, keeper }: AgentShared, last: Lease, state: RunState): Promise<boolean> {
  const { store } = definition;
  const run = await store.getRun(last.runId);
  if (run?.state !== "queued" || run.parent !== undefined || run.epoch !== last.epoch) return false;
  if (state.cancelRequested !== undefined) return true;
  const lease = await store.acquire(last.runId, owner, keeper.leaseMs);
  if (lease === null) return false;
  try {
    return (await store.takeSignals(lease)).some(({ name }) => name === "cancel");
  } finally {
    await giveBackTaken(definition, definition.options.session, lease);
  }
}

/** Ends a cancelled run that no process drives. */
export async function endCancelled(shared: AgentShared, runId: string): Promise<void> {
  // The process that drives it takes the signal.
  if ((await shared.definition.store.getRun(runId))?.state === "running") return;
  try {
    await openStoredRun(shared, createLiveRun(runId, shared.logger), [], {}, { cancel: true });
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

function checkedSettings(shared: AgentShared, options: RunOptions): Entry["settings"] {
  const { definition } = shared;
  checkOptionNames("run", options);
  checkSettings(options, `run of agent "${definition.name}"`);
  checkSandbox(options.sandbox, `a run of agent "${definition.name}"`);
  checkExtensions(options.extensions, `a run of agent "${definition.name}"`, true);
  if (options.onToken !== undefined) checkTokenHandlers(options.onToken);
  const demands = callerOf(options.parent)?.demands;
  const settings = runSettings(definition.options, options, demands, definition.role);
  if (settings.extensions !== undefined) checkExtensionNames(settings.extensions, definition.name);
  checkTimedApproval(settings, definition.registry.known.list());
  return settings;
}
