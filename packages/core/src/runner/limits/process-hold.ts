/** Keeps the process alive for as long as something is waited for. */
export interface ProcessHold {
  take(): void;
  release(): void;
}

/** The longest delay that timers take, in milliseconds. */
const longestDelayMs = 2 ** 31 - 1;

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
