import type { RoutedProcess } from "../routing/routed-process.ts";
import type { Queued } from "./event-queue.ts";

/** Kind of an event: when a paused process continues, its requests leave, then answers come, then timers. */
export type EventKind = "request" | "answer" | "timer" | "immediate" | "world";

/** The process of an event. */
export interface EventOwner extends RoutedProcess {
  readonly isDead: boolean;
  /** Keeps an event while the process is paused; false if it is not. */
  hold(event: WorldEvent): boolean;
  /** Reports an error that no code of the process caught. */
  crash(error: unknown): void;
}

/** An event of a world. */
export interface WorldEvent extends Queued {
  /** The process in which it fires; it is dropped if the process has died. */
  readonly process: EventOwner | undefined;
  readonly kind: EventKind;
  readonly label: string;
  readonly fire: () => void;
}

/** The part of a world that its processes use. */
export interface ProcessWorld {
  /** Virtual time in milliseconds since the world began. */
  readonly time: number;
  /** Time of the world's beginning, in milliseconds since the epoch. */
  readonly epochMs: number;
  /** Seed of everything that is random and no fault. */
  readonly randomSeed: number;
  schedule(
    process: EventOwner | undefined,
    delayMs: number,
    kind: EventKind,
    label: string,
    fire: () => void,
  ): WorldEvent;
  /** Adds events that a paused process missed. */
  deliver(events: readonly WorldEvent[]): void;
  /** Waits for work of the platform before the next step, and delivers its result as an event. */
  native<Result>(process: EventOwner, work: Promise<Result>): Promise<Result>;
  /** Cuts a duration off at the time at which faults end. */
  bounded(ms: number): number;
  /** Adds a line to the log, which the hash covers. */
  log(process: string, text: string): void;
  /** Notes a call of a process, which may come although none of its events is played. */
  noteCall(what: string): void;
  /** Ends the play with an error. */
  fail(error: Error): void;
}
