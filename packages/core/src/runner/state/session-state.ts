import type { JsonValue } from "../../contracts/json.ts";
import type { Owner } from "../../contracts/owner.ts";
import type { ResultLabel } from "../../contracts/tool-flow.ts";
import type { StateChange } from "../../contracts/ports/flow-policy.ts";
import type { SecretsPort } from "../../contracts/ports/security.ts";
import type { SessionStore } from "../../contracts/ports/session-store.ts";
import { BailiwickError } from "../../errors/bailiwick-error.ts";
import { durableJson } from "../../json/checked-json.ts";
import { canonicalJson, isSameJson } from "../../json/canonical-json.ts";
import { readPrefix, reservedStatePrefix, stateValue } from "../../journal/fold-session-state.ts";
import type { Journal } from "../../journal/journal.ts";
import { askUserCodeNow } from "../../user-code/call-user-code.ts";
import { ownCopy } from "../../user-code/copies.ts";
import type { Label } from "../../contracts/label.ts";
import type { Hasher } from "../../contracts/ports/hasher.ts";

/** Number of tries of a write that another run overtakes. */
const mostTries = 1_000;

/** A label in the form in which a session's state keeps it. */
export interface LabelNote {
  readonly key: string;
  readonly value: JsonValue;
}

/** Returns the label of values that the run or one of its tools stores; of one change alone if it is given. */
type NoteFor = (
  toolCallId: string | undefined,
  read: ResultLabel | undefined,
  change: StateChange | undefined,
) => LabelNote | undefined;

/** The session that keeps the state of a run. */
export interface SessionPlace {
  readonly store: SessionStore;
  readonly sessionId: string;
  readonly owner: Owner;
}

/** The session state of one run: its changes, and the time at which the session's store gets them. */
export class SessionState {
  /** `undefined` if the run has no session: its state ends with it. */
  readonly place: SessionPlace | undefined;
  readonly #runId: string;
  readonly #journal: Journal;
  readonly #secrets: Pick<SecretsPort, "scrub"> | undefined;
  readonly #noteFor: NoteFor;
  readonly #readIn: (toolCallId: string) => ResultLabel | undefined;
  /** Changes of this run are sent to the store one after the other. */
  #last: Promise<unknown> | undefined;

  /**
   * @param given - `noteFor` returns the label of values that the run or one of its tools stores; `readIn`, the label of
   *   the data that a call has read besides its arguments.
   */
  constructor(given: {
    readonly runId: string;
    readonly journal: Journal;
    readonly place: SessionPlace | undefined;
    readonly secrets: Pick<SecretsPort, "scrub"> | undefined;
    readonly noteFor?: NoteFor;
    readonly readIn?: (toolCallId: string) => ResultLabel | undefined;
  }) {
    this.#runId = given.runId;
    this.#journal = given.journal;
    this.place = given.place;
    this.#secrets = given.secrets;
    this.#noteFor = given.noteFor ?? noNote;
    this.#readIn = given.readIn ?? noNote;
  }

  /** The application's values, as this run has them. */
  current(): Readonly<Record<string, unknown>> {
    const { sessionState } = this.#journal.state;
    const isReserved = (key: string): boolean => key.startsWith(reservedStatePrefix);
    if (!Object.keys(sessionState).some(isReserved)) return sessionState;
    return Object.fromEntries(Object.entries(sessionState).filter(([key]) => !isReserved(key)));
  }

  /**
   * Journals a new value, which is saved at the run's end.
   *
   * @param toolCallId - The tool call that sets it; `undefined` for other functions of the run.
   * @throws BailiwickError `NOT_JSON`, `RESERVED_KEY`
   */
  set(key: string, value: unknown, toolCallId?: string): void {
    const checked = checkedValue("setState", key, value);
    this.#journal.record({ type: "state.changed", stateKey: key, value: checked, ...this.#by(toolCallId) });
  }

  /**
   * Changes the newest value in the session's store.
   *
   * @param once - Names the change within the run: a second one with this name gets the value of the first.
   * @param toolCallId - The tool call that changes it; `undefined` for other functions of the run.
   * @throws BailiwickError `NOT_JSON`, `RESERVED_KEY`
   */
  async update<T>(key: string, change: (value: T | undefined) => T, once: string, toolCallId?: string): Promise<T> {
    checkKey("updateState", key);
    const before = this.#last;
    const updated = (async (): Promise<T> => {
      await before?.catch(() => undefined);
      return this.#update(key, change, once, toolCallId);
    })();
    this.#last = updated;
    return updated;
  }

  /**
   * Saves the changes of `set`. Values that another run changed in the meantime are replaced, and journaled as
   * conflicts.
   */
  async save(): Promise<void> {
    await this.#last?.catch(() => undefined);
    const { state } = this.#journal;
    if (this.place === undefined || state.unsavedState.size === 0) return;
    // A process that lost the run finds out here, and saves nothing.
    await this.#journal.commit();
    for (let tries = 0; state.unsavedState.size > 0; tries += 1) {
      if (tries === mostTries) throw busy([...state.unsavedState.keys()].join('", "'));
      const stateKeys = [...state.unsavedState.keys()];
      // Numbered by earlier saves, so that a resumed run uses the same name and the store skips the
      // repeated write.
      const once = `save/${state.keyCounts.get("state.saved") ?? 0}`;
      const written = await this.#write(
        stateKeys.map((key) => [key, state.sessionState[key] as JsonValue, state.unsavedState.get(key)]),
        once,
        await this.place.store.loadState(this.place.sessionId, this.place.owner),
      );
      if (written.written)
        this.#journal.record({
          type: "state.saved",
          stateKeys,
          values: written.repeated as Readonly<Record<string, JsonValue>> | undefined,
        });
      else this.#noteNewer(written.newer);
    }
  }

  async #update<T>(
    key: string,
    change: (value: T | undefined) => T,
    once: string,
    toolCallId: string | undefined,
  ): Promise<T> {
    const { state } = this.#journal;
    if (state.stateWrites.has(once)) return ownCopy(state.stateWrites.get(once)) as T;
    const compute = (value: unknown): JsonValue => {
      const answer = change(ownCopy(value) as T | undefined);
      // Refused below; its rejection is handled here.
      askUserCodeNow("updateState", () => answer);
      const changed = checkedValue("updateState", key, answer);
      return this.#secrets?.scrub(changed) ?? changed;
    };
    if (this.place === undefined)
      return this.#changed(key, compute(stateValue(state.sessionState, key)), once, toolCallId);
    const { store, sessionId, owner } = this.place;
    await this.#journal.commit();
    for (let tries = 0; tries < mostTries; tries += 1) {
      const all = await store.loadState(sessionId, owner);
      this.#joinLabels(all);
      const stored = stateValue(all, key);
      // A value that this run set, but has not saved yet, is newer than the stored one.
      const isSet = state.unsavedState.has(key);
      if (isSet && !isSameJson(stored, state.unsavedState.get(key))) this.#noteNewer({ [key]: stored });
      const value = compute(isSet ? state.sessionState[key] : stored);
      const written = await this.#write([[key, value, stored]], once, all, toolCallId);
      if (written.written) {
        const kept = written.repeated === undefined ? value : (stateValue(written.repeated, key) as JsonValue);
        return this.#changed(key, kept, once, toolCallId);
      }
    }
    throw busy(key);
  }

  /** Takes over the labels of other runs of the session, before one of their values is read [flow.r9.state]. */
  #joinLabels(stored: Readonly<Record<string, unknown>>): void {
    for (const [stateKey, value] of Object.entries(stored))
      if (stateKey.startsWith(readPrefix) && !Object.hasOwn(this.#journal.state.sessionState, stateKey))
        this.#journal.record({ type: "state.changed", stateKey, value: value as JsonValue, found: true });
  }

  #changed<T>(key: string, value: JsonValue, once: string, toolCallId: string | undefined): T {
    this.#journal.record({ type: "state.changed", stateKey: key, value, once, ...this.#by(toolCallId) });
    return ownCopy(value) as T;
  }

  /** The call that stores a value, and the label of its reads. */
  #by(toolCallId: string | undefined): { readonly toolCallId?: string; readonly read?: ResultLabel | undefined } {
    return toolCallId === undefined ? {} : { toolCallId, read: this.#readIn(toolCallId) };
  }

  #write(
    writes: readonly (readonly [key: string, value: unknown, expected: unknown])[],
    once: string,
    stored: Readonly<Record<string, unknown>>,
    toolCallId?: string,
  ): ReturnType<SessionStore["writeState"]> {
    const { store, sessionId, owner } = this.place as SessionPlace;
    // The label is stored with the value: a run that reads the value before this one ends has both [flow.r9.state].
    const [first, ...others] = writes;
    const change = first === undefined || others.length > 0 ? undefined : { before: first[2], after: first[1] };
    const note = this.#noteFor(toolCallId, this.#by(toolCallId).read, change);
    const isNew = note !== undefined && !Object.hasOwn(stored, note.key);
    return store.writeState(
      sessionId,
      [
        ...writes.map(([key, value, expected]) => ({ key, value, expected })),
        ...(isNew ? [{ ...note, expected: undefined }] : []),
      ],
      { ...owner, runId: this.#runId, once },
    );
  }

  /** Journals which values of other runs this run's values replace; equal values replace nothing. */
  #noteNewer(newer: Readonly<Record<string, unknown>>): void {
    const { state } = this.#journal;
    for (const [stateKey, value] of Object.entries(newer)) {
      // The next try reads the labels.
      if (stateKey.startsWith(readPrefix)) continue;
      if (isSameJson(value, stateValue(state.sessionState, stateKey))) state.unsavedState.set(stateKey, value);
      else this.#journal.record({ type: "state.conflict", stateKey, newer: value as JsonValue | undefined });
    }
  }
}

const noNote = (): undefined => undefined;

function checkKey(method: string, key: string): void {
  if (typeof key === "string" && !key.startsWith(reservedStatePrefix)) return;
  throw new BailiwickError(
    "RESERVED_KEY",
    `${method}("${key}"): keys that begin with "${reservedStatePrefix}" are reserved for the framework. Use another key.`,
  );
}

function checkedValue(method: string, key: string, value: unknown): JsonValue {
  checkKey(method, key);
  const json = durableJson(value);
  if (json.ok) return json.value;
  throw new BailiwickError(
    "NOT_JSON",
    `${method}("${key}") was given ${json.problem}, which is not plain JSON. Session state is kept across processes: give a JSON value.`,
  );
}

function busy(keys: string): BailiwickError {
  return new BailiwickError(
    "SESSION_CONFLICT",
    `The session's "${keys}" was changed by other runs at each of ${mostTries} tries. Nothing was written; spread the writes over several keys.`,
  );
}

/** A label as a session's state stores it; `undefined` for a label that restricts nothing. */
export function labelNote(hasher: Hasher, label: Label | undefined): LabelNote | undefined {
  if (label === undefined || (label.integrity !== "untrusted" && label.readers === "public")) return undefined;
  const readers = typeof label.readers === "string" ? label.readers : label.readers.toSorted();
  const value: JsonValue = { integrity: label.integrity, readers, ...(label.assumed === true && { assumed: true }) };
  return { key: `${readPrefix}${hasher.sha256(canonicalJson(value)).slice(0, 16)}`, value };
}
