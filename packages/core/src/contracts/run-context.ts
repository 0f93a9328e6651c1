import type { EventBus } from "./event-bus.ts";

/** What is known about the current run in tools, hooks, guardrails and dynamic instructions. */
export interface RunContext<Dependencies = unknown> {
  readonly runId: string;
  /** The session; a new UUID when none was given. */
  readonly sessionId: string;
  readonly userId?: string | undefined;
  readonly tenantId?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly eventBus: EventBus;
  /** Key-value state that is kept with the session; change it with `setState`. */
  readonly sessionState: Readonly<Record<string, unknown>>;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  readonly dependencies: Dependencies;
  /** Variables of this run, such as the item of a `map`. */
  readonly extraVars: Readonly<Record<string, unknown>>;
  /** Reads a value of the session's state. */
  getState<T = unknown>(key: string): T | undefined;
  /** Writes a JSON value to the session's state; it is journaled. */
  setState(key: string, value: unknown): void;
}
