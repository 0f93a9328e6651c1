import type { EventBus } from "./event-bus.ts";
import type { Owner } from "./owner.ts";

/** The current run, as tools, hooks, guardrails and dynamic instructions see it. */
export interface RunContext<Dependencies = unknown> extends Owner {
  /** Id of the run. */
  readonly runId: string;
  /** Name of the agent whose run this is; of the inner agent inside a call or after a handoff. */
  readonly agentName: string;
  /** The session; a new UUID when none was given. */
  readonly sessionId: string;
  /** The outermost run: this run itself, or the one in whose tool calls it runs. */
  readonly root: { readonly runId: string; readonly sessionId: string };
  /** Values of the caller, stored with the run. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The agent's event bus. */
  readonly eventBus: EventBus;
  /** Key-value state that is kept with the session; change it with `setState`. */
  readonly sessionState: Readonly<Record<string, unknown>>;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /**
   * Objects of the caller, such as a database; never stored. Plain data is this run's own copy; functions and instances
   * of classes are the caller's.
   */
  readonly dependencies: Dependencies;
  /** Variables of this run, such as the item of a `map`. */
  readonly extraVars: Readonly<Record<string, unknown>>;
  /**
   * Reads a value of the session's state.
   *
   * @param key - Name of the value.
   * @returns the value, or `undefined` if the key is not set.
   */
  getState<T = unknown>(key: string): T | undefined;
  /**
   * Sets a value of the session's state. The change is journaled, and saved when the run ends. If another run changed the
   * key since, this value is kept, and the output and the journal name the conflict (`SESSION_CONFLICT`).
   *
   * @param key - Name of the value.
   * @param value - Plain JSON. `undefined` members are left out.
   * @throws BailiwickError `NOT_JSON` with the path of what JSON cannot keep.
   */
  setState(key: string, value: unknown): void;
  /**
   * Changes the newest value of the session's state, at once and for every run of the session: changes of several
   * runs are applied one after the other, and none is lost. A call that runs again after a crash does not apply its
   * change twice.
   *
   * @param key - Name of the value.
   * @param change - Returns the new value, as plain JSON. May be called again when another run was faster.
   * @returns the new value.
   * @throws BailiwickError `NOT_JSON` with the path of what JSON cannot keep.
   */
  updateState<T = unknown>(key: string, change: (value: T | undefined) => T): Promise<T>;
}
