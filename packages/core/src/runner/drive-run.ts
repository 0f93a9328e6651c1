import type { JournalEvent } from "../contracts/journal-event.ts";
import type { Decision } from "../contracts/interruption.ts";
import type { Message } from "../contracts/message.ts";
import type { ResolvedTool } from "../contracts/resolved-tool.ts";
import type { RunInput, RunOptions } from "../contracts/run-options.ts";
import { busTap } from "../events/event-bus.ts";
import { createResumableBuffer } from "../events/resumable-buffer.ts";
import { tokenTap } from "../events/token-handlers.ts";
import { ToolMissingError } from "../errors/run-errors.ts";
import type { OpenedJournal } from "../journal/open-journal.ts";
import type { RunState } from "../journal/run-state.ts";
import type { AgentShared } from "./start/agent-shared.ts";
import {
  applySignalledDecisions,
  checkDecisions,
  recordDecisions,
  type CheckedDecisions,
} from "./inbox/apply-decisions.ts";
import { assembleRun } from "./start/begin-run.ts";
import { callerOf, ownCallback, callerTap } from "./caller/caller.ts";
import { consoleLogger, scrubbedLogger } from "./settings/console-logger.ts";
import { journalSubscribers } from "./journal-subscribers.ts";
import { loadConversation, beforeFirstTurn, givenMessages, recordStart } from "./start/start-run.ts";
import { giveBackUnfinished, isHandedOver } from "./hand-over.ts";
import { tellCallback } from "./hooks/hook-failures.ts";
import { endRun, type Outcome } from "./end/end-run.ts";
import { joinLate } from "./end/join-session.ts";
import { inRunSpan } from "./run-span.ts";
import { stopTable } from "./stop-reason.ts";
import { beginFlow } from "./start/flow-run.ts";
import { toError } from "../user-code/call-user-code.ts";
import { forkedRun } from "./state/fork-place.ts";
import { takeSignals } from "./lease-keeper.ts";
import { RunStoppedError, type Ending } from "./limits/run-control.ts";
import { createTimerWheel, wheelClock } from "./limits/timeouts.ts";
import { buildCatalogue, refreshCatalogue } from "./start/run-catalogue.ts";
import { createRunContext, runOwner, sessionPlaceOf } from "./start/run-context.ts";
import { restoreReferences } from "./resume/restore-references.ts";
import { readIn } from "./tool-call/result-label.ts";
import { labelNote } from "./state/label-note.ts";
import { createSessionState } from "./state/session-state.ts";
import { dueStep, runLoop } from "./run-loop.ts";
import type { LoadedRun } from "./start/load-run.ts";
import { verboseTap } from "./verbose-tap.ts";
import { unansweredModelCall } from "./model/unknown-model-call.ts";
import type { EffectiveSettings } from "./settings/run-settings.ts";
import type { LiveRun, Run } from "./run.ts";

/** The way in which a process starts to drive a run. */
export interface Entry {
  readonly settings: EffectiveSettings;
  readonly options: RunOptions;
  /** Settings of a new run. */
  readonly input?: RunInput | undefined;
  readonly decisions?: readonly Decision[] | undefined;
  /** The journal under this process's lease; empty for a new run. */
  readonly opened: OpenedJournal;
  readonly sessionId: string;
  /** A stored run, as loaded. */
  readonly before?: LoadedRun | undefined;
  /** The run is driven to end it as cancelled: nothing executes, so its tools may be gone. */
  readonly cancel?: boolean | undefined;
}

/**
 * Drives a run under a lease until it ends or waits. New and resumed runs take the same way: assemble, record how it
 * came here, loop, end.
 *
 * @throws DecisionError, ToolMissingError before the first record: the run is unchanged.
 */
export async function driveRun(shared: AgentShared, live: LiveRun, entry: Entry): Promise<Outcome> {
  const { definition } = shared;
  const timers = createTimerWheel(shared.clock);
  const { settings, options, opened } = entry;
  const { state } = opened.journal;
  const logger = scrubbedLogger(settings.logger ?? consoleLogger, definition.secrets);
  const owner = runOwner(state, entry.before?.run, options, settings);
  const sessionState = createSessionState({
    runId: live.runId,
    journal: opened.journal,
    place: sessionPlaceOf(definition, settings, callerOf(options.parent), entry.sessionId, owner),
    secrets: definition.secrets,
    noteFor: (toolCallId, read) => labelNote(definition.hasher, run.flow?.storedLabel("state", toolCallId, read)),
    readIn: (toolCallId) => readIn(run, toolCallId),
  });
  const context = createRunContext({
    runId: live.runId,
    sessionId: entry.sessionId,
    settings,
    options,
    eventBus: settings.eventBus ?? shared.eventBus,
    control: live.control,
    journal: opened.journal,
    owner,
    state: sessionState,
  });
  const run: Run = assembleRun({
    definition,
    settings,
    options,
    runId: live.runId,
    context,
    sessionState,
    journal: opened.journal,
    sink: live.sink,
    control: live.control,
    timers,
    clock: wheelClock(shared.clock, timers),
    logger,
    forked: forkedRun(entry.before?.fork, opened.events),
    isFirst: (note) => {
      const isFirst = !shared.said.has(note);
      shared.said.add(note);
      return isFirst;
    },
  });
  const untap = watch(run);
  const buffer = settings.resumable === true ? createResumableBuffer() : undefined;
  live.buffer = buffer;
  const removeBuffer = buffer && live.sink.add(buffer.tap);
  live.attach(run);
  run.journal.subscribe(journalSubscribers(run, live));
  shared.keeper.add(run);
  const isNew = state.start === undefined;
  try {
    return await inRunSpan(run, isNew ? (entry.input ?? "") : undefined, opened.events, async () => {
      const endedEarly = isNew ? await startNew(run, entry) : await goOn(shared, run, entry);
      const ending = endedEarly ?? (await runLoop(run));
      if (isHandedOver(ending.error)) {
        await giveBackUnfinished(run);
        throw toError(ending.error);
      }
      live.over = stopTable[ending.reason].status === "completed";
      return endRun(run, ending);
    });
  } finally {
    shared.keeper.remove(run);
    live.detach();
    run.close();
    untap();
    removeBuffer?.();
    buffer?.close();
  }
}

/** Connects those who watch: bus, `onToken`, the calling run. */
function watch(run: Run): () => void {
  const { options, sink, definition, context } = run;
  const removers = [
    sink.add(busTap(context.eventBus, { runId: run.runId, agentName: definition.name, tenantId: context.tenantId })),
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
  if (onToken !== undefined) removers.push(sink.add(tokenTap(definition.name, onToken)));
  if (options.verbose === true) removers.push(sink.add(verboseTap(run)));
  const caller = callerOf(options.parent);
  if (caller !== undefined && options.parent !== undefined)
    removers.push(sink.add(callerTap(caller, options.parent, definition.name)));
  return () => {
    for (const remove of removers) remove();
  };
}

/** @returns how the run ended before its loop; `undefined` where the loop is next. */
async function startNew(run: Run, entry: Entry): Promise<Ending | undefined> {
  let started = false;
  try {
    const { options } = run;
    const given = givenMessages(options, () => run.ids.next("message"));
    const conversation = await loadConversation(run, options, entry.sessionId, given);
    await prepare(run, entry, conversation.history);
    recordStart(run, entry.input ?? "", conversation);
    started = true;
    // A run that was enqueued may have been cancelled or steered before it began.
    if (entry.before !== undefined) await takeSignals(run.definition.store, run);
    if (run.journal.state.cancelRequested !== undefined) return { reason: "cancelled" };
    run.flow?.journalGrants();
    tellCallback(run, "onStart", () => ownCallback(run.options, "onStart")?.(run.definition.name));
    await beforeFirstTurn(run);
  } catch (thrown) {
    // Also a run that could not begin has a beginning and an end in its journal.
    if (!started) recordStart(run, entry.input ?? "", { history: [], given: 0, state: {}, remembered: [] });
    return thrown instanceof RunStoppedError ? thrown.ending : { reason: "failed", error: toError(thrown) };
  }
  return undefined;
}

/** @returns how the run ended before its loop; `undefined` where the loop is next. */
async function goOn(shared: AgentShared, run: Run, entry: Entry): Promise<Ending | undefined> {
  const { state } = run.journal;
  const changed = state.definitionHash !== run.definition.definitionHash;
  const decisions = await checkBefore(run, entry, state);
  await restoreReferences(run);
  run.journal.record({ type: "run.resumed", owner: run.journal.lease.owner, epoch: run.journal.lease.epoch });
  const mayChange = changed || run.definition.registry.servers.length > 0 || run.catalogue.tools.some(isModule);
  const tools = mayChange ? changedTools(run, state) : [];
  if (changed || tools.length > 0) {
    run.journal.record({
      type: "run.definition_changed",
      from: state.definitionHash,
      to: run.definition.definitionHash,
      tools,
    });
  }
  run.flow?.journalGrants();
  await takeSignals(shared.definition.store, run);
  recordDecisions(run, decisions, "resume");
  await applySignalledDecisions(run);
  if (state.cancelRequested !== undefined) return { reason: "cancelled" };
  // A request that may have reached the vendor with a hosted writer is not repeated before a person has decided.
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
  if (entry.before !== undefined) await joinLate(run.definition, run.settings.session, { ...entry.before, state });
  await prepare(run, entry, state.messages);
  if (entry.cancel !== true) checkPendingTools(run, state);
  return checkDecisions(run, entry.decisions ?? []);
}

async function prepare(run: Run, entry: Entry, conversation: readonly Message[]): Promise<void> {
  await run.definition.secrets?.ready();
  await run.definition.http.ready();
  run.catalogue = await buildCatalogue(run, conversation);
  if (run.definition.registry.servers.length > 0) run.refreshTools = () => refreshCatalogue(run);
  run.flow = await beginFlow(run);
  const { flow } = run;
  if (flow !== undefined) {
    for (const event of entry.opened.events) flow.observe(event);
    run.journal.labelWith((event) => flow.labelFor(event));
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

/** Its code is a file, which can change while the agent stays the same. */
function isModule({ __sandbox }: ResolvedTool): boolean {
  return __sandbox !== undefined;
}

function changedTools(run: Run, state: RunState): readonly string[] {
  const before = state.start?.tools ?? {};
  const now = Object.fromEntries(run.catalogue.tools.map((tool) => [tool.name, tool.__definitionHash]));
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name]);
}
