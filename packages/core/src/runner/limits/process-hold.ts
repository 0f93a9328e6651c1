import { longestDelayMs } from "../../errors/longest-delay.ts";

/** Keeps the process alive for as long as something is waited for. */
export interface ProcessHold {
  take(): void;
  release(): void;
}

/**
 * A platform ends a process in which nothing but promises is left: a call that hangs would end it before its time-out.
 * What is held here is the platform's own, whatever clock an agent has: it measures nothing.
 */
export function processHold(): ProcessHold {
  let held: ReturnType<typeof setInterval> | undefined;
  return {
    take() {
      held ??= setInterval(() => undefined, longestDelayMs);
    },
    release() {
      clearInterval(held);
      held = undefined;
    },
  };
}
