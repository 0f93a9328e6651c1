import { format } from "node:util";
import type { LogLevel, RoutedTimer, TimerKind } from "../routing/routed-process.ts";
import { SimulationError } from "../simulation-error.ts";
import { stream } from "./draw.ts";
import type { EventOwner, ProcessWorld, WorldEvent } from "./world-event.ts";

/** The network outside of a process. */
export interface Network {
  fetch(process: SimulatedProcess, request: Request): Promise<Response>;
  knowsHost(host: string): boolean;
}

/** A process of a world, from its start to its death. */
export class SimulatedProcess implements EventOwner {
  readonly name: string;
  readonly world: ProcessWorld;
  /** Number of its starts. */
  readonly incarnation: number;
  /** True for a process that has no faults. */
  readonly isReliable: boolean;
  /** Difference between its clock and the world's, in milliseconds. */
  offsetMs: number;
  network: Network | undefined;
  /** Ends the process, and decides about its restart. */
  onDeath: ((reason: "die" | "upgrade" | "crash") => void) | undefined;
  /** The error that ended the process. */
  uncaught: unknown;
  #isDead = false;
  #pausedUntil: number | undefined;
  #held: WorldEvent[] = [];
  readonly #random: () => number;

  constructor(
    world: ProcessWorld,
    name: string,
    incarnation: number,
    { isReliable, offsetMs }: { readonly isReliable: boolean; readonly offsetMs: number },
  ) {
    this.world = world;
    this.name = name;
    this.incarnation = incarnation;
    this.isReliable = isReliable;
    this.offsetMs = offsetMs;
    this.#random = stream(world.randomSeed, `${name} ${incarnation}`);
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  get isPaused(): boolean {
    return !this.#isDead && this.#pausedUntil !== undefined;
  }

  now(): number {
    this.world.noteCall("Date.now");
    return this.world.epochMs + Math.floor(this.world.time) + this.offsetMs;
  }

  elapsed(): number {
    return this.world.time;
  }

  random(): number {
    this.world.noteCall("Math.random");
    return this.#random();
  }

  setTimer(callback: () => void, delayMs: number, kind: TimerKind): RoutedTimer {
    this.world.noteCall("a timer");
    // Modules that all processes share count immediates, so also a dead process has them: see the end of a world.
    if (this.#isDead && kind !== "immediate") return { cancel: () => undefined };
    let isCancelled = false;
    const arm = (): void => {
      const fire = (): void => {
        if (isCancelled) return;
        if (kind === "interval") arm();
        callback();
      };
      this.world.schedule(this, delayMs, kind === "immediate" ? "immediate" : "timer", kind, fire);
    };
    arm();
    return { cancel: () => void (isCancelled = true) };
  }

  fetch(request: Request): Promise<Response> {
    const { network } = this;
    if (network !== undefined) return network.fetch(this, request);
    return Promise.reject(this.escape(`a request to ${new URL(request.url).origin}`));
  }

  knowsHost(host: string): boolean {
    return this.network?.knowsHost(host) ?? false;
  }

  native<Result>(work: Promise<Result>): Promise<Result> {
    return this.world.native(this, work);
  }

  escape(call: string, remedy = ""): Error {
    const stack = new Error("stack").stack?.split("\n").slice(2) ?? [];
    const frame = stack.find((line) => !/simulation\/(?:routing|world)|node:/.test(line))?.trim() ?? "";
    const error = new SimulationError(
      "SIMULATION_ESCAPE",
      `Process ${this.name} made ${call}, which leaves the simulation${frame === "" ? "" : `, ${frame}`}. ${remedy}`.trim(),
    );
    this.world.fail(error);
    return error;
  }

  log(level: LogLevel, values: readonly unknown[]): void {
    this.world.log(this.name, `${level}: ${format(...values).split("\n")[0] ?? ""}`);
  }

  /** Ends the process: its events are dropped, and no answer reaches it. */
  die(): void {
    this.#isDead = true;
  }

  /** Stops the process for a time; its events wait. */
  pause(ms: number): void {
    const until = this.world.time + this.world.bounded(ms);
    if (until <= (this.#pausedUntil ?? 0)) return;
    this.#pausedUntil = until;
    this.world.log(this.name, `is paused until ${until}`);
    this.world.schedule(undefined, until - this.world.time, "world", `continue ${this.name}`, () => {
      if (this.#pausedUntil !== until) return;
      this.#pausedUntil = undefined;
      if (!this.#isDead) this.world.deliver(this.takeHeld());
    });
  }

  /** Keeps an event while the process is paused. */
  hold(event: WorldEvent): boolean {
    if (this.#pausedUntil === undefined) return false;
    this.#held.push(event);
    return true;
  }

  takeHeld(): readonly WorldEvent[] {
    return this.#held.splice(0);
  }

  /** Reports an error that no code of the process caught: it ends the process. */
  crash(error: unknown): void {
    this.log("error", ["Uncaught", error]);
    this.uncaught = error;
    this.onDeath?.("crash");
  }
}
