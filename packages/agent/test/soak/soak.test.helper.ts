import process from "node:process";
import { leaks, measure, type Measure } from "./measure.test.helper.ts";
import { openWorld, scenarios } from "./scenarios.test.helper.ts";

/** The result of a soak. */
export interface SoakReport {
  readonly runs: number;
  readonly before: Measure;
  readonly after: Measure;
  /** The values that grew, one line each. */
  readonly leaks: readonly string[];
  /** Growth of the heap over the second half, in bytes a run: the first half fills caches. */
  readonly bytesPerRun: number;
}

/**
 * Plays every scenario on every store, round after round, and reports what remains in memory.
 *
 * @param rounds - How often, after a warm-up of a quarter of them.
 * @param progress - Called at the end of each round.
 */
export async function soak(rounds: number, progress?: (round: number, heapBytes: number) => void): Promise<SoakReport> {
  await using world = await openWorld();
  const { signal } = world.controller;
  let runs = 0;
  const play = async (): Promise<void> => {
    for (const [where, agent] of Object.entries(world.agents)) {
      for (const [name, scenario] of Object.entries(scenarios)) {
        const { runId, status } = await scenario(agent, signal);
        if (status !== expected[name]) throw new Error(`The run "${name}" ${where} is ${status}.`);
        if (where === "in memory") await world.forget(runId);
        runs += 1;
      }
    }
    progress?.(runs, process.memoryUsage().heapUsed);
  };
  for (let round = 0; round < Math.ceil(rounds / 4); round += 1) await play();
  await world.fill();
  const before = await measure(signal);
  runs = 0;
  for (let round = 0; round < Math.floor(rounds / 2); round += 1) await play();
  const half = { runs, measured: await measure(signal) };
  for (let round = Math.floor(rounds / 2); round < rounds; round += 1) await play();
  const after = await measure(signal);
  return {
    runs,
    before,
    after,
    leaks: leaks(before, after, runs),
    bytesPerRun: (after.heapBytes - half.measured.heapBytes) / (runs - half.runs),
  };
}

const expected: Readonly<Record<string, string>> = {
  answered: "completed",
  streamed: "completed",
  "left early": "cancelled",
  cancelled: "cancelled",
  aborted: "cancelled",
  "suspended and resumed": "completed",
  failed: "failed",
};
