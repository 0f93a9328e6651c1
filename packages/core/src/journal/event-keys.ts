import type { JournalEvent, JournalEventInput } from "../contracts/journal-event.ts";
import type { CallKey, RunState } from "./run-state.ts";

/** What a key is derived from: a record, or one that is about to be. */
type Keyed = JournalEvent | JournalEventInput;

/**
 * The key of a call within its run.
 *
 * @param turn - From 1.
 * @param index - Place of the call in its answer, from 0.
 * @example
 * ```ts
 * import { callKey } from "@bailiwick/core";
 *
 * callKey(2, 0); // "t2/c0"
 * ```
 */
export function callKey(turn: number, index: number): CallKey {
  return `t${turn}/c${index}`;
}

/**
 * Derives the key of the next record of its type from what was recorded before. This is the only place that makes keys:
 * what can happen once has one key (so that the store refuses a second), what may repeat is numbered.
 *
 * @param state - The run before the record.
 * @param event - The record, with or without its fields.
 */
export function eventKey(state: Pick<RunState, "keyCounts">, event: Keyed): string {
  const family = keyFamily(event);
  if (family.once) return family.name;
  const count = (state.keyCounts.get(family.name) ?? 0) + 1;
  if (family.separator === "#") return `${family.name}#${count}`;
  return count === 1 ? family.name : `${family.name}/${count}`;
}

/** Records of calls whose families never repeat: most of a journal, whose names need not be made to be counted. */
const onceInACall: ReadonlySet<Keyed["type"]> = new Set<Keyed["type"]>(["tool.intent", "tool.outcome", "tool.result"]);

/** Counts a record, so that the next of its family gets the next number. */
export function countKey(state: Pick<RunState, "keyCounts">, event: Keyed): void {
  if (onceInACall.has(event.type)) return;
  const family = keyFamily(event);
  if (family.once) return;
  state.keyCounts.set(family.name, (state.keyCounts.get(family.name) ?? 0) + 1);
}

interface KeyFamily {
  readonly name: string;
  /** A second record of the family is an error. */
  readonly once?: boolean;
  /** `#`: always numbered; `/`: numbered from the second on. */
  readonly separator?: "#" | "/";
}

function keyFamily(event: Keyed): KeyFamily {
  switch (event.type) {
    case "run.start":
      return { name: "run/start", once: true };
    case "run.end":
      // A failed run that is resumed ends again.
      return { name: "run/end", separator: "/" };
    case "model.intent":
      if (isBeside(event.purpose)) return { name: event.type, separator: "#" };
      return { name: `t${event.turn}/model/intent/a${event.attempt}`, once: true };
    case "model.result":
      if (isBeside(event.purpose)) return { name: event.type, separator: "#" };
      return { name: `t${event.turn}/model`, once: true };
    case "tool.call":
      return { name: `${callKey(event.turn, event.index)}/call`, separator: "/" };
    case "tool.approval.requested":
      return { name: `${callKey(event.turn, event.index)}/approval`, separator: "/" };
    case "tool.approval.decided":
      return { name: `${callKey(event.turn, event.index)}/approval/decided`, separator: "/" };
    case "flow.decided":
      return { name: `${callKey(event.turn, event.index)}/flow`, separator: "/" };
    case "flow.extract":
      return { name: `${callKey(event.turn, event.index)}/extract`, separator: "/" };
    case "flow.lowered":
      return { name: `${callKey(event.turn, event.index)}/lowered`, separator: "/" };
    case "tool.intent":
      return { name: attemptKey(event.turn, event.index, "intent", event.attempt), once: true };
    case "tool.outcome":
      return { name: attemptKey(event.turn, event.index, "outcome", event.attempt), once: true };
    case "child.suspended":
      return { name: `${callKey(event.turn, event.index)}/run/suspended`, separator: "/" };
    case "child.decided":
      return { name: `${callKey(event.turn, event.index)}/run/decided`, separator: "/" };
    case "tool.result":
      return { name: `${callKey(event.turn, event.index)}/result`, once: true };
    default:
      return { name: (event as { readonly type: string }).type, separator: "#" };
  }
}

function attemptKey(turn: number, index: number, what: string, attempt: number): string {
  const key = `${callKey(turn, index)}/${what}`;
  return attempt <= 1 ? key : `${key}/a${attempt}`;
}

function isBeside(purpose: string | undefined): boolean {
  return purpose !== undefined && purpose !== "turn";
}
