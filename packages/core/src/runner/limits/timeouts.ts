import type { Clock } from "../../contracts/ports/clock.ts";
import { longestDelayMs } from "../../errors/longest-delay.ts";

/**
 * Waits, and keeps the process alive meanwhile.
 *
 * @param onStop - Subscribes to an event that ends the wait early; returns a function that unsubscribes.
 */
export function pauseUnless(
  timers: Pick<Clock, "setTimer">,
  delayMs: number,
  onStop: (wake: () => void) => () => void,
): Promise<void> {
  return new Promise((resolve) => {
    let forget: (() => void) | undefined;
    const wake = (): void => {
      cancel();
      forget?.();
      resolve();
    };
    const cancel = timers.setTimer(wake, delayMs, { keepAlive: true });
    forget = onStop(wake);
  });
}

export interface WheelTimer {
  /** Moves the deadline; cheap enough for every chunk. */
  postpone(delayMs: number): void;
  cancel(): void;
}

/** All time-outs of a run, on one timer of the platform. */
export interface TimerWheel extends Pick<Clock, "setTimer"> {
  after(delayMs: number, callback: () => void): WheelTimer;
  /** Timers that are still running. */
  readonly size: number;
}

interface Entry {
  due: number;
  done: boolean;
  readonly callback: () => void;
}

/**
 * Makes a wheel: any number of timers over a single one of the clock, set for the earliest. Moving a timer later only
 * changes a number, which is checked at the earlier time. The process stays alive while a timer is pending.
 */
export function createTimerWheel(clock: Clock): TimerWheel {
  const entries = new Set<Entry>();
  /**
   * A platform ends a process that has only pending promises: a hanging call would end it before its time-out. A timer
   * of the platform, independent of the agent's clock, prevents that.
   */
  let held: ReturnType<typeof setInterval> | undefined;
  const release = (): void => {
    clearInterval(held);
    held = undefined;
  };
  let armedFor = Infinity;
  let disarm: (() => void) | undefined;
  /** Amount by which the clock was set back: elapsed time is not waited for again. */
  let setBackMs = 0;
  const now = (): number => clock.now() + setBackMs;

  const arm = (due: number): void => {
    if (due >= armedFor) return;
    disarm?.();
    armedFor = due;
    disarm = clock.setTimer(turn, Math.max(0, due - now()));
  };
  const turn = (): void => {
    disarm = undefined;
    const behindMs = armedFor - now();
    // A timer that fires this early shows that the clock was set back. Timers of a platform may be slightly early.
    if (behindMs > 1_000) setBackMs += behindMs;
    armedFor = Infinity;
    const time = now();
    const due: Entry[] = [];
    let next = Infinity;
    for (const entry of entries) {
      if (entry.due <= time) due.push(entry);
      else next = Math.min(next, entry.due);
    }
    for (const entry of due) {
      entries.delete(entry);
      entry.done = true;
    }
    if (entries.size === 0) release();
    if (next !== Infinity) arm(next);
    for (const entry of due) entry.callback();
  };

  const wheel: TimerWheel = {
    get size(): number {
      return entries.size;
    },
    setTimer(callback, delayMs, options) {
      if (options?.keepAlive) return clock.setTimer(callback, delayMs, options);
      const timer = wheel.after(delayMs, callback);
      return () => timer.cancel();
    },
    after(delayMs: number, callback: () => void): WheelTimer {
      const entry: Entry = { due: now() + delayMs, done: false, callback };
      entries.add(entry);
      held ??= setInterval(() => undefined, longestDelayMs);
      arm(entry.due);
      return {
        postpone(nextDelayMs: number): void {
          if (entry.done) return;
          entry.due = now() + nextDelayMs;
          arm(entry.due);
        },
        cancel(): void {
          entry.done = true;
          entries.delete(entry);
          if (entries.size > 0) return;
          release();
          if (disarm === undefined) return;
          disarm();
          disarm = undefined;
          armedFor = Infinity;
        },
      };
    },
  };
  return wheel;
}
