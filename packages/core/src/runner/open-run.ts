import type { Decision } from "../contracts/interruption.ts";
import type { KeptOptions } from "../contracts/kept-options.ts";
import type { Lease, ClaimedRun } from "../contracts/ports/run-store.ts";
import type { StoredRun } from "../contracts/ports/stored-run.ts";
import type { RunInput, RunOptions } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { checkTokenHandlers } from "../events/token-handlers.ts";
import { checkSandbox } from "../registry/sandbox-of.ts";
import { ConfigurationError } from "../errors/configuration-errors.ts";
import { DecisionError, isBusy, RunBusyError, RunError } from "../errors/run-errors.ts";
import { forRun } from "./host/for-run.ts";
import type { RunState } from "../journal/run-state.ts";
import type { JournalWriter } from "../journal/journal-writer.ts";
import { openJournal, type OpenedJournal } from "../journal/open-journal.ts";
import { checkTimedApproval } from "./settings/join-approval.ts";
import { finishFork } from "./resume/fork.ts";
import { sendSignal } from "./inbox/signals.ts";
import { toError } from "../user-code/call-user-code.ts";
import { checkExtensionNames, checkExtensions } from "./settings/extension-options.ts";
import { checkSettings, checkOptionNames, readOptions } from "./settings/check-settings.ts";
import { callerOf, outerLease } from "./caller/caller.ts";
import { askForLease, isTakeable, noteAsked, noteTakeable, type Instant } from "./lease-proof.ts";
import { loopShare } from "./limits/loop-share.ts";
import { driveRun } from "./drive-run.ts";
import type { Entry } from "./start/begin-run.ts";
import {
  asFound,
  giveBackFailed,
  giveBackLease,
  leaveAsFound,
  releaseUnused,
  watchHandOver,
  type HandOver,
} from "./give-back-run.ts";
import { loadRun, protectionOf, storedOutput, type LoadedRun } from "./start/load-run.ts";
import { createLiveRun } from "./start/live-run.ts";
import type { Agent, LiveRun } from "./run.ts";
import { deliverDecisions, giveBackTaken, hasEnded, takeUp, whenSessionFree, type Purpose } from "./take-up-run.ts";
import { hasCallerModel, keeping, keepingOf } from "./settings/kept-part.ts";
import { newRecord, queuedInput, checkRunInput, givenMessages, type QueuedOptions } from "./start/run-input.ts";
import { drivingRuns } from "./state/driving-runs.ts";
import { given as givenOf } from "./settings/merge-rules.ts";
import { runSettings } from "./settings/run-settings.ts";

/**
 * Starts a new run, or finds the run with its idempotency key, and drives it.
 *
 * @throws ConfigurationError `INVALID_INPUT`, `INVALID_OPTION`, `UNKNOWN_OPTION` before anything is stored.
 * @throws RunBusyError when the run of the idempotency key is driven elsewhere.
 */
export async function openNewRun(
  given: Agent,
  live: LiveRun,
  input: RunInput,
  options: RunOptions,
): Promise<RunOutput> {
  const { agent, settings } = forRun(given, live, checkedSettings(given, options), options);
  return keepingPlace(agent, live, options, () => startRun(agent, live, input, options, settings));
}

/**
 * Drives a run. If this process had to give it back because it could not renew its lease, it takes the run again: the
 * failure of the host is not an outcome of the run. A run inside a call continues with the calling run.
 */
async function keepingPlace(
  agent: Agent,
  live: LiveRun,
  options: RunOptions,
  drive: () => Promise<RunOutput>,
): Promise<RunOutput> {
  try {
    return await drive();
  } catch (error) {
    const { control } = live;
    if (control.interruptedBy === undefined || options.parent !== undefined) throw error;
    control.goOn();
    return openStoredRun(agent, live, [], options);
  }
}

async function startRun(
  agent: Agent,
  live: LiveRun,
  input: RunInput,
  options: RunOptions,
  settings: Entry["settings"],
): Promise<RunOutput> {
  const { parent } = options;
  const kept = await keptOf(agent, live.runId, options);
  checkRunInput(input);
  await agent.checkInput?.(input);
  const sessionId = options.sessionId ?? agent.ids.next("session");
  const given = await givenMessages(options, () => (settings.ids ?? agent.ids).next("message"));
  const owner = { tenantId: options.tenantId, userId: options.userId ?? settings.userId };
  const session = { sessionId, ...owner };
  const { clock, logger } = agent;
  const { runId, control } = live;
  const mode = settings.concurrentRuns ?? "queue";
  const waiter = { runId, control, clock, logger, mode, inside: drivingRuns(parent) };
  const leave = settings.session === undefined ? undefined : await agent.sessions.enter(session, waiter);
  try {
    await loopShare("begin");
    const record = await newRecord(agent, live.runId, {
      sessionId,
      ...owner,
      parent,
      input: queuedInput(options, input, { ...(kept !== undefined && { options: kept }), ...notStored(options) }),
      deadlineAt: settings.deadlineAt,
      idempotencyKey: options.idempotencyKey,
      inSession: settings.session !== undefined && parent === undefined,
    });
    const under = await outerLease(agent.store, parent);
    const holder = { owner: agent.owner, ttlMs: agent.keeper.leaseMs, under };
    const { run, created, lease } = await whenSessionFree({ ...waiter, ...session, agent }, () =>
      askForLease(
        agent.clock,
        () => agent.store.create(record, holder),
        (made) => made.lease,
      ),
    );
    if (!created) {
      live.runId = run.id;
      return await findEarlier(agent, live, run, options);
    }
    // A store without support for holders grants the lease in a second call, once the run is stored.
    const held =
      lease ??
      (await askForLease(
        agent.clock,
        () => agent.store.acquire(run.id, agent.owner, agent.keeper.leaseMs, under),
        (one) => one,
      ));
    if (held === null) throw new RunBusyError(run.id);
    const opened = await journalUnder(agent, held);
    return await driveAndSettle(agent, live, { settings, options, kept, opened, input, given, sessionId });
  } finally {
    leave?.();
  }
}

function journalUnder(agent: Agent, lease: Lease): Promise<OpenedJournal> {
  const { store, clock, secrets } = agent;
  // The rows of a separate ledger are not written in a transaction of the store.
  const ledger = agent.ledger === store.ledger ? undefined : agent.ledger;
  return openJournal({ ...protectionOf(agent), store, ledger, lease, clock, secrets });
}

/** State of the run that already has the idempotency key. */
async function findEarlier(agent: Agent, live: LiveRun, run: StoredRun, options: RunOptions): Promise<RunOutput> {
  const found = await loadRun(agent, run.id);
  const { state, epoch } = found.run;
  if (state === "stuck")
    throw new RunError(
      "RUN_STUCK",
      `Run "${run.id}" has this idempotency key and is stuck: it ended its process too often. Inspect it, then retry it with retryRun() of @bailiwick/worker, or discard it.`,
      { runId: run.id },
    );
  if (state !== "running" && state !== "queued") return storedOutput(found.state);
  try {
    return await openStoredRun(agent, live, [], options, { foundAt: epoch });
  } catch (error) {
    // An ended run has its result, wherever its lease is.
    if (isBusy(error) && hasEnded(found)) return storedOutput(found.state);
    throw error;
  }
}

/** Maximum number of tries if other processes acquire the lease first. */
const mostLooks = 10;

/**
 * Acquires the lease of a stored run. A decision based on an earlier read of the run is valid only if the run has not
 * changed since: if another process drove it in between, the lease is released and the run is read again.
 *
 * @throws RunNotFoundError, RunBusyError, DecisionError, ToolMissingError, ConfigurationError `DEPENDENCIES_MISSING`
 * @throws RunError `RUN_HAS_PARENT` for a run inside a call of another run, unless it is cancelled.
 * @throws JournalUnavailableError while this process holds the run and its store cannot be written.
 */
export async function openStoredRun(
  given: Agent,
  live: LiveRun,
  decisions: readonly Decision[],
  options: RunOptions,
  purpose: Purpose = {},
): Promise<RunOutput> {
  const { agent, settings } = forRun(given, live, checkedSettings(given, options), options, storeMsOf(purpose));
  const drive = (): Promise<RunOutput> => continueRun(agent, live, decisions, options, purpose, settings);
  // A worker gives the run back to all workers.
  return purpose.claimed === undefined ? keepingPlace(agent, live, options, drive) : drive();
}

/** A caller who cancels a run gets the error of its store at once. */
function storeMsOf({ cancel }: Purpose): number | undefined {
  return cancel === true ? 0 : undefined;
}

async function continueRun(
  agent: Agent,
  live: LiveRun,
  decisions: readonly Decision[],
  options: RunOptions,
  purpose: Purpose,
  settings: Entry["settings"],
): Promise<RunOutput> {
  const checkKept = (before: LoadedRun): Promise<unknown> => keptSettings(agent, options, before);
  let given = decisions;
  for (let look = 1; look <= mostLooks; look += 1) {
    const taken = await takeUp(agent, live, { settings, options, decisions: given, purpose, checkKept });
    if ("output" in taken) return taken.output;
    if ("again" in taken) {
      given = taken.again;
      continue;
    }
    const { before, lease } = taken;
    const opened = await openUnder(agent, before, lease);
    const { sessionId } = before.run;
    // A run that was enqueued, or whose process died before its first record, begins now.
    const isNew = opened.journal.state.start === undefined;
    const input = isNew ? (before.run.input as RunInput) : undefined;
    const { options: _kept, ...queued } = before.queued;
    const { restored, kept, ...bound } = await keptSettings(agent, options, before);
    const entry = {
      kept,
      settings: forRun(agent, live, bound.settings, options, storeMsOf(purpose)).settings,
      options: { ...restored, ...givenOf(options), ...(isNew && queued) },
      opened,
      input,
      sessionId,
      before,
    };
    const forget = watchHandOver(live, purpose.handOver ?? {});
    return driveAndSettle(agent, live, { ...entry, decisions: given, cancel: purpose.cancel }).finally(forget);
  }
  throw new RunBusyError(live.runId);
}

/** Opens the journal of a stored run; a fork first gets its initial records, if its process died before that. */
async function openUnder(agent: Agent, before: LoadedRun, lease: Lease): Promise<OpenedJournal> {
  const { fork, state } = before;
  const unfinished = fork !== undefined && lease.head.seq === 0;
  try {
    const current = unfinished ? await finishFork(agent, lease, fork) : lease;
    if (isTakeable(lease)) noteTakeable(current);
    return await journalUnder(agent, current);
  } catch (thrown) {
    await releaseUnused(agent, lease, asFound(before, state));
    throw thrown;
  }
}

async function driveAndSettle(agent: Agent, live: LiveRun, entry: Entry): Promise<RunOutput> {
  const { journal } = entry.opened;
  const { seq } = journal.state;
  agent.live.set(live.runId, live);
  try {
    const { output, error } = await driveRun(agent, live, entry);
    if (error !== undefined) throw error;
    return output;
  } catch (thrown) {
    if (journal.state.seq > seq) throw thrown;
    const why = await keepDecisions(agent, live.runId, entry, thrown);
    await leaveAsFound(agent, entry, thrown);
    throw why;
  } finally {
    await giveBackFailed(agent, journal);
    // After losing a lease, this process may already drive the run again.
    if (agent.live.get(live.runId) === live) agent.live.delete(live.runId);
    await handOn(agent, live, journal, entry.cancel === true);
  }
}

/**
 * Puts the decisions of a run that could not continue into its inbox, for example because a tool's server is away: what a
 * person decided counts once the run continues.
 *
 * @returns the error of the run, or that of a decision that does not fit.
 */
async function keepDecisions(
  agent: Agent,
  runId: string,
  { decisions = [], options, before }: Entry,
  thrown: unknown,
): Promise<unknown> {
  const isRefused = DecisionError.isInstance(thrown);
  if (decisions.length === 0 || options.parent !== undefined || before === undefined || isRefused) return thrown;
  try {
    await deliverDecisions(agent, runId, decisions);
    return thrown;
  } catch (error) {
    // The options of the call are refused first.
    return DecisionError.isInstance(error) && !ConfigurationError.isInstance(thrown) ? error : thrown;
  }
}

/**
 * Handles signals that arrived after the run last read its inbox: messages wait for the next process that resumes it, a
 * cancel ends it.
 */
async function handOn(
  agent: Agent,
  live: LiveRun,
  { state, lease, failure }: JournalWriter,
  wasCancel: boolean,
): Promise<void> {
  const { runId } = live;
  const waits = state.suspended !== undefined && failure === undefined;
  try {
    for (const signal of live.close()) {
      // An ended run is no longer cancelled, even if it is resumed.
      if (signal.name !== "cancel" || waits) await sendSignal(agent, runId, signal);
    }
    // A failed cancel is thrown to its caller: another try would fail again at once.
    if (waits && !wasCancel && (await isCancelled(agent, lease, state))) await endCancelled(agent, runId);
  } catch (thrown) {
    agent.logger.error(`What came at the end of run ${runId} could not be kept.`, { error: toError(thrown) });
  }
}

/** True if a run without a driving process was cancelled; `last` is the last lease that this process held. */
async function isCancelled(agent: Agent, last: Lease, state: RunState): Promise<boolean> {
  const { store, owner, keeper } = agent;
  const run = await store.getRun(last.runId);
  if (run?.state !== "queued" || run.parent !== undefined || run.epoch !== last.epoch) return false;
  if (state.cancelRequested !== undefined) return true;
  const lease = await store.acquire(last.runId, owner, keeper.leaseMs);
  if (lease === null) return false;
  try {
    return (await store.takeSignals(lease)).some(({ name }) => name === "cancel");
  } finally {
    await giveBackTaken(agent, agent.options.session, lease);
  }
}

/** Ends a cancelled run that no process drives. */
export async function endCancelled(agent: Agent, runId: string): Promise<void> {
  // The process that drives it receives the signal.
  if ((await agent.store.getRun(runId))?.state === "running") return;
  try {
    await openStoredRun(agent, createLiveRun(runId, agent.logger), [], {}, { cancel: true });
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** Options of most runs, which do not need this part. */
const usual = /^(?:sessionId|userId|tenantId|signal|metadata|messages|onToken|onStart|onComplete|onError)$/u;

/** True if a run may have options that are stored with it. */
function mayBeKept(options: RunOptions): boolean {
  return Object.keys(options).some((name) => !usual.test(name));
}

/** Notes on values of a caller that are never stored. */
function notStored(options: RunOptions): Pick<QueuedOptions, "withDependencies" | "withCallerModel"> {
  return {
    ...(options.dependencies !== undefined && { withDependencies: true }),
    ...(hasCallerModel(options) && { withCallerModel: true }),
  };
}

/** The options of a new run that are stored with it. */
async function keptOf(agent: Agent, runId: string, options: RunOptions): Promise<KeptOptions | undefined> {
  if (options.parent !== undefined || !mayBeKept(options)) return undefined;
  const where = `run of agent "${agent.name}"`;
  return keeping(({ keptOptionsOf }) =>
    readOptions(options, where, () => keptOptionsOf(keepingOf(agent), runId, options)),
  );
}

/** A stored run with the strictness that it began with, even if today's agent is looser. */
interface Bound extends Pick<Entry, "settings" | "kept"> {
  /** The options that it began with. */
  readonly restored?: RunOptions;
}

async function keptSettings(agent: Agent, options: RunOptions, before: LoadedRun): Promise<Bound> {
  const { run, state, queued } = before;
  const stored = state.start === undefined ? queued.options : state.start.options;
  if (stored === undefined) return { kept: undefined, settings: checkedSettings(agent, options) };
  return keeping(({ checkedGrants, restoredOptions }) => {
    const kept = state.start === undefined ? checkedGrants(keepingOf(agent), run.id, stored) : stored;
    const restored = restoredOptions(kept, options);
    return { kept, restored, settings: checkedSettings(agent, options, restored) };
  });
}

function checkedSettings(agent: Agent, options: RunOptions, kept?: RunOptions): Entry["settings"] {
  return readOptions(options, `run of agent "${agent.name}"`, () => readSettings(agent, options, kept));
}

function readSettings(agent: Agent, options: RunOptions, kept: RunOptions | undefined): Entry["settings"] {
  checkOptionNames("run", options);
  if (typeof options.model === "object") agent.resolveModel(options.model);
  checkSettings("run", options, `run of agent "${agent.name}"`);
  checkSandbox(options.sandbox, `a run of agent "${agent.name}"`);
  checkExtensions(options.extensions, `a run of agent "${agent.name}"`, true);
  if (options.onToken !== undefined) checkTokenHandlers(options.onToken);
  const demands = callerOf(options.parent)?.demands;
  const settings = runSettings(agent.options, options, demands, agent.role, kept);
  if (settings.extensions !== undefined) checkExtensionNames(settings.extensions, agent.name);
  checkTimedApproval(settings, agent.registry.known.list());
  return settings;
}

/** Options for driving a claimed run. */
export interface DriveOptions {
  /** Aborted to return the run before it ends. */
  readonly handOver?: HandOver | undefined;
  /** When the claim was sent. Without it, the first effect of the run waits for a renewal of the lease. */
  readonly askedAt?: Instant | undefined;
  /** True if another process may take the lease before it expires: the store proves it before each effect. */
  readonly isTakeable?: boolean | undefined;
}

/**
 * Drives a run under the lease that a worker claimed, until it ends, waits, or is handed over.
 *
 * @throws RunHandedOverError if it was handed over. Other errors are those of `resume`; the run is then ready.
 */
export async function driveClaimed(
  agent: Agent,
  { run, lease }: ClaimedRun,
  { handOver, askedAt, isTakeable: takeable }: DriveOptions,
): Promise<RunOutput> {
  noteAsked(lease, askedAt);
  if (takeable === true) noteTakeable(lease);
  const live = createLiveRun(run.id, agent.logger);
  try {
    return await openStoredRun(agent, live, [], {}, { claimed: lease, handOver });
  } catch (error) {
    // The run was refused before its journal was opened, or its store was away when it was given back.
    await giveBackLease(agent, lease);
    throw error;
  }
}
