/** Milliseconds of one turn of the event loop that all runs of the process may use together. */
const shareMs = 2;
/**
 * Maximum number of pieces of work that start in one turn of the event loop without having waited, because their
 * duration is not known yet.
 */
const mostAtOnce = 4;
/** Maximum number of waiting runs that continue in one turn of the event loop; most turns end before. */
const mostATurn = 16;
/** Number of continuing runs after which one beginning run is admitted. */
const othersBeforeOneBegins = 8;

/** The platform's own functions: a test's fake timers must not stop runs. */
const { performance, setTimeout } = globalThis;
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };
/** Calls back in the next turn of the event loop. */
const inNextTurn = setImmediate ?? ((callback: () => void): unknown => setTimeout(callback, 0));

/** A run begins, or continues with its next piece of work. */
type Kind = "begin" | "continue";
type Counts = Record<Kind, number>;

const none = (): Counts => ({ begin: 0, continue: 0 });

/** Number of the current turn in the records so far. */
let turn = 0;
/** Waiting runs that have not asked in this turn yet. */
let ahead = none();
/** Waiting runs that ask in the next turn. */
let next = none();
let begunSince = 0;
/** Pieces of work that started in this turn without having waited. */
let atOnce = 0;
/** Waiting runs that continued in this turn. */
let letOn = 0;
/** End of this turn's share; `undefined` until the first piece of work asks. */
let until: number | undefined;

/**
 * Called before each piece of a run's work. Hundreds of busy runs would block the event loop until the last one ends,
 * so they share a part of each turn, and the others wait for a later one. Runs that have begun have priority: they end,
 * and free their memory, before others begin.
 *
 * A waiting run asks again from its own timer. On hosts such as Cloudflare Workers a timer dies with the request that
 * set it, so no run may depend on the timer of another: counts of runs that never ask again are dropped after one turn.
 *
 * @param what - "begin" if the run begins, "continue" if it continues.
 * @returns `undefined` while there is time; else a promise to await.
 */
export function loopShare(what: Kind): Promise<void> | undefined {
  if (waiting("begin") + waiting("continue") === 0 && atOnce < mostAtOnce && hasTime()) {
    atOnce += 1;
    return undefined;
  }
  return new Promise((resolve) => {
    let asked: number;
    const wait = (): void => {
      asked = turn;
      next[what] += 1;
      inNextTurn(ask);
    };
    const ask = (): void => {
      closeTurn(asked);
      if (ahead[what] > 0) ahead[what] -= 1;
      if (isLetOn(what)) resolve();
      else wait();
    };
    wait();
  });
}

/** Any callback of a later turn closes the turn in which it was set: the callback of this request may be gone. */
function closeTurn(opened: number): void {
  if (turn !== opened) return;
  turn += 1;
  until = undefined;
  atOnce = 0;
  letOn = 0;
  ahead = next;
  next = none();
  // The order between beginning and continuing runs matters only while some wait.
  if (waiting("begin") + waiting("continue") === 0) begunSince = 0;
}

/** The first one in a turn always has time. */
function isLetOn(what: Kind): boolean {
  if (letOn >= mostATurn || !hasTime()) return false;
  const begins = begunSince >= othersBeforeOneBegins;
  if (what === "begin" ? !begins && waiting("continue") > 0 : begins && waiting("begin") > 0) return false;
  begunSince = what === "begin" ? 0 : begunSince + 1;
  letOn += 1;
  return true;
}

function waiting(what: Kind): number {
  return ahead[what] + next[what];
}

/** Opens the turn for the first one that asks, and closes it in the next turn of the event loop. */
function hasTime(): boolean {
  const now = performance.now();
  if (until === undefined) {
    const opened = turn;
    until = now + shareMs;
    inNextTurn(() => closeTurn(opened));
  }
  return now < until;
}
