import {
  checkArgument,
  checkKnownNames,
  ConfigurationError,
  type Decision,
  type Interruption,
  type RunInput,
  type RunOutput,
  type RunStore,
} from "@bailiwick/core";
import type { Clock, Logger } from "@bailiwick/core/extension";
import type { EffectRequest, Effects } from "./components/effects.ts";
import type { CheckedChat } from "./page/page-kind.ts";
import type { Receiver } from "./components/receiver.ts";
import type { PromiseName, RecordedPage, RecordedRun } from "./checker/recorded-history.ts";
import { SimulationError } from "./simulation-error.ts";
import { knownHistories, type History } from "./world/history.ts";
import type { FaultDurations } from "./world/world.ts";

/** An agent: an `Agent` of `@bailiwick/agent`, or a runtime of `@bailiwick/core`. */
export interface SimulatedAgent {
  /** Name of the agent. */
  readonly name: string;
  /**
   * Drives a stored run.
   *
   * @param runId - Id of the run.
   */
  resume(runId: string): Promise<RunOutput>;
}

/** An agent with the settings of a worker. */
export interface SimulatedAgentEntry {
  /** The agent. */
  readonly agent: SimulatedAgent;
  /** Former names of the agent. */
  readonly aliases?: readonly string[] | undefined;
  /** Largest number of parallel runs of this agent. */
  readonly concurrency?: number | undefined;
}

/** The simulated process in which `app` runs. */
export interface AppProcess {
  /** Such as `w1`, `w2`, `web` or `person`. */
  readonly name: string;
  /** `worker` drives runs, `web` takes requests, `person` answers questions. */
  readonly role: "worker" | "web" | "person";
  /** The store, as this process sees it: give it to the agents. */
  readonly store: RunStore;
  /** Clock of the process, for code that takes one. */
  readonly clock: Clock;
}

/** The application in one process. */
export interface App {
  /** Agents with the store of the process. */
  readonly agents: readonly (SimulatedAgent | SimulatedAgentEntry)[];
  /**
   * Takes the requests of simulated pages.
   *
   * @param request - The request.
   */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/**
 * Starts the application in a process; called again after each restart.
 *
 * @param process - The process, with its store and clock.
 */
export type StartApp = (process: AppProcess) => App | Promise<App>;

/** A piece of work: a run that the web process enqueues. */
export interface WorkItem {
  /** Input of the run. */
  readonly input: RunInput;
  /** Options of `enqueue` or `run`, such as `tenantId` and `sessionId`. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  /** Name of the agent. Default: the first agent. */
  readonly agent?: string | undefined;
}

/** The world, as functions of a simulation see it. */
export interface WorldView {
  /** Virtual time in milliseconds since the world began. */
  readonly time: number;
  /** Effects of all receivers. */
  readonly effects: Effects;
  /**
   * Effects that the call of a question made, as the receivers counted them.
   *
   * @param question - A question about an unknown outcome.
   */
  effectsOf(question: Interruption): readonly EffectRequest[];
  /**
   * Draws a number from 0 to 1. Equal names have equal numbers in a history.
   *
   * @param name - Name of the draw.
   */
  draw(name: string): number;
}

/** The web process, for work that a function enqueues. */
export interface WebProcess extends WorldView {
  /** Agents of the web process, by name. */
  readonly agents: Readonly<Record<string, SimulatedAgent>>;
  /** The store, as the web process sees it. */
  readonly store: RunStore;
}

/** Options with which `drive` is called. */
export interface DriveOptions {
  /** Agents that the application started in this process. */
  readonly agents: readonly (SimulatedAgent | SimulatedAgentEntry)[];
  /** Store of the runs, as this process sees it. */
  readonly store: RunStore;
  /** Logger that writes into the history. */
  readonly logger: Logger;
  /** Signals that end the worker: none, since the simulator ends processes itself. */
  readonly stopOn: readonly string[];
}

/** Which faults a simulation has. Durations are multiples of the largest lease of the agents. */
export interface FaultOptions {
  /** The process dies before its request leaves. Default `true`. */
  readonly die?: boolean | undefined;
  /** The process dies after the other side has worked, before the answer arrives. Default `true`. */
  readonly dieAfter?: boolean | undefined;
  /** The other side works, then the process is paused. Default `[0.2, 1.7, 7]`. */
  readonly pauseAfter?: boolean | readonly number[] | undefined;
  /** The process is paused before its request to the store leaves. Default `[0.2, 1.7, 7]`. */
  readonly pause?: boolean | readonly number[] | undefined;
  /**
   * `pause` also before requests to receivers. A process that stops between its last check and the request repeats an
   * effect without a key in every system. Default `false`.
   */
  readonly pauseAtReceivers?: boolean | undefined;
  /** The answer comes late. Default `[0.03, 0.7, 3]`. */
  readonly late?: boolean | readonly number[] | undefined;
  /** The answer never comes; the caller gets an error of the connection after 5 s. Default `true`. */
  readonly lost?: boolean | undefined;
  /** The component refuses everything for a while. Default `[0.07, 0.7, 4]`. */
  readonly away?: boolean | readonly number[] | undefined;
  /** A notification of the store is dropped. Default `true`. */
  readonly lostWakeUp?: boolean | undefined;
  /** The clock of a process jumps. Default `true`: an hour back, or 30 s forward. */
  readonly clock?: boolean | undefined;
  /** The store is full. Default `false`. */
  readonly full?: boolean | undefined;
  /**
   * A process restarts with other code. Default: never.
   *
   * @param version - Number of upgrades of the process so far, from 1.
   */
  readonly upgrade?: ((version: number) => StartApp) | undefined;
}

/** Extent of an exploration. */
export interface ExploreOptions {
  /** Number of histories with drawn orders and faults. Default 200. */
  readonly seeds?: number | undefined;
  /** First seed. Default 1. */
  readonly from?: number | undefined;
  /** Plays each single fault at each choice point. Default `true`. */
  readonly single?: boolean | undefined;
  /** Number of histories with two faults. Default 0. */
  readonly pairs?: number | undefined;
  /** Plays one history instead, as text or as an object. */
  readonly history?: string | History | undefined;
  /** Further histories that broke a promise once. Default: none. */
  readonly known?: readonly (string | History)[] | undefined;
  /** Plays each nth history, for several processes that share the work. Default: all. */
  readonly part?: { readonly index: number; readonly of: number } | undefined;
  /** Largest number of broken histories that are reported. Default 5: one for each promise and sentence. */
  readonly most?: number | undefined;
  /** File of the simulation, for the command in the report. */
  readonly file?: string | undefined;
}

/** Options of `simulation`. */
export interface SimulationOptions {
  /** Starts the application in a process. */
  readonly app: StartApp;
  /**
   * Drives runs in the worker processes: `worker` of `@bailiwick/worker`, or a function of its options. Default: the web
   * process calls `agent.run()` and repeats the call until the run ends.
   */
  readonly drive?: ((options: DriveOptions) => unknown) | undefined;
  /** Fake servers. Default: none. */
  readonly receivers?: readonly Receiver[] | undefined;
  /** Texts or items that the web process enqueues, or a function that enqueues and can be repeated. */
  readonly work: readonly (string | WorkItem)[] | ((web: WebProcess) => Promise<void>);
  /** Number of processes. Default `{ workers: 2, web: 1 }`. */
  readonly processes?: { readonly workers?: number | undefined; readonly web?: number | undefined } | undefined;
  /** Makes the store of a history. Default `memoryStore({ clock })`. */
  readonly store?: ((options: { readonly file: string; readonly clock: Clock }) => RunStore) | undefined;
  /** Answers questions; `undefined` leaves one open. Default: approves, and tells the truth about outcomes. */
  readonly people?: ((question: Interruption, world: WorldView) => Decision | undefined) | undefined;
  /** Kinds of faults. */
  readonly faults?: FaultOptions | undefined;
  /** Extent of an exploration. */
  readonly explore?: ExploreOptions | undefined;
  /** Promises of the application: returns a sentence for each broken one. */
  readonly also?:
    | ((end: {
        readonly effects: Effects;
        readonly runs: readonly RecordedRun[];
        readonly pages: readonly RecordedPage[];
      }) => readonly string[])
    | undefined;
  /** Promises that are not checked, each with the reason. */
  readonly accept?: Readonly<Partial<Record<PromiseName, string>>> | undefined;
  /** Histories that broke a promise once; they are always played first. */
  readonly known?: readonly (string | History)[] | undefined;
}

/** Options after their check. */
export interface CheckedSimulation {
  readonly options: SimulationOptions;
  readonly workers: number;
  readonly web: number;
  readonly known: readonly History[];
  readonly durations: FaultDurations;
  readonly pauseAtReceivers: boolean;
  /** Set for a simulation of a chat. */
  readonly chat?: CheckedChat | undefined;
}

const names: { readonly [Name in keyof Required<SimulationOptions>]: true } = {
  app: true,
  drive: true,
  receivers: true,
  work: true,
  processes: true,
  store: true,
  people: true,
  faults: true,
  explore: true,
  also: true,
  accept: true,
  known: true,
};

const usualFaults = {
  pauseAfter: [0.2, 1.7, 7],
  pause: [0.2, 1.7, 7],
  late: [0.03, 0.7, 3],
  away: [0.07, 0.7, 4],
} as const;
/** Jumps of a clock, in milliseconds. */
const clockJumps = [-3_600_000, 30_000] as const;

/**
 * Checks the options of a simulation.
 *
 * @throws ConfigurationError `UNKNOWN_OPTION`, `INVALID_OPTION`
 * @throws SimulationError `SIMULATION_EMPTY`, `HISTORY_INVALID`
 */
export function checkSimulation(options: SimulationOptions): CheckedSimulation {
  checkArgument(options, "object", "simulation() with { app, work }");
  checkKnownNames(options, Object.keys(names), "simulation()");
  const invalid = (what: string): ConfigurationError =>
    new ConfigurationError("INVALID_OPTION", `simulation(): ${what}`);
  if (typeof options.app !== "function")
    throw invalid(`"app" must be a function that starts the application: app: ({ store }) => ({ agents: [...] }).`);
  const { work, processes = {}, faults = {} } = options;
  if (typeof work !== "function" && (!Array.isArray(work) || work.length === 0))
    throw new SimulationError(
      "SIMULATION_EMPTY",
      `The simulation has no work, so it would prove nothing. Give "work" at least one input, such as work: ["Pay invoice 7."].`,
    );
  const { workers = 2, web = 1 } = processes;
  for (const [name, count] of Object.entries({ workers, web }))
    if (!Number.isInteger(count) || count < 1) throw invalid(`"processes.${name}" must be a whole number from 1.`);
  return {
    options,
    workers,
    web,
    known: knownHistories(options.known),
    durations: durationsOf(faults),
    pauseAtReceivers: faults.pauseAtReceivers === true,
  };
}

function durationsOf(faults: FaultOptions): FaultDurations {
  const on = (given: boolean | undefined, usual: boolean): readonly number[] | undefined =>
    (given ?? usual) ? [0] : undefined;
  const lasting = (name: keyof typeof usualFaults): readonly number[] | undefined => {
    const given = faults[name] ?? true;
    if (given === false) return undefined;
    return given === true ? usualFaults[name] : given;
  };
  return {
    die: on(faults.die, true),
    dieAfter: on(faults.dieAfter, true),
    pauseAfter: lasting("pauseAfter"),
    pause: lasting("pause"),
    late: lasting("late"),
    lost: on(faults.lost, true),
    away: lasting("away"),
    lostWakeUp: on(faults.lostWakeUp, true),
    clock: (faults.clock ?? true) ? clockJumps : undefined,
    full: on(faults.full, false),
    upgrade: faults.upgrade === undefined ? undefined : [0],
  };
}
