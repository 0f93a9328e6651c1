import type { JsonValue } from "../contracts/json.ts";
import type { JournalEventOf } from "../contracts/journal-event.ts";
import { isSameJson } from "../json/canonical-json.ts";
import { setEntry } from "./fold-inputs.ts";
import type { RunState } from "./run-state.ts";

/** Keys of session state with this prefix belong to the framework: tools neither see nor set them. */
export const reservedStatePrefix = "bailiwick:";

/**
 * Keys under this prefix hold the labels of the models' inputs in a session's runs. They are stored with the session's
 * state.
 */
export const readPrefix: string = `${reservedStatePrefix}read:`;

/** The own value of a key, or `undefined`; inherited names do not count. */
export function stateValue(state: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(state, key) ? state[key] : undefined;
}

/** Applies a change of one key: `once` names a write that the session's store already has. */
export function foldStateChange(state: RunState, { stateKey, value, once }: JournalEventOf<"state.changed">): void {
  if (once !== undefined) {
    state.unsavedState.delete(stateKey);
    state.stateWrites.set(once, value);
  } else if (!state.unsavedState.has(stateKey) && !stateKey.startsWith(reservedStatePrefix)) {
    state.unsavedState.set(stateKey, stateValue(state.sessionState, stateKey));
  }
  setEntry(state.sessionState, stateKey, value);
}

/** Applies a conflict: the run's value replaces the newer one in the store. */
export function foldStateConflict(state: RunState, { stateKey, newer }: JournalEventOf<"state.conflict">): void {
  state.unsavedState.set(stateKey, newer);
  state.warnings.push({
    code: "SESSION_CONFLICT",
    message: `Another run changed "${stateKey}" of the session after this run had read it. The value that this run set with setState() is kept; the other one is in the journal ("state.conflict"). Use ctx.updateState() to change the newest value.`,
    subject: stateKey,
  });
}

/** The keys whose values differ from those at the run's beginning. */
export function changedState({ start, sessionState }: RunState): Readonly<Record<string, JsonValue>> {
  const before = start?.sessionState ?? {};
  return Object.fromEntries(
    Object.entries(sessionState as Readonly<Record<string, JsonValue>>).filter(
      ([key, value]) => value !== stateValue(before, key) && !key.startsWith(reservedStatePrefix),
    ),
  );
}

/** Applies a save: the store has the run's values, or those of an earlier save with the same name. */
export function foldStateSave(state: RunState, { stateKeys, values }: JournalEventOf<"state.saved">): void {
  for (const key of stateKeys) {
    const current = stateValue(state.sessionState, key);
    const saved = values === undefined ? current : stateValue(values, key);
    if (values === undefined || isSameJson(saved, current)) state.unsavedState.delete(key);
    else state.unsavedState.set(key, saved);
  }
}
