/** How long runs may hold one turn of the event loop before they give way, in milliseconds. */
const shareMs = 2;
/** At most this many go on without having waited in one turn of the loop: what each of them does is not known yet. */
const mostAtOnce = 4;
/** At most this many of those that wait are let on in one turn of the loop; most turns are over before. */
const mostATurn = 16;
/** A run that begins is let on after this many that go on. */
const othersBeforeOneBegins = 8;

/** As the platform has them: what a test puts in their place measures nothing here. */
const { performance, setTimeout } = globalThis;
const { setImmediate } = globalThis as { readonly setImmediate?: (callback: () => void) => unknown };
/** Calls back in the next turn of the event loop, and each callback after all that the one before it set off. */
const inNextTurn = setImmediate ?? ((callback: () => void): unknown => setTimeout(callback, 0));

const begun: (() => void)[] = [];
const beginning: (() => void)[] = [];
let begunSince = 0;
/** How many went on in this turn without having waited. */
let atOnce = 0;
/** When the share of this turn is used up; `undefined` before anyone has asked for some of it. */
let until: number | undefined;

/**
 * Asked before each piece of a run's work. Hundreds of runs that all have something to do would hold the event loop until
 * the last has done it; so they share what is theirs of each of its turns, and who comes too late waits for another turn.
 * Runs that have begun go before those that begin: what is begun is over, and holds no memory, before all have begun.
 *
 * @param what - Whether the run begins or goes on.
 * @returns Nothing while there is time; else a promise to await.
 */
export function loopShare(what: "begin" | "go on"): Promise<void> | undefined {
  if (begun.length === 0 && beginning.length === 0) {
    if (until === undefined) inNextTurn(openTurn);
    if (atOnce < mostAtOnce && hasTime()) {
      atOnce += 1;
      return undefined;
    }
  }
  return new Promise((resolve) => (what === "begin" ? beginning : begun).push(resolve));
}

function openTurn(): void {
  until = undefined;
  atOnce = 0;
  const waiting = Math.min(begun.length + beginning.length, mostATurn);
  if (waiting === 0) return;
  for (let count = 0; count < waiting; count += 1) inNextTurn(letOneOn);
  inNextTurn(openTurn);
}

/** The first in a turn always has time. */
function letOneOn(): void {
  if (hasTime()) takeOne()?.();
}

function takeOne(): (() => void) | undefined {
  if (begun.length > 0 && (begunSince < othersBeforeOneBegins || beginning.length === 0)) {
    begunSince += 1;
    return begun.shift();
  }
  begunSince = 0;
  return beginning.shift();
}

function hasTime(): boolean {
  const now = performance.now();
  until ??= now + shareMs;
  return now < until;
}
