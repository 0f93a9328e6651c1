import { BailiwickError } from "../../errors/bailiwick-error.ts";
import type { EventBus } from "../../contracts/event-bus.ts";
import type { Owner } from "../../contracts/owner.ts";
import type { RunContext } from "../../contracts/run-context.ts";
import type { RunOptions, RunSettings } from "../../contracts/run-options.ts";
import type { Journal } from "../../journal/journal.ts";
import { frozenCopy, frozenView, ownGraph } from "../../user-code/copies.ts";
import type { RunControl } from "../limits/run-control.ts";
import { reservedStatePrefix } from "../../journal/fold-session-state.ts";
import { readOptions } from "../settings/check-settings.ts";
import type { SessionState, SessionPlace } from "../state/session-state.ts";
import { sealedSessions } from "../../journal/sealed-sessions.ts";
import type { Caller } from "../caller/caller.ts";
import type { EffectiveSettings } from "../settings/run-settings.ts";
import type { Agent, Run } from "../run.ts";

/** The parts of a run that its context shows. */
type ContextParts = Pick<Run, "runId" | "agent" | "settings" | "options" | "control" | "journal" | "sessionState">;

/** Makes the context that tools, hooks, guardrails and instructions get. Changes of state are journaled. */
export function createRunContext(
  run: ContextParts,
  sessionId: string,
  owner: Owner,
  caller: Pick<Caller, "root"> | undefined,
): RunContext {
  return Object.freeze(new Context(run, sessionId, owner, caller?.root));
}

/**
 * A class, because there is one for every run: getters in a literal take more memory. Its functions are own members, so
 * that they can be destructured.
 */
class Context implements RunContext {
  readonly runId: string;
  readonly agentName: string;
  readonly sessionId: string;
  readonly root: RunContext["root"];
  readonly userId: string | undefined;
  readonly tenantId: string | undefined;
  readonly metadata: RunContext["metadata"];
  readonly eventBus: EventBus;
  readonly dependencies: unknown;
  readonly extraVars: RunContext["extraVars"];
  readonly getState: RunContext["getState"];
  readonly setState: RunContext["setState"];
  readonly updateState: RunContext["updateState"];
  readonly #state: SessionState;
  readonly #control: RunControl;

  constructor(
    run: ContextParts,
    sessionId: string,
    { tenantId, userId }: Owner,
    root: RunContext["root"] = Object.freeze({ runId: run.runId, sessionId }),
  ) {
    const { runId, agent, settings, options, control, journal, sessionState: state } = run;
    const { start } = journal.state;
    this.runId = runId;
    this.agentName = agent.name;
    this.sessionId = sessionId;
    this.root = root;
    this.userId = userId;
    this.tenantId = tenantId;
    this.metadata = frozenCopy(start?.metadata ?? options.metadata ?? {});
    this.eventBus = settings.eventBus ?? agent.eventBus;
    // A run's own, so that no tool changes what the run of another user gets.
    const { dependencies = {} } = settings;
    this.dependencies = readOptions({ dependencies }, `run of agent "${agent.name}"`, () => ownGraph(dependencies));
    this.extraVars = frozenCopy(options.extraVars ?? start?.extraVars ?? {});
    this.getState = <T = unknown>(key: string): T | undefined => {
      const { sessionState } = journal.state;
      const known = Object.hasOwn(sessionState, key) && !key.startsWith(reservedStatePrefix);
      return known ? frozenView(sessionState[key] as T) : undefined;
    };
    this.setState = (key: string, value: unknown): void => state.set(key, value);
    let updates: number | undefined;
    this.updateState = (key, change) => {
      // Numbered over all processes that drive the run.
      updates ??= [...journal.state.stateWrites.keys()].filter((name) => name.startsWith(updatePrefix)).length;
      updates += 1;
      return state.update(key, change, `${updatePrefix}${updates}`);
    };
    this.#state = state;
    this.#control = control;
  }

  get sessionState(): Readonly<Record<string, unknown>> {
    return shownState(this.#state.current());
  }

  get signal(): AbortSignal {
    return this.#control.signal;
  }
}

/** Names the changes that hooks, guardrails and instructions make. */
const updatePrefix = "run/";

/** The owner of a run: that of its row and its first record, or of the options of a new one. */
export function runOwner(
  { start }: Journal["state"],
  stored: Owner | undefined,
  options: RunOptions,
  settings: RunSettings,
): Owner {
  const claimed = stored ?? { tenantId: options.tenantId, userId: options.userId ?? settings.userId };
  // A run that began without a user may have been claimed since.
  return { tenantId: start?.tenantId ?? claimed.tenantId, userId: start?.userId ?? claimed.userId };
}

/** The session that stores a run's state: after a handoff, that of the run that handed the conversation over. */
export function sessionPlaceOf(
  { sealer }: Pick<Agent, "sealer">,
  { session }: Pick<EffectiveSettings, "session">,
  caller: Caller | undefined,
  sessionId: string,
  owner: Owner,
): SessionPlace | undefined {
  const handed = caller?.handedState();
  if (handed !== undefined) return handed.place;
  return session === undefined ? undefined : { store: sealedSessions(session, sealer), sessionId, owner };
}

/** The session's state as code reads it: a frozen copy. An assignment throws, and names the functions that write. */
function shownState(state: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shown = Object.create(refusesNew) as Record<string, unknown>;
  for (const [key, value] of Object.entries(frozenCopy(state)))
    Object.defineProperty(shown, key, {
      enumerable: true,
      get: () => value,
      set() {
        refuse(key);
      },
    });
  return Object.freeze(shown);
}

/** Assigning a key that an object does not have reaches its prototype. */
const refusesNew = new Proxy(Object.prototype, { set: (_target, key) => refuse(String(key)) });

function refuse(key: string): never {
  throw new BailiwickError(
    "STATE_READ_ONLY",
    `ctx.sessionState is a copy, and "${key}" was not written. Use ctx.setState("${key}", value), or await ctx.updateState("${key}", (value) => …) where several runs write it.`,
  );
}
