import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import type { CallKey, RunState } from "./run-state.ts";

/** The record from which a key is derived, stored or not yet. */
type Keyed = JournalEvent | JournalEventInput;

/**
 * The key of a call within its run.
 *
 * @param turn - From 1.
 * @param index - Place of the call in its answer, from 0.
 */
export function callKey(turn: number, index: number): CallKey {
  return `t${turn}/c${index}`;
}

/**
 * Derives the key of the next record of its type from the earlier records. This is the only place that makes keys: an
 * event that can happen once has one key (so that the store refuses a second), an event that may repeat is numbered.
 *
 * @param state - The run before the record.
 * @param event - The record, with or without its fields.
 */
export function eventKey(state: Pick<RunState, "keyCounts">, event: Keyed): string {
  const name = nameOf(event);
  if (happensOnce(event)) return name;
  const count = (state.keyCounts.get(name) ?? 0) + 1;
  if (name === event.type) return `${name}#${count}`;
  return count === 1 ? name : `${name}/${count}`;
}

/** Counts a record that may repeat, so that the next of its name gets the next number. */
export function countKey(state: Pick<RunState, "keyCounts">, event: Keyed): void {
  if (happensOnce(event)) return;
  const name = nameOf(event);
  state.keyCounts.set(name, (state.keyCounts.get(name) ?? 0) + 1);
}

/** True if a second record of the same name is an error. Most records are such: their names need not be made to be counted. */
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

/** A place in the run, or the type of the record where it has none. */
function nameOf(event: Keyed): string {
  switch (event.type) {
    case "run.start":
      return "run/start";
    case "run.end":
      // A failed run that is resumed ends again.
      return "run/end";
    case "model.intent":
      return isBeside(event.purpose) ? event.type : `t${event.turn}/model/intent/a${event.attempt}`;
    case "model.result":
      return isBeside(event.purpose) ? event.type : `t${event.turn}/model`;
    case "tool.call":
      return `${callKey(event.turn, event.index)}/call`;
    case "tool.approval.requested":
      return `${callKey(event.turn, event.index)}/approval`;
    case "tool.approval.decided":
      return `${callKey(event.turn, event.index)}/approval/decided`;
    case "flow.decided":
      return `${callKey(event.turn, event.index)}/flow`;
    case "flow.extract":
      return `${callKey(event.turn, event.index)}/extract`;
    case "flow.lowered":
      return `${callKey(event.turn, event.index)}/lowered`;
    case "tool.intent":
      return attemptKey(event.turn, event.index, "intent", event.attempt);
    case "tool.outcome":
      return attemptKey(event.turn, event.index, "outcome", event.attempt);
    case "child.suspended":
      return `${callKey(event.turn, event.index)}/run/suspended`;
    case "child.decided":
      return `${callKey(event.turn, event.index)}/run/decided`;
    case "tool.result":
      return `${callKey(event.turn, event.index)}/result`;
    default:
      return event.type;
  }
}

function attemptKey(turn: number, index: number, what: string, attempt: number): string {
  const key = `${callKey(turn, index)}/${what}`;
  return attempt <= 1 ? key : `${key}/a${attempt}`;
}

function isBeside(purpose: string | undefined): boolean {
  return purpose !== undefined && purpose !== "turn";
}
