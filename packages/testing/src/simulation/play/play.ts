import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore, type AgentRuntime, type RunStore } from "@bailiwick/core";
import { agentRuntimeOf, loadParts, type Clock, type Logger } from "@bailiwick/core/extension";
import type { Effect, EffectRequest, OpenCall } from "../components/effects.ts";
import { inProcess } from "../routing/routed-process.ts";
import { receiverNetwork } from "../components/receiver-component.ts";
import { storeView } from "../components/store-component.ts";
import type { ExpectedEffect, RecordedHistory } from "../checker/recorded-history.ts";
import type { App, AppProcess, CheckedSimulation, StartApp } from "../options.ts";
import { SimulationError } from "../simulation-error.ts";
import type { FaultKind } from "../world/fault.ts";
import type { History } from "../world/history.ts";
import type { Network, SimulatedProcess } from "../world/simulated-process.ts";
import { World, type Step } from "../world/world.ts";
import type { Defect } from "./defects.ts";
import { forgetfulStore } from "./defects.ts";
import { observe, type Observer } from "./observer.ts";
import { watchEnd } from "./watch-end.ts";
import { chatNetwork } from "./chat-network.ts";
import { startTabs } from "./tabs.ts";
import { personLoop } from "./person.ts";
import { webLoop } from "./web.ts";
import { recordedRuns } from "./recorded-runs.ts";
import type { Stage } from "./stage.ts";
import { viewOf } from "./world-view.ts";

/** Changes what the application made in a process. */
export type AppMaker = (
  app: App,
  at: {
    readonly world: World;
    readonly process: SimulatedProcess;
    readonly network: Network;
    readonly requests: EffectRequest[];
    readonly openCalls: Observer["openCalls"];
  },
) => App;

/** Settings of one play. */
export interface PlaySettings {
  readonly history: History;
  /** Draws faults that the history does not name. */
  readonly seed?: number | undefined;
  readonly keepLines?: boolean | undefined;
  /** Gives the platform time to load modules. */
  readonly isPaced?: boolean | undefined;
  /** Changes the application of each process. */
  readonly appMaker?: AppMaker | undefined;
  /** A defect that the self-test adds. */
  readonly defect?: Defect | undefined;
}

/** One play of a history. */
export interface Played {
  /** The order, and the faults that the play had. */
  readonly history: History;
  readonly hash: string;
  readonly lines: readonly string[];
  readonly steps: readonly Step[];
  /** Choice points, with the kinds of faults that each can have. */
  readonly points: ReadonlyMap<string, readonly FaultKind[]>;
  readonly recorded: RecordedHistory;
  readonly leaseMs: number;
  readonly events: number;
  /** A call that the platform continued on its own: the play is not exact, and has to be repeated. */
  readonly disturbance: string | undefined;
  /** Virtual time of the play, in milliseconds. */
  readonly lastedMs: number;
  /** Text of each run's work item. */
  readonly workOf: ReadonlyMap<string, number>;
  /** Problems of receivers and of the application, for the report. */
  readonly warnings: readonly string[];
}

/**
 * Plays a history once.
 *
 * @throws SimulationError `SIMULATION_ESCAPE`, `SIMULATION_EMPTY`
 */
export async function play(simulation: CheckedSimulation, settings: PlaySettings): Promise<Played> {
  await loadParts();
  const { options } = simulation;
  const { history, seed, keepLines, isPaced, defect, appMaker } = settings;
  const world = new World({ history, seed, keepLines, isPaced, faults: simulation.durations });
  const observer = observe(world);
  const storeKinds: readonly FaultKind[] = [
    "die",
    "dieAfter",
    "pauseAfter",
    "pause",
    "late",
    "lost",
    "away",
    "clock",
    "full",
    "upgrade",
  ];
  const component = world.component("store", { isOrdered: true, kinds: storeKinds });
  const clock: Clock = {
    now: () => component.side.now(),
    setTimer(callback, delayMs) {
      const timer = component.side.setTimer(callback, delayMs, "timeout");
      return () => timer.cancel();
    },
  };
  const folder = options.store === undefined ? undefined : temporaryFolder();
  const warnings: string[] = [];
  const fail = (error: unknown): void => world.fail(error instanceof Error ? error : new Error(String(error)));
  try {
    const store = inProcess(component.side, () =>
      options.store === undefined
        ? memoryStore({ clock })
        : options.store({ file: join(folder ?? "", "runs.db"), clock }),
    );
    const requests: EffectRequest[] = [];
    const failedCalls: OpenCall[] = [];
    const stage: Stage = {
      world,
      options,
      store,
      requests,
      observer,
      answers: [],
      pages: [],
      accepted: new Map(),
      view: viewOf(world, observer, requests),
      defect,
      isWorkDone: false,
      isWaiting: () => false,
      apps: new Map(),
      warn: (text) => void (warnings.includes(text) || warnings.push(text)),
    };
    const network = receiverNetwork({
      world,
      receivers: options.receivers ?? [],
      kinds: [
        "die",
        "dieAfter",
        "pauseAfter",
        ...(simulation.pauseAtReceivers ? (["pause"] as const) : []),
        "late",
        "lost",
        "away",
      ],
      requests,
      openCalls: observer.openCalls,
      onFailure: (calls) => failedCalls.push(...calls),
      other: simulation.chat === undefined ? undefined : chatNetwork(stage),
      onThrow: (origin, route, error) => stage.warn(`The receiver ${origin} threw in "${route}": ${String(error)}`),
    });
    const view = { world, store, component, onDone: observer.onDone, storyOf: observer.storyOf };
    const upgrades = new Map<string, number>();

    const start = (
      name: string,
      role: AppProcess["role"],
      begin: (process: SimulatedProcess, app: App, own: RunStore) => void,
    ): void => {
      const run = async (): Promise<void> => {
        const own =
          defect?.store === true ? forgetfulStore(storeView(view, process), process, world) : storeView(view, process);
        const version = upgrades.get(name) ?? 0;
        const startApp: StartApp = version === 0 ? options.app : (options.faults?.upgrade?.(version) ?? options.app);
        const given = await startApp({ name, role, store: own, clock });
        const at = { world, process, network, requests, openCalls: observer.openCalls };
        const app = appMaker === undefined ? given : appMaker(given, at);
        if (process.isDead || world.isOver) return;
        const runtimes = runtimesOf(app, own);
        world.leaseMs = Math.max(world.leaseMs, ...runtimes.map(({ leaseMs }) => leaseMs));
        stage.apps.set(name, { app, runtimes });
        begin(process, app, own);
      };
      const process = world.start(name, {
        isReliable: role === "person" || simulation.chat !== undefined,
        run: () => void run().catch(fail),
      });
      process.network = network;
      process.onDeath = (reason) => {
        if (reason === "upgrade") upgrades.set(name, (upgrades.get(name) ?? 0) + 1);
        world.kill(process, () => start(name, role, begin));
      };
    };

    const logger: Logger = { debug: () => undefined, info: console.info, warn: console.warn, error: console.error };
    const { drive } = options;
    if (drive !== undefined)
      for (let number = 1; number <= simulation.workers; number += 1)
        start(`w${number}`, "worker", (_, { agents }, own) => void drive({ agents, store: own, logger, stopOn: [] }));
    for (let number = 1; number <= simulation.web; number += 1)
      start(
        number === 1 ? "web" : `web${number}`,
        "web",
        (process, app, own) => void webLoop(stage, process, app, own, simulation.chat !== undefined).catch(fail),
      );
    // The users of pages answer the questions of a chat.
    if (simulation.chat !== undefined) startTabs(stage, simulation.chat, network, fail);
    if (simulation.chat === undefined || options.people !== undefined)
      start("person", "person", (process) => void personLoop(stage, process).catch(fail));
    else stage.isWaiting = () => true;
    watchEnd(stage, fail);

    await playGuarded(world);
    if (world.failure !== undefined) throw world.failure;
    const runs = await recordedRuns(stage);
    return {
      history: { ...(history.order !== undefined && { order: history.order }), faults: { ...world.faults } },
      hash: world.hash,
      lines: world.lines,
      steps: world.steps,
      points: world.points,
      recorded: {
        isFaultless: Object.keys(world.faults).length === 0,
        runs,
        effects: requests,
        answers: stage.answers,
        ...(stage.pages.length > 0 && { pages: stage.pages }),
        failedCalls,
        takenLeases: observer.takenLeases,
        formerWrites: observer.formerWrites,
      },
      leaseMs: world.leaseMs,
      events: world.events,
      disturbance: world.disturbance,
      lastedMs: world.time,
      workOf: new Map([...stage.accepted].map(([work, runId]) => [runId, work])),
      warnings,
    };
  } catch (error) {
    // Code that made a call which left the simulation may have wrapped the error.
    throw world.failure ?? error;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Effects that the same work has to have in other histories, by the work item of their run. */
export interface BaselineEffect extends Pick<Effect, "name" | "id"> {
  /** Work items whose runs can have made it. */
  readonly works: readonly number[];
}

/** The effects of a play without faults. */
export function baselineEffects({ recorded, workOf }: Played): readonly BaselineEffect[] {
  const parents = new Map(recorded.runs.map(({ id, parentId }) => [id, parentId]));
  const outer = (runId: string): string => {
    const parent = parents.get(runId);
    return parent === undefined ? runId : outer(parent);
  };
  const seen = new Set<string>();
  return recorded.effects.flatMap(({ name, id, calls }) => {
    const key = JSON.stringify([name, id]);
    if (seen.has(key)) return [];
    seen.add(key);
    const works = new Set(calls.map(({ runId }) => workOf.get(outer(runId))));
    return [{ name, id, works: [...works].filter((work) => work !== undefined) }];
  });
}

/** The effects that a play has to have. */
export function expectedEffects(baseline: readonly BaselineEffect[], { workOf }: Played): readonly ExpectedEffect[] {
  const runs = new Map([...workOf].map(([runId, work]) => [work, runId]));
  return baseline.map(({ name, id, works }) => ({
    name,
    id,
    runIds: works.map((work) => runs.get(work)).filter((runId) => runId !== undefined),
  }));
}

function runtimesOf({ agents }: App, store: RunStore): readonly AgentRuntime[] {
  if (!Array.isArray(agents) || agents.length === 0)
    throw new SimulationError(
      "SIMULATION_EMPTY",
      `"app" returned no agent, so the simulation would prove nothing. Return { agents: [agent] }.`,
    );
  return agents.map((entry: App["agents"][number]) => {
    const runtime = agentRuntimeOf("agent" in entry ? entry.agent : entry);
    if (runtime === undefined)
      throw new SimulationError(
        "SIMULATION_EMPTY",
        `"app" returned something that is not an agent. Return { agents: [agent] } with agents of this framework.`,
      );
    if (runtime.definition.store !== store)
      throw new SimulationError(
        "SIMULATION_ESCAPE",
        `Agent "${runtime.name}" has another store than the simulation, so its runs would leave it. Pass the store that "app" gets: app: ({ store }) => ({ agents: [new Agent({ store, ... })] }).`,
      );
    return runtime;
  });
}

/** Plays a world; an error that no process caught ends the process that made it, as on a real host. */
async function playGuarded(world: World): Promise<void> {
  const onRejection = (reason: unknown): void => {
    const process = world.running;
    if (process === undefined) world.fail(reason instanceof Error ? reason : new Error(String(reason)));
    else process.crash(reason);
  };
  process.on("unhandledRejection", onRejection);
  try {
    await world.play();
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

/** A folder in memory, if the system has one. */
function temporaryFolder(): string {
  const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  return mkdtempSync(join(base, "bailiwick-simulation-"));
}
