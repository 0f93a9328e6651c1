import { getEventListeners } from "node:events";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Handles and memory at one time, after a garbage collection. */
export interface Measure {
  /** Listeners on the signal that outlives the runs. */
  readonly listeners: number;
  /** Timers, sockets and other handles that keep the process alive, by kind. */
  readonly handles: Readonly<Record<string, number>>;
  /** Live objects of the kinds that runs are made of. */
  readonly objects: Readonly<Record<string, number>>;
  readonly heapBytes: number;
}

const kinds = { AbortSignal, Map, Promise } as const;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Waits for closing connections and runs, collects garbage, and counts the rest. */
export async function measure(signal: AbortSignal): Promise<Measure> {
  // Connections and finalizers need separate turns of the event loop.
  for (let turn = 0; turn < 3; turn += 1) {
    await wait(20);
    collect();
  }
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) handles[kind] = (handles[kind] ?? 0) + 1;
  const objects = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [name, queryObjects(kind, { format: "count" })]),
  );
  return {
    listeners: getEventListeners(signal, "abort").length,
    handles,
    objects,
    heapBytes: process.memoryUsage().heapUsed,
  };
}

/**
 * Lists what grew between two moments by more than runs can leave behind, one line each.
 *
 * @param before - After a warm-up.
 * @param after - After `runs` more runs.
 * @param runs - Number of runs in between.
 */
export function leaks(before: Measure, after: Measure, runs: number): readonly string[] {
  const found: string[] = [];
  if (after.listeners > before.listeners) found.push(`${after.listeners - before.listeners} listeners on the signal`);
  for (const [kind, count] of Object.entries(after.handles)) {
    const grown = count - (before.handles[kind] ?? 0);
    // A pool may hold one more connection; a leak makes one per run.
    if (grown > Math.max(2, runs / 20)) found.push(`${grown} handles of the kind ${kind}`);
  }
  for (const [kind, count] of Object.entries(after.objects)) {
    const grown = count - (before.objects[kind] ?? 0);
    if (grown > runs / 2) found.push(`${grown} live objects of the kind ${kind} in ${runs} runs`);
  }
  return found;
}
