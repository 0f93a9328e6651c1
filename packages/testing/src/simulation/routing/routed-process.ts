import { AsyncLocalStorage } from "node:async_hooks";

/** A timer of a simulated process. */
export interface RoutedTimer {
  cancel(): void;
}

/** Kind of a timer: an `immediate` is due at once, an `unref` timer does not keep its process alive. */
export type TimerKind = "timeout" | "interval" | "immediate";

/** A level of the console. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** Values and functions that a simulated process gives its code in place of the platform's globals. */
export interface RoutedProcess {
  readonly name: string;
  /** Milliseconds since the epoch, by the clock of the process. */
  now(): number;
  /** Milliseconds since the world began; a jump of the clock does not change it. */
  elapsed(): number;
  /** A number from 0 to 1, from the stream of the process. */
  random(): number;
  setTimer(callback: () => void, delayMs: number, kind: TimerKind): RoutedTimer;
  /** Sends a request to a receiver of the world. */
  fetch(request: Request): Promise<Response>;
  /** True if a receiver has this host name. */
  knowsHost(host: string): boolean;
  /** Waits for work of the platform, such as a thread pool, and delivers its result as an event. */
  native<Result>(work: Promise<Result>): Promise<Result>;
  /** Ends the play, because a call would leave the simulation. Returns the error for the caller. */
  escape(call: string, remedy?: string): Error;
  log(level: LogLevel, values: readonly unknown[]): void;
}

interface Shared {
  readonly processes: AsyncLocalStorage<RoutedProcess>;
  installed: boolean;
}

const key: unique symbol = Symbol.for("bailiwick.simulation");
const holder = globalThis as { [key]?: Shared };

/** One for all copies of this package in the process: globals are routed once. */
export const shared: Shared = (holder[key] ??= { processes: new AsyncLocalStorage(), installed: false });

/** The simulated process whose code runs now; `undefined` outside of a simulation. */
export function currentProcess(): RoutedProcess | undefined {
  return shared.processes.getStore();
}

/** Runs code as a simulated process. */
export function inProcess<Result>(process: RoutedProcess, run: () => Result): Result {
  return shared.processes.run(process, run);
}

/** Runs code of the simulator itself, outside of every simulated process. */
export function outside<Result>(run: () => Result): Result {
  return shared.processes.exit(run);
}
