import type { JournalEvent, JournalEventInput, JournalEventOf, JournalEventType } from "../contracts/journal-event.ts";
import { noUsage, foldModelResult } from "./fold-model.ts";
import { foldCallEvent, foldWriters } from "./fold-call.ts";
import { dropPendingDecision, dropSignal, foldGuardrail, foldMedia, foldSignal, takePending } from "./fold-inputs.ts";
import { foldStateChange, foldStateConflict, foldStateSave } from "./fold-session-state.ts";
import { callKey, type RunState } from "./run-state.ts";
import { foldJoin, isMessage } from "./session-join.ts";

/** The state of a run without a journal. */
export function emptyRunState(): RunState {
  return {
    seq: 0,
    start: undefined,
    messages: [],
    firstOwnMessage: 0,
    sessionFrom: 0,
    marked: undefined,
    turn: 0,
    openModelCall: undefined,
    backgroundId: undefined,
    lastAnswer: undefined,
    calls: new Map(),
    turnCalls: [],
    toolCalls: [],
    usage: noUsage,
    perRequest: [],
    costUsd: 0,
    ownCostUsd: 0,
    usageInside: [],
    modelMs: 0,
    toolMs: 0,
    retries: 0,
    modelCalls: 0,
    timeToFirstTokenMs: undefined,
    responseId: undefined,
    remembered: [],
    sessionState: {},
    unsavedState: new Map(),
    stateWrites: new Map(),
    promoted: [],
    takenSignals: new Set(),
    pendingSignals: [],
    sentMessages: new Set(),
    joinedBeside: new Set(),
    pendingDecisions: [],
    decided: new Map(),
    cancelRequested: undefined,
    warnings: [],
    activeAgent: "",
    handedOver: undefined,
    definitionHash: "",
    writers: undefined,
    formerReaders: [],
    suspended: undefined,
    end: undefined,
    compaction: undefined,
    tokenRatio: 1,
    memory: undefined,
    unfetched: new Map(),
    callIds: new Set(),
    keyCounts: new Map(),
  };
}

/**
 * Applies one record to a run's state: the only place where state changes. The same records make the same state, live
 * and on load; records of unknown types advance `seq` and nothing else.
 *
 * @param state - Changed in place.
 * @param event - The record after `state.seq`.
 */
export function fold(state: RunState, event: JournalEvent): void {
  countKey(state, event);
  const { recordedAt } = state;
  state.seq = event.seq;
  state.recordedAt = event.at;
  switch (event.type) {
    case "run.start":
      state.start = event;
      state.firstOwnMessage = event.inputAt ?? event.history.length;
      state.messages = event.history.toSpliced(state.firstOwnMessage, 0, ...event.input);
      state.sessionFrom = state.firstOwnMessage;
      state.sessionState = { ...event.sessionState };
      state.remembered = [...(event.remembered ?? [])];
      state.activeAgent = event.agentName;
      state.definitionHash = event.definitionHash;
      state.writers = event.writers;
      for (const message of event.history) {
        if (message.role === "assistant") for (const call of message.toolCalls) state.callIds.add(call.id);
      }
      return;
    case "run.resumed":
      foldJoin(state);
      state.formerHeardAt = recordedAt;
      state.suspended = undefined;
      state.end = undefined;
      return;
    case "run.definition_changed":
      state.definitionHash = event.to;
      if (event.writers !== undefined) foldWriters(state, event.writers);
      return;
    case "model.intent":
      foldModelIntent(state, event);
      return;
    case "model.started":
      state.backgroundId = event.responseId;
      return;
    case "model.result":
      foldModelResult(state, event);
      return;
    case "tool.call":
    case "tool.approval.requested":
    case "tool.approval.decided":
    case "tool.intent":
    case "tool.outcome":
    case "tool.result":
    case "flow.decided":
    case "flow.lowered":
    case "input.requested":
    case "input.answered":
    case "sleep.begun":
    case "sleep.ended":
    case "child.suspended":
    case "child.decided":
      foldCallEvent(state, event);
      return;
    case "model.decided":
      state.decided.set(event.decision.id, {
        interruption: undefined,
        decision: event.decision,
        via: event.via,
        at: event.at,
      });
      dropPendingDecision(state, event.decision.id);
      return;
    case "signal.taken":
      foldSignal(state, event.signal);
      return;
    case "signal.dropped":
      dropSignal(state, event.signalId);
      return;
    case "message.inserted":
      if (isMessage({ name: event.by })) state.sentMessages.add(event.message.id);
      state.messages.push(event.message);
      // After a handoff, the agent of the run answers the message; it may hand over again.
      state.activeAgent = state.start?.agentName ?? state.activeAgent;
      takePending(state, event);
      return;
    case "catalogue.promoted":
      for (const name of event.toolNames) if (!state.promoted.includes(name)) state.promoted.push(name);
      return;
    case "state.changed":
      foldStateChange(state, event);
      return;
    case "state.conflict":
      foldStateConflict(state, event);
      return;
    case "state.saved":
      foldStateSave(state, event);
      return;
    case "handoff.transfer":
      state.activeAgent = event.toAgent;
      state.handedOver = { turn: state.turn, toolCallId: event.toolCallId };
      return;
    case "guardrail.decided":
      foldGuardrail(state, event);
      return;
    case "compaction":
      state.compaction = event;
      state.tokenRatio = event.tokenRatio ?? state.tokenRatio;
      return;
    case "memory.recalled":
      // The memories of another message may fit again.
      if (state.compaction?.memories !== undefined) state.compaction = { ...state.compaction, memories: undefined };
      if (event.forMessageId !== undefined)
        state.memory = { forMessageId: event.forMessageId, memories: event.memories };
      return;
    case "media.fetched":
      foldMedia(state, event);
      return;
    case "run.suspended":
      state.suspended = event;
      return;
    case "run.end":
      state.end = event;
      return;
    default:
      // The flow policy, the audit and observers read it, or it is of a later version of the framework.
      return;
  }
}

/**
 * Folds a whole journal.
 *
 * @param events - In order of `seq`.
 * @example
 * ```ts
 * import { foldJournal } from "@bailiwick/core";
 *
 * export const state = foldJournal([]);
 * ```
 */
export function foldJournal(events: Iterable<JournalEvent>): RunState {
  const state = emptyRunState();
  for (const event of events) fold(state, event);
  return state;
}

/** A record about one call, or one attempt of it. */
interface PlacedRecord {
  readonly turn: number;
  readonly index: number;
  readonly attempt?: number;
}

/** The record from which a key is derived, stored or not yet. */
type Keyed = JournalEvent | JournalEventInput;

/**
 * Derives the key of the next record of its type from the earlier records. This is the only place that makes keys: an
 * event that can happen once has one key (the store refuses a second one), and an event that may repeat gets a number.
 */
export function eventKey(state: Pick<RunState, "keyCounts">, event: Keyed): string {
  const name = nameOf(event);
  if (happensOnce(event)) return name;
  const count = (state.keyCounts.get(name) ?? 0) + 1;
  if (name === event.type) return `${name}#${count}`;
  return count === 1 ? name : `${name}/${count}`;
}

/** Counts a record that may repeat, so that the next one of its name gets the next number. */
function countKey(state: Pick<RunState, "keyCounts">, event: Keyed): void {
  if (happensOnce(event)) return;
  const name = nameOf(event);
  state.keyCounts.set(name, (state.keyCounts.get(name) ?? 0) + 1);
}

/** True if a second record of the same name is an error. This holds for most records, which therefore need no count. */
function happensOnce(event: Keyed): boolean {
  switch (event.type) {
    case "run.start":
    case "tool.call":
    case "tool.intent":
    case "tool.outcome":
    case "tool.result":
      return true;
    case "model.intent":
    case "model.result":
      return !isBeside(event.purpose);
    default:
      return false;
  }
}

/** The end of the keys of records about one call. */
const callParts: { readonly [Type in JournalEventType]?: string } = {
  "tool.approval.requested": "/approval",
  "tool.approval.decided": "/approval/decided",
  "flow.decided": "/flow",
  "flow.extract": "/extract",
  "flow.lowered": "/lowered",
  "tool.intent": "/intent",
  "tool.outcome": "/outcome",
  "child.suspended": "/run/suspended",
  "child.decided": "/run/decided",
  "tool.result": "/result",
};

/** A place in the run, or the type of the record if it has none. */
function nameOf(event: Keyed): string {
  switch (event.type) {
    case "run.start":
      return "run/start";
    case "run.end":
      // A failed run that is resumed ends again.
      return "run/end";
    case "model.intent":
      return isBeside(event.purpose) ? event.type : `t${event.turn}/model/intent/a${event.attempt}`;
    case "model.started":
      return `t${event.turn}/model/started/a${event.attempt}`;
    case "model.result":
      return isBeside(event.purpose) ? event.type : `t${event.turn}/model`;
    case "tool.call": {
      const key = `${callKey(event.turn, event.index)}/call`;
      return event.round === undefined ? key : `${key}/r${event.round}`;
    }
    default: {
      const part = callParts[event.type];
      if (part === undefined) return event.type;
      const { turn, index, attempt = 1 } = event as unknown as PlacedRecord;
      const key = `${callKey(turn, index)}${part}`;
      return attempt <= 1 ? key : `${key}/a${attempt}`;
    }
  }
}

function isBeside(purpose: string | undefined): boolean {
  return purpose !== undefined && purpose !== "turn";
}

function foldModelIntent(state: RunState, event: JournalEventOf<"model.intent">): void {
  if (event.purpose !== undefined && event.purpose !== "turn") return;
  // The earlier attempt was lost or failed: the vendor may have charged for it.
  if (state.openModelCall !== undefined) state.modelCalls += 1;
  if (event.turn > state.turn) {
    state.turn = event.turn;
    state.turnCalls = [];
  }
  state.openModelCall = event;
  state.backgroundId = undefined;
}
