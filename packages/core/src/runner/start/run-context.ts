import type { EventBus } from "../../contracts/event-bus.ts";
import type { JsonValue } from "../../contracts/json.ts";
import type { Owner } from "../../contracts/owner.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { RunOptions, RunSettings } from "../../contracts/run-options.ts";
import type { Journal } from "../../journal/journal.ts";
import { frozenCopy, frozenView } from "../../user-code/copies.ts";
import type { RunControl } from "../limits/run-control.ts";
import { reservedStatePrefix } from "./session-approvals.ts";

/** What a context is made of. */
export interface RunContextOptions {
  readonly runId: string;
  readonly sessionId: string;
  readonly settings: RunSettings;
  readonly options: RunOptions;
  readonly eventBus: EventBus;
  readonly control: RunControl;
  readonly journal: Journal;
  /** The owner of a stored run, which its options cannot change. */
  readonly owner: Owner | undefined;
}

/** Makes the context that tools, hooks, guardrails and instructions get. Changes of state are journaled. */
export function createRunContext(given: RunContextOptions): RunContext {
  return Object.freeze(new Context(given));
}

/** A class, because there is one for every run: getters in a literal take more memory. Its functions are its own, so that they can be taken out of it. */
class Context implements RunContext {
  readonly runId: string;
  readonly sessionId: string;
  readonly userId: string | undefined;
  readonly tenantId: string | undefined;
  readonly metadata: RunContext["metadata"];
  readonly eventBus: EventBus;
  readonly dependencies: unknown;
  readonly extraVars: RunContext["extraVars"];
  readonly getState: RunContext["getState"];
  readonly setState: RunContext["setState"];
  readonly #journal: Journal;
  readonly #control: RunControl;

  constructor({ runId, sessionId, settings, options, eventBus, control, journal, owner }: RunContextOptions) {
    const { start } = journal.state;
    this.runId = runId;
    this.sessionId = sessionId;
    const claimed = owner ?? { tenantId: options.tenantId, userId: options.userId ?? settings.userId };
    // A run that was begun without a user may have been claimed since.
    this.userId = start?.userId ?? claimed.userId;
    this.tenantId = start?.tenantId ?? claimed.tenantId;
    this.metadata = frozenCopy(start?.metadata ?? options.metadata ?? {});
    this.eventBus = eventBus;
    this.dependencies = settings.dependencies;
    this.extraVars = frozenCopy(options.extraVars ?? start?.extraVars ?? {});
    this.getState = <T = unknown>(key: string): T | undefined => {
      const { sessionState } = journal.state;
      const known = Object.hasOwn(sessionState, key) && !key.startsWith(reservedStatePrefix);
      return known ? frozenView(sessionState[key] as T) : undefined;
    };
    this.setState = (key: string, value: unknown): void => {
      if (key.startsWith(reservedStatePrefix))
        throw new TypeError(
          `setState("${key}"): keys that begin with "${reservedStatePrefix}" are the framework's. Take another one.`,
        );
      journal.record({ type: "state.changed", stateKey: key, value: asJson(key, value) });
    };
    this.#journal = journal;
    this.#control = control;
  }

  get sessionState(): Readonly<Record<string, unknown>> {
    return frozenCopy(withoutReserved(this.#journal.state.sessionState));
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }
}

/** State as the application has it; mostly all of it. */
function withoutReserved(state: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isReserved = (key: string): boolean => key.startsWith(reservedStatePrefix);
  if (!Object.keys(state).some(isReserved)) return state;
  return Object.fromEntries(Object.entries(state).filter(([key]) => !isReserved(key)));
}

function asJson(key: string, value: unknown): JsonValue {
  const text = JSON.stringify(value);
  if (text === undefined)
    throw new TypeError(`setState("${key}") needs a JSON value, not ${typeof value}: it is kept with the session.`);
  return JSON.parse(text) as JsonValue;
}
