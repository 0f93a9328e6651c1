import { isEnded } from "../contracts/stop-reason.ts";
import type { Decision } from "../contracts/interruption.ts";
import type { Lease } from "../contracts/ports/run-store.ts";
import type { StoredRun } from "../contracts/ports/stored-run.ts";
import type { SessionStore } from "../contracts/ports/session-store.ts";
import type { RunSettings } from "../contracts/run-options.ts";
import type { RunOutput } from "../contracts/run-output.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { RunBusyError, RunError } from "../errors/run-errors.ts";
import { JournalUnavailableError } from "../errors/store-errors.ts";
import { canonicalJson } from "../json/canonical-json.ts";
import { endsTurn } from "../journal/session-join.ts";
import { uncertainCalls } from "../journal/uncertain-calls.ts";
import { outerLease } from "./caller/caller.ts";
import type { Entry } from "./start/begin-run.ts";
import { endInside, leavesRuns } from "./end/end-inside.ts";
import { joinLate } from "./end/join-session.ts";
import { releaseOf, storedOutput, loadRun, type LoadedRun } from "./start/load-run.ts";
import { giveBackLeftOver, releaseUnused, type HandOver } from "./give-back-run.ts";
import { freshDecisions, newDecisions } from "./inbox/check-decision.ts";
import { sendSignal } from "./inbox/signals.ts";
import { checkResumeGiven } from "./resume/check-resume.ts";
import { askForLease } from "./lease-proof.ts";
import { drivingRuns, heldByOuterRun } from "./state/driving-runs.ts";
import { longWaitMs, longWaitText, type SessionIdentity, type SessionWaiter } from "./state/session-queue.ts";
import type { Agent, LiveRun } from "./run.ts";
import { bindDecision } from "./tool-call/approval-binding.ts";
import { loadInside } from "./start/load-inside.ts";
import { checkValues } from "./inbox/check-values.ts";
import { decidingTimeoutMs } from "./hooks/hooks-runner.ts";
import { askUserCode } from "../user-code/call-user-code.ts";
import { checkModelAnswer, modelCallQuestion } from "./model/unknown-model-call.ts";
import { pauseUnless } from "./limits/timeouts.ts";

/** The reason why a stored run is resumed. */
export interface Purpose {
  /** The run is resumed only to be cancelled, which needs no dependencies; a run that has ended does not change. */
  readonly cancel?: boolean | undefined;
  /** Lease epoch at the time the run was listed. If it has changed, another process drives the run: leave it alone. */
  readonly foundAt?: number | undefined;
  /** The lease that a worker claimed, instead of a new one. */
  readonly claimed?: Lease | undefined;
  /** The former owner is known to be gone: its lease is taken before it expires. */
  readonly formerIsGone?: boolean | undefined;
  readonly handOver?: HandOver | undefined;
}

interface Wanted extends Pick<Entry, "settings" | "options"> {
  readonly decisions: readonly Decision[];
  readonly purpose: Purpose;
  /** Refuses options that are weaker than those that the run began with. */
  readonly checkKept: (before: LoadedRun) => Promise<unknown>;
}

type Taken =
  | { readonly before: LoadedRun; readonly lease: Lease }
  | { readonly output: RunOutput }
  /** The state has changed: the run is read again, with the decisions that its inbox does not have. */
  | { readonly again: readonly Decision[] };

/** Reads a run and acquires its lease, unless there is nothing to do. */
export async function takeUp(agent: Agent, live: LiveRun, wanted: Wanted): Promise<Taken> {
  const { runId } = live;
  const { settings, options, decisions, purpose } = wanted;
  const held = await giveBackLeftOver(agent, runId);
  const before = await loadRun(agent, runId);
  const { run, state } = before;
  if (isElsewhere(run, purpose)) throw new RunBusyError(runId);
  if (isSettled(agent, before, wanted)) return { output: storedOutput(state) };
  // A process without other means may pass decisions to the owner of a running run.
  const wasRunning = run.state === "running";
  const checkGiven = async (): Promise<void> => {
    await wanted.checkKept(before);
    if (options.parent === undefined && purpose.cancel !== true)
      checkResumeGiven(before, options, settings.dependencies, agent.clock.now());
  };
  if (!wasRunning) await checkGiven();
  if (options.parent === undefined) await refuseInner(agent, run, purpose);
  const claimed = claimOn(run, purpose);
  const lease = claimed ?? (await acquire(agent, live, wanted, run));
  if (lease === null && held !== undefined)
    throw new JournalUnavailableError(runId, uncertainCalls(state, state.seq), { cause: held });
  if (lease === null) {
    const delivered = await deliverDecisions(agent, runId, decisions);
    // The run may have been released before the decisions were stored.
    if (delivered > 0 && (await agent.store.getRun(runId))?.state === "queued") return { again: [] };
    throw new RunBusyError(runId, delivered);
  }
  const isOld = (claimed === undefined && lease.epoch !== run.epoch + 1) || lease.head.seq !== run.head.seq;
  if (isOld || (wasRunning && hasEnded(before))) {
    await giveBackTaken(agent, settings.session, lease);
    return { again: decisions };
  }
  try {
    if (wasRunning) await checkGiven();
  } catch (error) {
    await releaseUnused(agent, lease, { state: "queued" });
    throw error;
  }
  return { before, lease };
}

/** True if another process resumed the run since it was found, or it has ended. */
function isElsewhere({ epoch, state }: StoredRun, { foundAt }: Purpose): boolean {
  return foundAt !== undefined && (epoch !== foundAt || isEnded(state));
}

/** The lease that a worker claimed, if it is still valid; that of a run that was released here is acquired as usual. */
function claimOn({ epoch, state }: StoredRun, { claimed }: Purpose): Lease | undefined {
  return state === "running" && claimed?.epoch === epoch ? claimed : undefined;
}

/** True for a run that has its answer and no new decision, and for an ended run that should be cancelled. */
function isSettled(agent: Agent, { run, state }: LoadedRun, { decisions, purpose }: Wanted): boolean {
  if (purpose.cancel === true && isEnded(run.state)) return true;
  const isCompleted = run.state === "completed" && state.end?.status === "completed";
  return isCompleted && newDecisions({ state, runId: run.id, agent }, decisions).length === 0;
}

async function acquire(
  agent: Agent,
  { runId, control }: LiveRun,
  { settings, options, purpose }: Wanted,
  { epoch, sessionId, tenantId, userId }: StoredRun,
): Promise<Lease | null> {
  const { store, owner, keeper, clock } = agent;
  const under = await outerLease(store, options.parent);
  const inside = drivingRuns(options.parent);
  const session = { sessionId, tenantId, userId };
  return whenSessionFree({ agent, ...session, runId, control, inside, mode: settings.concurrentRuns }, () =>
    askForLease(
      clock,
      () => store.acquire(runId, owner, keeper.leaseMs, under, purpose.formerIsGone === true ? epoch : undefined),
      (lease) => lease,
    ),
  );
}

/** True if the last record of a run is its end, so that only its lease has to be released. */
export function hasEnded({ state, fork }: LoadedRun): boolean {
  const { end } = state;
  // The first records of a fork may be the end of another run.
  return end !== undefined && end.seq === state.seq && endsTurn(end.status) && end.seq > (fork?.atSeq ?? 0);
}

/** Releases a run in the state that its journal shows: another process drove it until now. */
export async function giveBackTaken(agent: Agent, session: SessionStore | undefined, lease: Lease): Promise<void> {
  try {
    const loaded = await loadRun(agent, lease.runId);
    await joinLate(agent, session, loaded);
    if (leavesRuns(loaded.state)) await endInside(agent, lease);
    await agent.store.release(lease, releaseOf(loaded.state));
  } catch (thrown) {
    // The next read finds a run that continues, and its problem.
    await releaseUnused(agent, lease, { state: "queued" });
    throw thrown;
  }
}

/**
 * Puts decisions in the inbox of a run, for its owner or the process that drives it next.
 *
 * @returns the number of decisions that the run had not recorded yet.
 * @throws DecisionError for one that does not fit; then none is delivered.
 */
export async function deliverDecisions(agent: Agent, runId: string, given: readonly Decision[]): Promise<number> {
  const { state } = await loadRun(agent, runId);
  await agent.secrets?.ready();
  const check = { state, runId, agent };
  const fresh = freshDecisions(check, given);
  const modelQuestion = modelCallQuestion(state);
  const checking = { agent, runId, loadInside, catalogue: agent.registry.known };
  for (const decision of fresh) {
    if (decision.id === modelQuestion?.id) checkModelAnswer({ runId }, decision);
    else await checkValues(checking, bindDecision(check, decision), askBefore(agent));
  }
  for (const decision of fresh) {
    const signal = { name: "decision", id: signalIdOf(agent, decision), payload: decision };
    // Stored before the run reads it: a process that dies must not lose what it accepted.
    await sendSignal(agent, runId, signal);
    agent.live.get(runId)?.signal(signal);
  }
  return fresh.length;
}

/** Calls a schema while no process drives the run. One that fails is asked again when the run continues. */
function askBefore({ clock }: Agent): Parameters<typeof checkValues>[2] {
  return async (name, check) => {
    const answer = await askUserCode(check, { name, timeoutMs: decidingTimeoutMs, clock });
    return answer.ok ? answer.value : { ok: true, value: undefined };
  };
}

/** Deduplicates deliveries of one decision, and accepts a corrected one after a refused one. */
function signalIdOf({ hasher }: Agent, { token: _token, ...decision }: Decision): string {
  return `decision:${decision.id}:${hasher.sha256(canonicalJson(decision))}`;
}

/**
 * A run inside a call is resumed through the run that made the call, which binds it with its approvals, guardrails and
 * flow, also after that run has ended.
 */
async function refuseInner(agent: Agent, { id, parent }: StoredRun, { cancel }: Purpose): Promise<void> {
  if (parent === undefined) return;
  const { runId } = parent;
  const outer = await agent.store.getRun(runId);
  const isOpen = outer !== undefined && !isEnded(outer.state);
  if (!isOpen && cancel === true) return;
  throw new RunError(
    "RUN_HAS_PARENT",
    `Run "${id}" belongs to a tool call of run "${runId}". ${
      isOpen
        ? "Resume that run: its interruptions are the ones of this run."
        : "That run is over, and this one has no authority without it. Start a new run, or resume that run if it failed."
    }`,
    { runId: id },
  );
}

/** First and longest delay between two checks of a session that another process works on, in milliseconds. */
const firstPauseMs = 25;
const longestPauseMs = 500;

/** A run that needs its session, and the session's owner. */
interface WaitingForSession extends SessionIdentity, Pick<SessionWaiter, "runId" | "control" | "inside"> {
  readonly agent: Pick<Agent, "clock" | "logger" | "store">;
  /** With `refuse`, the first refusal is thrown. */
  readonly mode: RunSettings["concurrentRuns"];
}

/**
 * Acquires a lease that needs the session; retries until the session is free.
 *
 * @throws SessionBusyError with `refuse` while another run of the session is driven.
 * @throws BailiwickError `SESSION_OF_CALLER` if a run around this one holds the session.
 */
export async function whenSessionFree<Result>(
  waiting: WaitingForSession,
  take: () => Promise<Result>,
): Promise<Result> {
  const { agent, mode, control, inside, runId, sessionId } = waiting;
  const { clock, logger } = agent;
  let since: number | undefined;
  let isLogged = false;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await take();
    } catch (error) {
      // Another run drives the session, in any copy of the framework.
      const isBusy = BailiwickError.isInstance(error) && error.code === "SESSION_BUSY";
      if (mode === "refuse" || !isBusy) throw error;
    }
    const isLong: boolean = since !== undefined && !isLogged && clock.now() - since >= longWaitMs;
    if ((since === undefined && inside.size > 0) || isLong) {
      const holder = await holderOf(waiting);
      if (holder !== undefined && inside.has(holder)) throw heldByOuterRun(sessionId, holder);
      if (isLong) logger.warn(longWaitText(runId, sessionId, holder));
      isLogged ||= isLong;
    }
    since ??= clock.now();
    if (control.ending === undefined) await pauseUnless(clock, pauseMs, (wake) => control.onStop(wake));
    if (control.ending !== undefined) throw control.signal.reason;
  }
}

/** Id of the run that holds a session, if the store still has it. */
async function holderOf({ agent, sessionId, tenantId, userId }: WaitingForSession): Promise<string | undefined> {
  const held = await agent.store.listRuns({ sessionId, tenantId, userId, state: "running" });
  return held.find(({ inSession }) => inSession === true)?.id;
}
