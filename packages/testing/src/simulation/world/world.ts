import { createHash, type Hash } from "node:crypto";
import { currentProcess, inProcess, outside, type RoutedProcess } from "../routing/routed-process.ts";
import { nextTurn, platform } from "../routing/platform.ts";
import { SimulationError } from "../simulation-error.ts";
import type { Component } from "./component.ts";
import { draw } from "./draw.ts";
import { EventQueue } from "./event-queue.ts";
import { faultOf, faultParts, pageActions, type FaultKind, type FaultParts } from "./fault.ts";
import type { History } from "./history.ts";
import { SimulatedProcess } from "./simulated-process.ts";
import type { EventKind, EventOwner, ProcessWorld, WorldEvent } from "./world-event.ts";

/** A fault that a choice point had, for the sentences of a report. */
export interface Step {
  /** Virtual time in milliseconds. */
  readonly at: number;
  readonly process: string;
  readonly text: string;
}

/** Settings of a world. */
export interface WorldSettings {
  readonly history: History;
  /** Draws faults that the history does not name. */
  readonly seed?: number | undefined;
  /** Durations of each enabled kind: in leases, or in milliseconds for `clock`; `[0]` for a kind without a duration. */
  readonly faults: FaultDurations;
  /** Time of the world's beginning, in milliseconds since the epoch. */
  readonly epochMs?: number | undefined;
  /** Gives the platform time to load modules before virtual time jumps. It changes no event. */
  readonly isPaced?: boolean | undefined;
  /** Keeps the lines of the log. */
  readonly keepLines?: boolean | undefined;
}

/** Durations of each enabled kind of fault. */
export type FaultDurations = Readonly<Partial<Record<FaultKind, readonly number[] | undefined>>>;

/** Share of choice points at which a seed draws a fault. */
const faultShare = 0.02;
/** Leases after which faults end. */
const faultLeases = 13;
/** Lease until the agents are known, in milliseconds. */
const usualLeaseMs = 30_000;
/** Largest number of events of one play. */
const mostEvents = 2_000_000;
/** Time of the platform before a jump of virtual time, in milliseconds, and the largest number of such waits. */
const paceMs = 10;
const mostPaces = 200;
/** Time after which a dead process starts again, in milliseconds. */
const restartMs = 1_000;

const worlds = new WeakMap<RoutedProcess, World>();

/** The world of the process whose code runs now, with the process; `undefined` outside of a simulation. */
export function currentWorld(): { readonly world: World; readonly process: SimulatedProcess } | undefined {
  const process = currentProcess();
  const world = process && worlds.get(process);
  return world && { world, process: process as SimulatedProcess };
}

/** Duration of a fault in milliseconds. */
export function durationMs(kind: FaultKind, duration: number, leaseMs: number): number {
  return kind === "clock" || (pageActions as readonly FaultKind[]).includes(kind) ? duration : duration * leaseMs;
}

/** A world: virtual time, processes, and the queue of their events. */
export class World implements ProcessWorld {
  readonly epochMs: number;
  readonly history: History;
  /** Largest lease of the agents, in milliseconds; known when the first process has started. */
  leaseMs = 0;
  /** Faults that this play had, drawn or given. */
  readonly faults: Record<string, ReturnType<typeof faultOf>> = {};
  /** Choice points in the order of their first occurrence, with the kinds of faults that each can have. */
  readonly points: Map<string, readonly FaultKind[]> = new Map();
  readonly steps: Step[] = [];
  readonly lines: string[] = [];
  /** Events so far. */
  events = 0;
  /** Exchanges whose answer can still change the world after all runs have ended. */
  readonly pending: Set<{ readonly process: EventOwner; isOut: boolean }> = new Set();
  #restarting = 0;
  #running: EventOwner | undefined;
  #paces = 0;
  #calmAt = Infinity;
  #isPlaying = false;
  #isStepping = false;
  #disturbance: string | undefined;
  time = 0;
  #age = 0;
  #hash: Hash = createHash("sha256");
  #isOver = false;
  #failure: Error | undefined;
  readonly #queue = new EventQueue<WorldEvent>();
  readonly #counts = new Map<string, number>();
  readonly #processes = new Map<string, SimulatedProcess>();
  readonly #components = new Map<string, Component>();
  /** Immediates of dead processes. Modules that count them get them at the end of the world. */
  readonly #leftImmediates: WorldEvent[] = [];
  readonly #native = new Set<Promise<unknown>>();
  readonly #settings: WorldSettings;

  constructor(settings: WorldSettings) {
    this.#settings = settings;
    this.history = settings.history;
    this.epochMs = settings.epochMs ?? Date.UTC(2026, 0, 1);
  }

  /** Time at which faults end. */
  get faultsEndAt(): number {
    return Math.min(this.#calmAt, faultLeases * (this.leaseMs === 0 ? usualLeaseMs : this.leaseMs));
  }

  /** Ends faults now; components that were away return. */
  calm(): void {
    this.#calmAt = Math.min(this.#calmAt, this.time);
    for (const component of this.#components.values()) component.awayUntil = 0;
  }

  /** Digest of all events so far. */
  get hash(): string {
    return this.#hash.copy().digest("hex").slice(0, 16);
  }

  /** The process whose event fired last. */
  get running(): EventOwner | undefined {
    return this.#running;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The error that ended the play, such as a call that left the simulation. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Seed of everything that is random and no fault. */
  get randomSeed(): number {
    return this.history.order ?? 0;
  }

  process(name: string): SimulatedProcess | undefined {
    return this.#processes.get(name);
  }

  /** The component of a name; the first call makes it. */
  component(name: string, { isOrdered, kinds }: Pick<Component, "isOrdered" | "kinds">): Component {
    const known = this.#components.get(name);
    if (known !== undefined) return known;
    const side = this.start(name, { isReliable: true });
    const made = { name, side, awayUntil: 0, isOrdered, lastArrival: new Map<string, number>(), kinds };
    this.#components.set(name, made);
    return made;
  }

  /** Starts a process, or starts it again. */
  start(name: string, options: { readonly isReliable?: boolean; readonly run?: () => void } = {}): SimulatedProcess {
    const before = this.#processes.get(name);
    const process = new SimulatedProcess(this, name, (before?.incarnation ?? 0) + 1, {
      isReliable: options.isReliable ?? before?.isReliable ?? false,
      offsetMs: before?.offsetMs ?? 0,
    });
    this.#processes.set(name, process);
    worlds.set(process, this);
    if (options.run !== undefined) this.schedule(process, 0, "world", "start", options.run);
    return process;
  }

  /** Adds an event. */
  schedule(
    process: EventOwner | undefined,
    delayMs: number,
    kind: EventKind,
    label: string,
    fire: () => void,
  ): WorldEvent {
    this.#age += 1;
    const event = { due: this.time + delayMs, age: this.#age, process, kind, label, fire };
    this.#queue.push(event);
    return event;
  }

  /** Gives a paused process the events that it missed. */
  deliver(events: readonly WorldEvent[]): void {
    const { order } = this.history;
    const rank = ({ kind, label, age }: WorldEvent): number =>
      kind === "request" ? -1 : order === undefined ? (kind === "timer" ? 1 : 0) : draw(order, `held ${label} ${age}`);
    const sorted = events
      .map((event) => ({ event, rank: rank(event) }))
      .toSorted((a, b) => a.rank - b.rank || a.event.age - b.event.age);
    for (const { event } of sorted) {
      this.#age += 1;
      this.#queue.push({ ...event, due: this.time, age: this.#age });
    }
  }

  /** Ends the play with an error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.#isOver = true;
  }

  /** Ends the play. */
  end(): void {
    this.#isOver = true;
  }

  /** Adds a line to the log, which the hash covers. */
  log(process: string, text: string): void {
    const line = `${this.time} ${process} ${text}`;
    this.#hash.update(line);
    this.#hash.update("\n");
    if (this.#settings.keepLines === true) this.lines.push(line);
  }

  /** Adds a sentence to the story that a report tells. */
  tell(process: string, text: string): void {
    this.steps.push({ at: this.time, process, text });
  }

  /** Number of the next occurrence of a choice point. */
  count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  /** The fault of a choice point, given by the history or drawn by the seed for a share of the points. */
  faultAt(point: string, kinds: readonly FaultKind[], share: number = faultShare): FaultParts | undefined {
    const enabled = kinds.filter((kind) => this.#settings.faults[kind] !== undefined);
    this.points.set(point, enabled);
    if (this.time >= this.faultsEndAt) return undefined;
    const given = this.history.faults[point];
    if (given !== undefined) {
      this.faults[point] = given;
      return faultParts(given);
    }
    const { seed } = this.#settings;
    if (seed === undefined || enabled.length === 0 || draw(seed, point) >= share) return undefined;
    const kind = enabled[Math.floor(draw(seed, `kind ${point}`) * enabled.length)] as FaultKind;
    const durations = this.#settings.faults[kind] as readonly number[];
    const duration = durations[Math.floor(draw(seed, `duration ${point}`) * durations.length)] ?? 0;
    const drawn = faultOf(kind, durationMs(kind, duration, this.leaseMs));
    this.faults[point] = drawn;
    return faultParts(drawn);
  }

  /** The way of a message in milliseconds. */
  way(point: string, direction: "out" | "back"): number {
    const { order } = this.history;
    if (order === undefined) return 1;
    const number = draw(order, `${direction} ${point}`);
    return number < 0.8 ? 1 + Math.floor(number * 5) : 5 + Math.floor((number - 0.8) * 300);
  }

  /** Ends a duration no later than the faults end. */
  bounded(ms: number): number {
    return Math.max(0, Math.min(ms, this.faultsEndAt - this.time));
  }

  /** Ends a process, and starts it again after a while. */
  kill(process: SimulatedProcess, restart: () => void): void {
    if (process.isDead || this.#isOver) return;
    process.die();
    this.log(process.name, "dies");
    this.#restarting += 1;
    this.schedule(undefined, restartMs, "world", `restart ${process.name}`, () => {
      this.#restarting -= 1;
      restart();
    });
  }

  /** True while a process is dead or paused, or an exchange is on its way. */
  get isBusy(): boolean {
    if (this.#restarting > 0) return true;
    for (const { process, isOut } of this.pending) if (isOut || !process.isDead) return true;
    for (const process of this.#processes.values()) if (process.isPaused) return true;
    return false;
  }

  /** Waits for work of the platform before the next step, and delivers its result as an event. */
  native<Result>(process: EventOwner, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const deliver = (label: string, settle: () => void): void =>
        void this.schedule(process, 0, "answer", label, settle);
      const waiting = work.then(
        (value) => deliver("native", () => resolve(value)),
        (error: unknown) => deliver("native fails", () => reject(error)),
      );
      this.#native.add(waiting);
      void waiting.finally(() => this.#native.delete(waiting));
    });
  }

  /** Plays events until the world ends, or until nothing is left. */
  async play(): Promise<void> {
    this.#isPlaying = true;
    while (!this.#isOver) {
      const event = this.#queue.pop();
      if (event === undefined) break;
      await this.#step(event);
      if (this.events > mostEvents)
        this.fail(
          new SimulationError(
            "NOT_REPEATABLE",
            `A history had more than ${mostEvents} events: a process does work without an end.`,
          ),
        );
    }
    this.#isOver = true;
    await this.#drain();
  }

  async #step(event: WorldEvent): Promise<void> {
    if (this.#settings.isPaced === true) await this.#pace(event.due - this.time);
    const { process } = event;
    if (process?.isDead === true) {
      if (event.kind === "immediate") this.#leftImmediates.push(event);
      return;
    }
    this.time = Math.max(this.time, event.due);
    if (process?.hold(event) === true) return;
    this.events += 1;
    this.log(process?.name ?? "world", event.label);
    await this.#inTurn(event);
    while (this.#native.size > 0) await outside(() => Promise.allSettled(this.#native));
  }

  /** Lets loads of modules end before time jumps. */
  async #pace(jumpMs: number): Promise<void> {
    if (jumpMs < 50 || this.#paces >= mostPaces) return;
    this.#paces += 1;
    await outside(() => new Promise((resolve) => platform.setTimeout(resolve, paceMs)));
  }

  /** Fires an event and lets its microtasks end. Two immediates of one turn have nothing else between them. */
  #inTurn(event: WorldEvent): Promise<void> {
    return new Promise((resolve) => {
      platform.setImmediate(() => {
        this.#isStepping = true;
        this.#fire(event);
      });
      platform.setImmediate(() => {
        this.#isStepping = false;
        resolve();
      });
    });
  }

  /** Notes that code of a process ran although no event of it was played: the platform continued it. */
  noteCall(what: string): void {
    if (!this.#isStepping && this.#isPlaying && !this.#isOver) this.#disturbance ??= what;
  }

  /** A call that the platform continued on its own, such as after the first load of a module; the play is not exact then. */
  get disturbance(): string | undefined {
    return this.#disturbance;
  }

  #fire({ process, fire }: WorldEvent): void {
    this.#running = process;
    if (process === undefined) return fire();
    try {
      inProcess(process, fire);
    } catch (error) {
      process.crash(error);
    }
  }

  /**
   * Runs the immediates that are left, also those of dead processes, so that modules which all simulated processes
   * share begin the next world in the same state. The processes reach nothing any more.
   */
  async #drain(): Promise<void> {
    for (let rounds = 0; rounds < 10_000; rounds += 1) {
      const events = this.#leftImmediates.splice(0);
      for (let event = this.#queue.pop(); event !== undefined; event = this.#queue.pop())
        if (event.kind === "immediate") events.push(event);
      for (const process of this.#processes.values())
        events.push(...process.takeHeld().filter(({ kind }) => kind === "immediate"));
      if (events.length === 0) return;
      for (const event of events) {
        this.#fire(event);
        await nextTurn();
      }
    }
  }
}
