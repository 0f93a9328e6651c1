import { checkHistory } from "../checker/check-history.ts";
import type { BrokenPromise } from "../checker/recorded-history.ts";
import { effectsIn } from "../components/effects.ts";
import type { CheckedSimulation } from "../options.ts";
import { expectedEffects, play, type BaselineEffect, type Played, type PlaySettings } from "../play/play.ts";
import { SimulationError } from "../simulation-error.ts";

/** A play and the promises that it broke. */
export interface Judged {
  readonly played: Played;
  readonly broken: readonly BrokenPromise[];
}

/** Plays a history, and judges it. */
export async function judge(
  simulation: CheckedSimulation,
  settings: PlaySettings,
  baseline: readonly BaselineEffect[],
): Promise<Judged> {
  const played = await exactly(simulation, settings);
  const { also, accept = {} } = simulation.options;
  const recorded = { ...played.recorded, expected: expectedEffects(baseline, played) };
  const effects = effectsIn(recorded.effects.filter(({ isRepetition }) => !isRepetition));
  const own = also?.({ effects, runs: recorded.runs, pages: recorded.pages ?? [] }) ?? [];
  const broken = [
    ...checkHistory(recorded),
    ...own.map((text): BrokenPromise => ({ promise: "application", text, proof: [] })),
  ];
  return { played, broken: broken.filter(({ promise }) => accept[promise] === undefined) };
}

/**
 * Plays a history twice, and compares the plays event by event.
 *
 * @throws SimulationError `NOT_REPEATABLE`
 */
export async function judgeTwice(
  simulation: CheckedSimulation,
  settings: PlaySettings,
  baseline: readonly BaselineEffect[],
): Promise<Judged> {
  const kept = { ...settings, keepLines: true };
  const one = await judge(simulation, kept, baseline);
  const other = await judge(simulation, kept, baseline);
  if (one.played.hash !== other.played.hash) throw notRepeatable(one.played.lines, other.played.lines);
  return other;
}

/** Plays of one history at most, until nothing disturbs it. */
const mostTries = 20;

/**
 * Plays a history until the platform continues nothing on its own: a module that loads on first use disturbs one play.
 *
 * @throws SimulationError `NOT_REPEATABLE`
 */
async function exactly(simulation: CheckedSimulation, settings: PlaySettings): Promise<Played> {
  let played = await play(simulation, settings);
  for (let tries = 1; played.disturbance !== undefined; tries += 1) {
    if (tries === mostTries)
      throw new SimulationError(
        "NOT_REPEATABLE",
        `Code of a process continued after a call of the platform, at ${played.disturbance}: its time is not that of the simulation. Wrap what it waits for, such as a file or a compression, with component(name, object).`,
      );
    played = await play(simulation, { ...settings, isPaced: true });
  }
  return played;
}

function notRepeatable(one: readonly string[], other: readonly string[]): SimulationError {
  const index = one.findIndex((line, at) => line !== other[at]);
  const [first, second] = index < 0 ? ["(end)", other[one.length]] : [one[index], other[index]];
  return new SimulationError(
    "NOT_REPEATABLE",
    `Two plays of one history differ at event ${index < 0 ? one.length : index}: ${JSON.stringify(first)} and ${JSON.stringify(second ?? "(end)")}. Something in the application depends on the platform, such as a module that keeps state between two starts, or a call that is not routed.`,
  );
}
