/** Hides the machine's time zone: interpreters of this thread use UTC. */
export function liveInUtc(): void {
  const { prototype } = Date;
  Object.assign(prototype, {
    getTimezoneOffset: () => 0,
    getFullYear: prototype.getUTCFullYear,
    getMonth: prototype.getUTCMonth,
    getDate: prototype.getUTCDate,
    getDay: prototype.getUTCDay,
    getHours: prototype.getUTCHours,
    getMinutes: prototype.getUTCMinutes,
    getSeconds: prototype.getUTCSeconds,
  });
}

/**
 * Stops the clock for interpreters of this thread: they read it from these two functions, so the time is constant.
 *
 * @param now - Milliseconds since the epoch.
 * @param work - Called while the clock is stopped.
 */
export function atTime<Result>(now: number, work: () => Result): Result {
  const { now: dateNow } = Date;
  const performanceNow = performance.now.bind(performance);
  Date.now = () => now;
  performance.now = () => 0;
  try {
    return work();
  } finally {
    Date.now = dateNow;
    performance.now = performanceNow;
  }
}
