import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Message } from "../contracts/message.ts";
import { busTap } from "../events/event-bus.ts";
import { ResumableBuffer } from "../events/resumable-buffer.ts";
import { tokenTap } from "../events/token-handlers.ts";
import { BailiwickError } from "../errors/bailiwick-error.ts";
import { givesBack, isStoreAway } from "../errors/host-errors.ts";
import { ToolMissingError } from "../errors/run-errors.ts";
import type { RunState } from "../journal/run-state.ts";
import {
  applySignalledDecisions,
  checkDecisions,
  recordDecisions,
  type CheckedDecisions,
} from "./inbox/apply-decisions.ts";
import { assembleRun, type Entry } from "./start/begin-run.ts";
import { callerOf, callerTap, ownCallback } from "./caller/caller.ts";
import { givenMessages } from "./start/run-input.ts";
import { beforeFirstTurn, loadConversation, recordStart, treatedHistory } from "./start/start-run.ts";
import { giveBackUnfinished } from "./give-back-run.ts";
import { tellCallback } from "./hooks/hook-failures.ts";
import { endRun, type Outcome } from "./end/end-run.ts";
import { joinLate } from "./end/join-session.ts";
import { inRunSpan, momentSubscriber } from "./hooks/guarded-span.ts";
import { statusOf } from "./stop-reason.ts";
import { beginFlow, restoreReferences } from "./start/flow-run.ts";
import { whileHolding } from "./state/driving-runs.ts";
import { toError } from "../user-code/call-user-code.ts";
import { takeSignals } from "./lease-keeper.ts";
import { RunStoppedError, type Ending } from "./limits/run-control.ts";
import { buildCatalogue, recordChange, refreshCatalogue } from "./start/run-catalogue.ts";
import { dueStep, runLoop } from "./run-loop.ts";
import { verboseTap } from "./verbose-tap.ts";
import { unansweredModelCall } from "./model/unknown-model-call.ts";
import type { Agent, LiveRun, Run } from "./run.ts";
import type { JournalSubscriber } from "../journal/journal-writer.ts";
import { shownRecord } from "../journal/scrubbed-record.ts";

/**
 * Drives a run under a lease until it ends or waits. New and resumed runs take the same steps: assemble, record the start
 * or the resumption, loop, end.
 *
 * @throws DecisionError, ToolMissingError before the first record: the run is unchanged.
 */
export async function driveRun(agent: Agent, live: LiveRun, entry: Entry): Promise<Outcome> {
  const { settings, opened } = entry;
  const isNew = opened.journal.state.start === undefined;
  const run = assembleRun(agent, live, entry);
  const untap = watch(run);
  const buffer = settings.resumable === true ? new ResumableBuffer() : undefined;
  live.buffer = buffer;
  const removeBuffer = buffer && live.sink.add(buffer.tap);
  live.attach(run);
  run.journal.subscribe(journalSubscribers(run, live, opened.events));
  agent.keeper.add(run);
  try {
    const drive = (): Promise<Outcome> =>
      inRunSpan(run, isNew ? (entry.input ?? "") : undefined, async () => {
        const endedEarly = isNew ? await startNew(run, entry) : await goOn(run, entry);
        const ending = endedEarly ?? (await runLoop(run));
        const open = run.control.interruptedBy ?? ending.error;
        if (givesBack(open)) return givenBack(run, open);
        live.over = statusOf[ending.reason] === "completed";
        const outcome = await endRun(run, ending);
        return givesBack(outcome.error) ? givenBack(run, run.control.interruptedBy ?? outcome.error) : outcome;
      });
    return await (settings.session === undefined ? drive() : whileHolding(run.runId, drive));
  } finally {
    agent.keeper.remove(run);
    live.detach();
    run.close();
    untap();
    removeBuffer?.();
    buffer?.close();
  }
}

/**
 * Gives back a run that has not ended: its host failed, or another process has it or will take it.
 *
 * @throws the error, always.
 */
async function givenBack(run: Run, error: Error): Promise<never> {
  // A journal that failed is read before its lease is released.
  if (!run.journal.isLost) await giveBackUnfinished(run);
  if (BailiwickError.isInstance(error)) error.runId ??= run.runId;
  throw error;
}

/** Connects the observers: event bus, extensions, `onToken`, the calling run. */
function watch(run: Run): () => void {
  const { options, sink, agent, context } = run;
  const removers = [
    sink.add(busTap(context.eventBus, { runId: run.runId, agentName: agent.name, tenantId: context.tenantId })),
  ];
  for (const { extension, journal } of run.extensions) {
    const { name, onRecord } = extension;
    if (onRecord === undefined || journal !== run.journal) continue;
    const { types } = onRecord;
    removers.push(
      sink.add({
        name: `extension ${name}`,
        wants: (type) => (types as readonly string[]).includes(type),
        take: (event) => onRecord.hear(event as JournalEvent),
      }),
    );
  }
  const onToken = ownCallback(options, "onToken");
  if (onToken !== undefined) removers.push(sink.add(tokenTap(agent.name, onToken)));
  if (options.verbose === true) removers.push(sink.add(verboseTap(run)));
  const caller = callerOf(options.parent);
  if (caller !== undefined && options.parent !== undefined)
    removers.push(sink.add(callerTap(caller, options.parent, agent.name)));
  return () => {
    for (const remove of removers) remove();
  };
}

/** Starts a new run. Returns its ending if it ended before the loop. */
async function startNew(run: Run, entry: Entry): Promise<Ending | undefined> {
  // A run that did not start has asked nothing.
  if (entry.decisions !== undefined) await checkDecisions(run, entry.decisions);
  let started = false;
  try {
    const { options } = run;
    const messages = entry.given ?? (await givenMessages(options, () => run.ids.next("message")));
    const loaded = await loadConversation(run, options, entry.sessionId, messages);
    const conversation = { ...loaded, history: await treatedHistory(run, loaded) };
    await prepare(run, entry, conversation.history);
    recordStart(run, entry.input ?? "", conversation);
    started = true;
    // A run that was enqueued may have been cancelled or steered before it began.
    if (entry.before !== undefined) await takeSignals(run);
    if (run.journal.state.cancelRequested !== undefined) return { reason: "cancelled" };
    run.flow?.journalGrants();
    const onStart = ownCallback(options, "onStart");
    if (onStart !== undefined) tellCallback(run, "onStart", () => onStart(run.agent.name));
    await beforeFirstTurn(run);
  } catch (thrown) {
    // A run whose host failed before its first record begins in the next process.
    if (!started && isStoreAway(thrown)) throw thrown;
    // A run that could not begin still has a beginning and an end in its journal.
    if (!started) recordStart(run, entry.input ?? "", { history: [], given: 0, state: {}, remembered: [] });
    return thrown instanceof RunStoppedError ? thrown.ending : { reason: "failed", error: toError(thrown) };
  }
  return undefined;
}

/** Continues a stored run. Returns its ending if it ended before the loop. */
async function goOn(run: Run, entry: Entry): Promise<Ending | undefined> {
  const { state } = run.journal;
  const decisions = await checkBefore(run, entry, state);
  await restoreReferences(run);
  run.journal.record({ type: "run.resumed", owner: run.journal.lease.owner, epoch: run.journal.lease.epoch });
  run.tellHeld();
  recordChange(run, state.start?.tools ?? {});
  run.flow?.journalGrants();
  await takeSignals(run);
  recordDecisions(run, decisions, "resume");
  await applySignalledDecisions(run);
  if (state.cancelRequested !== undefined) return { reason: "cancelled" };
  // A request that may have reached the vendor with a hosted writer is only repeated after a person has decided.
  const unanswered = unansweredModelCall(run);
  if (unanswered !== undefined) return unanswered;
  if (state.start !== undefined && dueStep(state) === "ask" && state.turn === 0) {
    try {
      await beforeFirstTurn(run);
    } catch (thrown) {
      return thrown instanceof RunStoppedError ? thrown.ending : { reason: "failed", error: toError(thrown) };
    }
  }
  return undefined;
}

/** Checks a resumed run before its first record: a refused run is unchanged. */
async function checkBefore(run: Run, entry: Entry, state: RunState): Promise<CheckedDecisions> {
  if (entry.before !== undefined) await joinLate(run.agent, run.settings.session, { ...entry.before, state });
  await prepare(run, entry, state.messages);
  if (entry.cancel !== true) checkPendingTools(run, state);
  return checkDecisions(run, entry.decisions ?? []);
}

async function prepare(run: Run, entry: Entry, conversation: readonly Message[]): Promise<void> {
  await run.agent.secrets?.ready();
  run.catalogue = await buildCatalogue(run, conversation);
  if (run.agent.registry.servers.length > 0) run.refreshTools = () => refreshCatalogue(run);
  run.flow = await beginFlow(run);
  const { flow } = run;
  if (flow !== undefined) {
    for (const event of entry.opened.events) flow.observe(event);
    run.journal.labelWith(flow);
  }
}

/**
 * Refuses to continue while a call waits for a missing tool.
 *
 * @throws ToolMissingError; the run can be resumed once the tool is back.
 */
function checkPendingTools(run: Run, state: RunState): void {
  for (const key of state.turnCalls) {
    const call = state.calls.get(key);
    if (call === undefined || call.result !== undefined) continue;
    const pending = call.call !== undefined || call.intent !== undefined;
    if (pending && run.catalogue.get(call.toolName) === undefined) throw new ToolMissingError(call.toolName, run.runId);
  }
}

/**
 * The subscribers of a run's records, in order. The journal folds a record first, and shows it to the flow policy. Other
 * observers (event bus, `onToken`, the run's iterator, the calling run, progress) get their events from the run's sink,
 * after the answer gate. Telemetry has spans for runs, model calls and tools.
 */
function journalSubscribers(run: Run, live: LiveRun, before: readonly JournalEvent[]): readonly JournalSubscriber[] {
  const { sealer, secrets } = run.agent;
  const moments = momentSubscriber(run, before);
  return [
    // A journal that is not sealed holds no known secret.
    sealer === undefined
      ? run.answer
      : { name: "answer gate", types: "all", hear: (event) => run.answer.hear(shownRecord(event, secrets)) },
    { name: "inbox", types: ["run.start", "run.resumed"], hear: () => live.takeSignals() },
    ...(moments === undefined ? [] : [moments]),
  ];
}
