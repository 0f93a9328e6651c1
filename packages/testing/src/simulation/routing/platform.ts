/** Functions of the platform, as they were before the routing. This module has to load first. */
export interface Platform {
  readonly setImmediate: typeof setImmediate;
  readonly setTimeout: typeof setTimeout;
  readonly clearTimeout: typeof clearTimeout;
  readonly clearInterval: typeof clearInterval;
  readonly clearImmediate: typeof clearImmediate;
  readonly setInterval: typeof setInterval;
  readonly Date: DateConstructor;
  readonly now: () => number;
}

const key: unique symbol = Symbol.for("bailiwick.simulation.platform");
const holder = globalThis as { [key]?: Platform };

/** The platform's own functions. */
export const platform: Platform = (holder[key] ??= {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  clearInterval: globalThis.clearInterval,
  clearImmediate: globalThis.clearImmediate,
  setInterval: globalThis.setInterval,
  Date: globalThis.Date,
  now: globalThis.performance.now.bind(globalThis.performance),
});

/** Resolves in the next turn of the platform's event loop, after all microtasks. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    platform.setImmediate(resolve);
  });
}
