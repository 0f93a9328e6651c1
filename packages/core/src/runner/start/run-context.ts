import type { EventBus } from "../../contracts/event-bus.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { RunOptions, RunSettings } from "../../contracts/run-options.ts";
import type { Journal } from "../../journal/journal.ts";
import type { RunState } from "../../journal/run-state.ts";
import { reservedStatePrefix } from "./session-approvals.ts";

/** What a context is made of. */
export interface RunContextOptions {
  readonly runId: string;
  readonly sessionId: string;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly eventBus: EventBus;
  readonly signal: AbortSignal;
  /** Of a resumed run: who it belongs to stands in its journal. */
  readonly state: RunState;
}

/** A context, with the journal it is bound to once there is one. */
export interface BoundContext {
  readonly context: RunContext;
  bind(journal: Journal): void;
}

/** Makes the context that tools, hooks, guardrails and instructions get. Changes of state are journaled. */
export function createRunContext(given: RunContextOptions): BoundContext {
  const { options, settings } = given;
  const start = given.state.start;
  let journal: Journal | undefined;
  const initial: Readonly<Record<string, unknown>> = given.state.sessionState;
  const state = (): Readonly<Record<string, unknown>> => journal?.state.sessionState ?? initial;
  const context: RunContext = {
    runId: given.runId,
    sessionId: given.sessionId,
    userId: start?.userId ?? options.userId ?? settings.userId,
    tenantId: start?.tenantId ?? options.tenantId,
    metadata: start?.metadata ?? options.metadata ?? {},
    eventBus: given.eventBus,
    get sessionState(): Readonly<Record<string, unknown>> {
      return state();
    },
    signal: given.signal,
    dependencies: settings.dependencies,
    extraVars: options.extraVars ?? start?.extraVars ?? {},
    getState<T = unknown>(key: string): T | undefined {
      const current = state();
      return Object.hasOwn(current, key) ? (current[key] as T) : undefined;
    },
    setState(key: string, value: unknown): void {
      if (key.startsWith(reservedStatePrefix))
        throw new TypeError(
          `setState("${key}"): keys that begin with "${reservedStatePrefix}" are the framework's. Take another one.`,
        );
      journal?.record({ type: "state.changed", stateKey: key, value: asJson(key, value) });
    },
  };
  return {
    context: Object.freeze(context),
    bind(bound: Journal): void {
      journal = bound;
    },
  };
}

function asJson(key: string, value: unknown): JsonValue {
  const text = JSON.stringify(value);
  if (text === undefined)
    throw new TypeError(`setState("${key}") needs a JSON value, not ${typeof value}: it is kept with the session.`);
  return JSON.parse(text) as JsonValue;
}
